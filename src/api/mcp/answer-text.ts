import { DomainError } from '../../domain/kernel/domain-error.ts'

/** Longer answers are refused: whoever reads them has little room. */
const maxCharacters = 200_000

/** An answer that is JSON already. */
export class JsonText {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
  toJSON(): object {
    return JSON.parse(this.text)
  }
}

/** An answer as it is sent. */
export function answerText(answer: object): string {
  const text = answer instanceof JsonText ? answer.text : JSON.stringify(answer)
  if (text.length <= maxCharacters) return text
  throw new DomainError(
    'invalid',
    'The answer would be too long. Ask a tool for less: a smaller limit, or fewer days.',
  )
}
