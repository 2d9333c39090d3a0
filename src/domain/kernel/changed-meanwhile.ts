import type { Context } from './context.ts'
import { DomainError, Outdated } from './domain-error.ts'

type Value = string | number | boolean | null

/** What the fields of a record were when somebody began to change them, by the names under which changes are told. */
export type Seen = Readonly<Record<string, Value>>

/** Somebody else has changed the same fields since they were read: the later one is told, and says which holds. */
export class ChangedMeanwhile extends DomainError {
  /** What the fields are now. */
  readonly now: Record<string, Value>

  constructor(now: Record<string, Value>) {
    super('invalid', 'Someone else changed this in the meantime. Check how it is now, then try again.')
    this.now = now
  }
}

/**
 * Refuses a change of fields that are no longer what was seen. Only of those that it changes: what others write beside
 * them is nobody's conflict, and whoever wrote the same is of one mind.
 */
export function requireUnchanged(
  changes: Readonly<Record<string, readonly [from: unknown, to: unknown]>>,
  seen: Seen | undefined,
): void {
  if (!seen) return
  const now: Record<string, Value> = {}
  for (const [field, [from]] of Object.entries(changes))
    if (Object.hasOwn(seen, field) && !isSame(from, seen[field])) now[field] = plain(from)
  if (Object.keys(now).length > 0) throw new ChangedMeanwhile(now)
}

/** Refuses a change of a record that is no longer what the caller has read. */
export function requireExpected({ expects }: Context, { updatedAt }: { updatedAt: Date }): void {
  if (expects && !expects(updatedAt)) throw new Outdated()
}

const numberForm = /^-?\d+(\.\d+)?$/

/** Nothing is written as an empty text too; numbers are the same however many places they are written with. */
function isSame(from: unknown, seen: unknown): boolean {
  const [a, b] = [plain(from), plain(seen)]
  if (a === b) return true
  const [first, second] = [String(a), String(b)]
  return numberForm.test(first) && numberForm.test(second) && trimmed(first) === trimmed(second)
}

function plain(value: unknown): Value {
  if (value === undefined || value === null || value === '') return null
  return value instanceof Date ? value.toISOString() : (value as Value)
}

const trimmed = (number: string) => (number.includes('.') ? number.replace(/\.?0+$/, '') : number)
