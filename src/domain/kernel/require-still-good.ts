import { currentTime } from '../../platform/clock.ts'
import type { Db } from '../../platform/db.ts'
import { type Params, sql } from '../../platform/sql/sql.ts'
import { exists } from '../../platform/sql/statements.ts'
import type { Actor } from './context.ts'
import { DomainError } from './domain-error.ts'
import type { Role } from './tenant/member.ts'

interface Caller {
  installerId: string
  companyId: string
  id: string | null
}

const isKeyGood = exists(
  ($: Params<Caller & { now: Date }>) => sql`
    select from api_keys k
    join companies c on c.installer_id = k.installer_id and c.id = k.company_id and c.status = 'active'
    join companies i on i.installer_id = k.installer_id and i.id = k.installer_id and i.status = 'active'
    where k.installer_id = ${$.installerId} and k.id = ${$.id} and k.company_id = ${$.companyId}
      and k.revoked_at is null and (k.expires_at is null or k.expires_at > ${$.now})`,
)

const isMemberThere = exists(
  ($: Params<Caller & { role: Role | undefined }>) => sql`
    select from members m
    join companies c on c.installer_id = m.installer_id and c.id = m.company_id and c.status = 'active'
    join companies i on i.installer_id = m.installer_id and i.id = m.installer_id and i.status = 'active'
    where m.installer_id = ${$.installerId} and m.id = ${$.id} and m.company_id = ${$.companyId}
      and m.deactivated_at is null and m.role = ${$.role}`,
)

/**
 * For what is written long after the caller was let in: the key may have been revoked meanwhile, the person sent away or
 * given another role, the company suspended.
 */
export async function requireStillGood(db: Db, actor: Actor): Promise<void> {
  const { kind, installerId, companyId, id } = actor
  if (kind === 'job') return
  const caller = { installerId, companyId, id }
  const isGood =
    kind === 'key'
      ? await isKeyGood(db, { ...caller, now: currentTime() })
      : await isMemberThere(db, { ...caller, role: actor.role })
  if (isGood) return
  throw new DomainError(
    'unauthorized',
    kind === 'key'
      ? 'This key was revoked or has expired while the call was under way, or its company was suspended. Nothing was added.'
      : 'Your access has changed while the file was being added. Nothing was added. Sign in again.',
  )
}
