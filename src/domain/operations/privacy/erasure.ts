import type { Deal } from '../../deals/changes/deal.ts'
import { normalisePhone } from '../../deals/leads/phone.ts'
import type { Contact } from '../../kernel/contact.ts'
import { type Actor, confinedTo } from '../../kernel/context.ts'
import { asciiLower } from '../../kernel/email.ts'
import { erasedName } from '../../kernel/name.ts'
import { lowered } from '../../kernel/search-form.ts'

export type ErasureReason = 'request' | 'retention'

/** By what a customer is found in texts that others wrote. Kept only until everything is erased. */
export interface Person {
  /** Theirs and their co-borrower's, first and last name together, and what their installations are called. */
  names: string[]
  /** The last ones alone: by them people look for customers. */
  surnames: string[]
  emails: string[]
  /** As they were written, and in E.164. */
  phones: string[]
  /** Of their installations, in one line. */
  addresses: string[]
  externalId: string | null
}

export const nobody: Person = {
  names: [],
  surnames: [],
  emails: [],
  phones: [],
  addresses: [],
  externalId: null,
}

export interface Erasure {
  installerId: string
  leadId: string
  companyId: string
  /** What the lead became. */
  projectId: string | null
  /** Under which the lead and its project are answered. */
  ids: string[]
  reason: ErasureReason
  erasedAt: Date
  person: Person
}

/** By what bills are theirs that no installation says it of: the email, and where a bill has none, name and street. */
export type Billed = Pick<Person, 'emails' | 'names' | 'addresses'>

/**
 * Whose bills are theirs where no installation says it. A lead that ran out of its time may be of somebody who is billed
 * for something else: then only what is tied to the lead is theirs.
 */
export function billedTo({ reason, person }: Pick<Erasure, 'reason' | 'person'>): Billed {
  return reason === 'request' ? person : nobody
}

interface Billers {
  installerId: string
  companyId: string
  projectId: string | null
}

/**
 * Whose books are looked through. A buyer's may be the installer's too, who alone erases them; what a dealer may erase by
 * itself, and could have given any name or email, is looked for in its own.
 */
export function billersOf({ installerId, companyId, projectId }: Billers): string[] {
  return projectId === null || companyId === installerId ? [companyId] : [companyId, installerId]
}

/** The same, of books that the actor may look into. */
export function billersSeen(actor: Actor, billers: Billers): string[] {
  const confined = confinedTo(actor)
  return billersOf(billers).filter((id) => confined === null || id === confined)
}

export interface Place {
  name: string
  address: string
}

/** As they are known, and as they were: whoever changed their email is still found under the old one. */
export function personOf(
  { lead }: Deal,
  places: readonly Place[] = [],
  earlier: readonly Partial<Contact>[] = [],
): Person {
  const all = [lead.customer, ...(lead.coBorrower ? [lead.coBorrower] : []), ...earlier]
  const texts = (values: (string | null | undefined)[]) =>
    [...new Set(values.filter((text) => !!text))] as string[]
  return {
    names: texts([
      ...all.map(({ firstName, lastName }) => firstName && lastName && `${firstName} ${lastName}`),
      ...places.map(({ name }) => name),
    ]),
    surnames: texts(all.map(({ lastName }) => lastName)),
    emails: texts(all.map(({ email }) => email && asciiLower(email))),
    phones: texts(all.flatMap(({ phone }) => [phone, phone && normalisePhone(phone, lead.address.country)])),
    addresses: texts([lead.address.line1, ...places.map(({ address }) => address)]),
    externalId: lead.externalId,
  }
}

/** Shorter texts than these are parts of words that mean somebody else. */
const shortest = 4

/** The text without what says who it was, whatever the case of its letters. */
export function strike(text: string, { names, emails, phones, addresses }: Person): string {
  const words = [...emails, ...addresses, ...names, ...phones]
    .filter((word) => word.length >= shortest && word !== erasedName)
    .toSorted((a, b) => b.length - a.length)
  return words.reduce(
    (struck, word) => struck.replace(new RegExp(RegExp.escape(word), 'giu'), erasedName),
    text,
  )
}

/** Whether a text of somebody else's, such as the name of a list, is about this person. */
export function mentions(text: string, person: Person): boolean {
  return holds(text, [...person.names, ...person.surnames, ...contactsOf(person)])
}

/**
 * By what texts of another company are known to be about this person: a lead can be called anything, and its phone is kept
 * as it was sent.
 */
export function beyondDoubt({ emails, phones }: Person): Person {
  return { ...nobody, emails, phones: phones.filter(isNumber) }
}

export function isNumber(phone: string): boolean {
  return /^[+\d\s().-]+$/.test(phone) && phone.replace(/\D/g, '').length >= 7
}

/** Whether a row of a file is about this person: a namesake is not, where more than the name is known. */
export function isAbout(row: string, person: Person): boolean {
  const contacts = contactsOf(person)
  return holds(row, contacts.length > 0 ? contacts : person.names)
}

const contactsOf = ({ emails, phones, externalId }: Person) => [
  ...emails,
  ...phones,
  ...(externalId ? [externalId] : []),
]

function holds(text: string, words: readonly string[]): boolean {
  const found = lowered(text)
  return words.some((word) => word.length >= shortest && found.includes(lowered(word)))
}
