import { randomBytes, randomInt } from 'node:crypto'
import { currentMs } from './clock.ts'

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'
const pool = Buffer.allocUnsafe(10 * 256)
let used = pool.length
let lastMs = 0
let counter = 0

/** A readable, time-ordered id: the prefix, milliseconds, a counter within them, 50 bits of chance. */
export function newId(prefix: string): string {
  if (used === pool.length) {
    randomBytes(pool.length).copy(pool)
    used = 0
  }
  const ms = currentMs()
  if (ms > lastMs) {
    lastMs = ms
    counter = pool.readUInt16BE(used) & 0x0fff
  } else if (++counter > 0xffff) {
    lastMs++
    counter = 0
  }
  let text = ''
  for (let shift = 2 ** 45; shift >= 1; shift /= 32) text += alphabet[Math.floor(lastMs / shift) % 32]
  for (let shift = 15; shift >= 0; shift -= 5) text += alphabet[(counter >> shift) & 31]
  for (let i = 0; i < 10; i++) text += alphabet[pool[used + i]! & 31]
  used += 10
  return `${prefix}_${text}`
}

const idForm = /^[a-z]+_[0-9a-z]{10,40}$/

/** Whether a text could be an id of ours; what could not is answered without asking the database. */
export function isId(text: string, prefix: string): boolean {
  return text.startsWith(`${prefix}_`) && idForm.test(text)
}

const referenceForm = /^[A-Za-z0-9]{10}$/

/** Whether a text could be a reference, the 10-character UID of the older system. */
export function isReference(text: string): boolean {
  return referenceForm.test(text)
}

/** An address part that cannot be guessed: 160 bits. */
export function newToken(): string {
  return randomBytes(20).toString('base64url')
}

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

/** A new reference. */
export function newReference(): string {
  return Array.from({ length: 10 }, () => letters[randomInt(letters.length)]).join('')
}
