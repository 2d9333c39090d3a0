import { DomainError } from './domain-error.ts'

// Line ends, direction marks and other letters that nobody sees: a mail that begins with a name must not go on with it.
const unseen = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/u

/** Refuses what cannot be anybody's name, of a person or a company: it stands in mails that go out from here. */
export function checkName(name: string): void {
  if (unseen.test(name)) throw new DomainError('invalid', 'name: must be one line of plain letters.')
  if (name.includes('://')) throw new DomainError('invalid', 'name: must not hold an address of a page.')
}

/** What stands where the name of somebody must stand who was erased. */
export const erasedName = 'Erased customer'
