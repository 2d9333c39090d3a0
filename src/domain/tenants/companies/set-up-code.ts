import { createHash, timingSafeEqual } from 'node:crypto'
import type { Db } from '../../../platform/db.ts'
import type { SecretBox } from '../../../platform/secret-box.ts'
import { DomainError } from '../../kernel/domain-error.ts'
import { deleteSettings } from '../../kernel/setting-queries.ts'
import { sharedSecret } from '../../kernel/shared-secret.ts'
import { listCompanies } from '../../kernel/tenant/queries.ts'

const setting = 'set-up-code'
/** Without those that are taken for others when read aloud. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const length = 20
const groups = /.{5}(?=.)/g

/** Whether nobody has set this up yet. */
export async function isFresh(db: Db): Promise<boolean> {
  return (await listCompanies(db, { afterNumber: 0, limit: 1 })).length === 0
}

/** With what the first company is made, 100 bits that stay the same until then; null where there is one. */
export async function setUpCode(db: Db, box: SecretBox): Promise<string | null> {
  if (await isFresh(db)) return codeOf(await sharedSecret(db, box, setting))
  await forgetSetUpCode(db)
  return null
}

export async function requireSetUpCode(db: Db, box: SecretBox, typed: string): Promise<void> {
  const code = codeOf(await sharedSecret(db, box, setting))
  if (timingSafeEqual(digestOf(typed), digestOf(code))) return
  throw new DomainError(
    'forbidden',
    'code: must be the set-up code that the server printed when it started; "npx sunstead setup-code" prints it again.',
  )
}

export function forgetSetUpCode(db: Db): Promise<void> {
  return deleteSettings(db, { names: [setting] })
}

function codeOf(secret: Buffer): string {
  const letters = Array.from(secret.subarray(0, length), (byte) => alphabet[byte % alphabet.length])
  return letters.join('').replace(groups, '$&-')
}

/** However it was typed, and of one length. */
function digestOf(code: string): Buffer {
  const letters = code
    .toUpperCase()
    .replace(/[^0-9A-Z]/g, '')
    .replaceAll('O', '0')
    .replace(/[IL]/g, '1')
  return createHash('sha256').update(letters).digest()
}
