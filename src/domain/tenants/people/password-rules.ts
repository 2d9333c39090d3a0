import { DomainError } from '../../kernel/domain-error.ts'

export const passwordLength = { min: 10, max: 128 }

/** Who chooses a password, and for whom they work: none of these words makes a good one. */
export interface PasswordOwner {
  email: string
  name: string
  companies: readonly string[]
}

const product = 'sunstead'
/** As many characters must be left when what everybody knows of a person is taken away. */
const minOwn = 6
const minDistinct = 5

let common: Promise<ReadonlySet<string>> | null = null

/** Read when the first password is chosen: few processes ever need it. */
function commonPasswords(): Promise<ReadonlySet<string>> {
  common ??= import('@zxcvbn-ts/language-common').then(
    ({ dictionary }) => new Set(dictionary['passwords-common']),
  )
  return common
}

/** Refuses a password that is short, or among the first that a stranger tries. Every way to set one asks this. */
export async function checkPassword(password: string, owner: PasswordOwner): Promise<void> {
  const { min, max } = passwordLength
  // As it is hashed: letters that look alike are one.
  const text = password.normalize('NFKC')
  const length = [...text].length
  if (length < min || [...password].length > max) throw refused(`must have ${min} to ${max} characters.`)
  const lower = text.toLowerCase()
  if (new Set(lower).size < minDistinct || isRun(lower)) {
    throw refused('is too simple. Use different characters that do not follow each other.')
  }
  if (ownPart(lower, owner) < minOwn) {
    throw refused('must not be made of your address, your name or the name of your company. Add other words.')
  }
  if (isCommon(lower, await commonPasswords())) {
    throw refused('is too common. Choose another one, such as a few words in a row.')
  }
}

function refused(what: string): DomainError {
  return new DomainError('invalid', `password: ${what}`)
}

/** Each character is the one after, or the one before, the last: 1234567890, zyxwvuts. */
function isRun(text: string): boolean {
  const steps = [...text].map((c) => c.codePointAt(0)!).map((code, i, all) => code - (all[i - 1] ?? code))
  const onward = steps.slice(1)
  return (
    onward.every((step) => step === 1 || step === -9) || onward.every((step) => step === -1 || step === 9)
  )
}

/** How much is left without the words that say who somebody is. */
function ownPart(lower: string, { email, name, companies }: PasswordOwner): number {
  const texts = [email, name, product, ...companies].map((text) => text.normalize('NFKC').toLowerCase())
  const words = texts
    .flatMap((text) => [text, text.replace(/[^\p{L}\p{N}]/gu, ''), ...text.split(/[^\p{L}\p{N}]+/u)])
    .filter((word) => word.length >= 3)
    .sort((a, b) => b.length - a.length)
  let rest = lower
  for (const word of words) rest = rest.replaceAll(word, ' ')
  return rest === lower ? lower.length : [...rest.replace(/[^\p{L}\p{N}]/gu, '')].length
}

const written: Record<string, string> = {
  0: 'o',
  1: 'l',
  3: 'e',
  4: 'a',
  5: 's',
  7: 't',
  '@': 'a',
  $: 's',
  '!': 'i',
}

/** Also with something put before or behind it, said twice, or written as pa$$w0rd. */
function isCommon(lower: string, list: ReadonlySet<string>): boolean {
  const plain = [...lower].map((c) => written[c] ?? c).join('')
  const bare = (text: string) => text.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, '')
  const forms = [
    lower,
    plain,
    bare(lower),
    bare(plain),
    [...bare(lower)].map((c) => written[c] ?? c).join(''),
  ]
  return forms.some((form) => list.has(form) || list.has(withoutRepeats(form)))
}

/** What a text repeats: "summer" of "summersummer". */
function withoutRepeats(text: string): string {
  const at = `${text}${text}`.indexOf(text, 1)
  return text.slice(0, at)
}
