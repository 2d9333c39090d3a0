import { domainToASCII } from 'node:url'
import { type Fragment, raw, sql } from '../../platform/sql/sql.ts'
import { DomainError } from './domain-error.ts'

/** One @, no spaces, a name with a dot behind it: what looks like an email address. */
export const emailPattern =
  '[^\\s@<>()",;:\\\\[\\]]+@[^\\s@.<>()",;:\\\\[\\]]+(\\.[^\\s@.<>()",;:\\\\[\\]]+)+'

const form = new RegExp(`^${emailPattern}$`)
const maxLength = 320

/** Whether a text looks like an address that mail can be sent to: a customer's is kept as it was written. */
export function isEmail(text: string): boolean {
  return text.length <= maxLength && form.test(text)
}

// Control characters, direction marks and other letters that nobody sees; halves of a pair.
const unseen = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Z}]/u
// A host is written as part of a URL: what ends a host there, or is decoded there, is no part of a name.
const notInHost = /[%/?#|^`{}!$&'*+=~]/
const host = /^(?=.{1,253}$)([a-z0-9_-]{1,63}\.)+[a-z0-9-]{2,63}$/
const plain = /^[\x21-\x7e]+$/

/**
 * The one form in which a person's address is kept and compared: trimmed, A to Z as a to z, the domain as punycode.
 * Null where it is no address. Nothing is mapped before the @ but A to Z: letters of other scripts must be in lower
 * case and in their plain form already, so that no two addresses that mail servers tell apart become one.
 */
export function normalEmail(text: string): string | null {
  const trimmed = text.trim()
  if (!isEmail(trimmed) || unseen.test(trimmed)) return null
  const at = trimmed.indexOf('@')
  const local = asciiLower(trimmed.slice(0, at))
  if (!plain.test(local) && (local !== local.normalize('NFKC') || local !== local.toLowerCase())) return null
  const named = trimmed.slice(at + 1)
  if (notInHost.test(named)) return null
  const domain = domainToASCII(named)
  if (!host.test(domain) || /\.\d+$/.test(domain)) return null
  return `${local}@${domain}`
}

export function asciiLower(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => String.fromCharCode(letter.charCodeAt(0) + 32))
}

const alphabets = `'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz'`

/** The same in SQL: no locale has a say in it. */
export const asciiLowered = (column: string) => `translate(${column}, ${alphabets})`
export const asciiLoweredValue = (value: Fragment) => sql`translate(${value}, ${raw(alphabets)})`

/** By what a person's address is found, also one that was kept before there was one form and has none. */
export function emailKey(text: string): string {
  return normalEmail(text) ?? text.trim()
}

export function requireEmail(text: string): string {
  const email = normalEmail(text)
  if (email === null) throw new DomainError('invalid', `${shown(text)} is not an email address.`)
  return email
}

const shown = (text: string) => text.slice(0, maxLength).replaceAll(new RegExp(unseen.source, 'gu'), '\uFFFD')

// What better-auth takes for an address: others are kept as members', but nobody signs in by them.
const signInForm = /^(?:[a-z0-9_'+-]+\.)*[a-z0-9_'+-]*[a-z0-9_+-]@(?:[a-z0-9][a-z0-9-]*\.)+[a-z]{2,}$/

/** Whether somebody can sign in by this address, given in its one form. */
export function canSignInBy(email: string): boolean {
  return signInForm.test(email)
}
