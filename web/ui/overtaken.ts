import { ApiError, type Value } from '../api/client.ts'
import { editing as texts } from '../texts/en/editing.ts'
import { useToasts } from './toast.tsx'

interface Overtaken {
  field: string
  label: string
  /** How a value of it reads. */
  words: (value: string) => string
  /** Does it all the same, knowing what it is now. */
  again: (now: Value) => void
}

/**
 * For what is set where it stands, without a form: where others were quicker, the person is told what it is now, and may
 * have it their way all the same. Any other refusal is told as it is.
 */
export function useOvertaken() {
  const { ask, complain } = useToasts()
  return (error: unknown, { field, label, words, again }: Overtaken) => {
    const now = error instanceof ApiError ? error.now?.[field] : undefined
    if (now === undefined) return complain(error)
    const text = now === null ? '' : words(String(now))
    ask(texts.inPlace(label, text), { label: texts.keepMine, run: () => again(now) })
  }
}
