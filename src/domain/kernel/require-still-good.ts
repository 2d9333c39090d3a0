import type { Db, Statement } from '../../platform/db.ts'
import type { Actor } from './context.ts'
import { DomainError } from './domain-error.ts'

const keyStatement: Statement = {
  name: 'key-is-still-good',
  text: `select from api_keys k
    join companies c on c.id = k.company_id and c.status = 'active'
    join companies i on i.id = k.installer_id and i.status = 'active'
    where k.installer_id = $1 and k.id = $2 and k.company_id = $3 and k.revoked_at is null
      and (k.expires_at is null or k.expires_at > $4)`,
}

const memberStatement: Statement = {
  name: 'member-is-still-there',
  text: `select from members m
    join companies c on c.id = m.company_id and c.status = 'active'
    join companies i on i.id = m.installer_id and i.status = 'active'
    where m.installer_id = $1 and m.id = $2 and m.company_id = $3 and m.deactivated_at is null and m.role = $4`,
}

/**
 * For what is written long after the caller was let in: the key may have been revoked meanwhile, the person sent away or
 * given another role, the company suspended.
 */
export async function requireStillGood(db: Db, actor: Actor): Promise<void> {
  const { kind, installerId, id, companyId } = actor
  if (kind === 'job') return
  const found =
    kind === 'key'
      ? await db.query(keyStatement, [installerId, id, companyId, new Date()])
      : await db.query(memberStatement, [installerId, id, companyId, actor.role])
  if (found.length > 0) return
  throw new DomainError(
    'unauthorized',
    kind === 'key'
      ? 'This key was revoked or has expired while the call was under way, or its company was suspended. Nothing was added.'
      : 'Your access has changed while the file was being added. Nothing was added. Sign in again.',
  )
}
