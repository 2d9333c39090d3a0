import { isId } from '../../../platform/ids.ts'
import { type Context, confinedTo } from '../../kernel/context.ts'
import { notFound } from '../../kernel/domain-error.ts'
import { authorize } from '../../kernel/policy.ts'
import { createKey, type NewKey } from './create-key.ts'
import { revokeKey, rollKey } from './end-key.ts'
import type { ApiKey } from './key.ts'
import {
  findKeyWithin,
  type KeyHour,
  type KeyPosition,
  listKeyHours,
  listKeysWithin,
} from './list-queries.ts'

/** A key among those that the actor's company decides about. */
async function requireKey({ db, actor }: Context, id: string): Promise<ApiKey> {
  const scope = { installerId: actor.installerId, companyId: confinedTo(actor) }
  const key = isId(id, 'key') ? await findKeyWithin(db, { ...scope, id }) : null
  if (!key) throw notFound('key')
  return key
}

/** The keys that the actor's company decides about, the newest first; of one company where it is named. */
export async function listOwnKeys(
  { db, actor }: Context,
  { company, before, limit }: { company: string | undefined; before: KeyPosition | null; limit: number },
): Promise<ApiKey[]> {
  authorize(actor, 'keys.manage')
  const confined = confinedTo(actor)
  if (confined !== null && company !== undefined && company !== confined) return []
  return listKeysWithin(db, {
    installerId: actor.installerId,
    companyId: confined ?? company ?? null,
    beforeAt: before?.at,
    beforeId: before?.id,
    limit,
  })
}

const hourMs = 3_600_000
const hoursShown = 48

/** A key and how it was used in each of the last 48 hours, the one under way included. */
export async function readKey(ctx: Context, id: string): Promise<{ key: ApiKey; hours: KeyHour[] }> {
  authorize(ctx.actor, 'keys.manage')
  const key = await requireKey(ctx, id)
  const last = Math.floor(ctx.now.getTime() / hourMs) * hourMs
  const first = last - (hoursShown - 1) * hourMs
  const used = await listKeyHours(ctx.db, {
    installerId: ctx.actor.installerId,
    keyId: key.id,
    from: new Date(first),
  })
  const byHour = new Map(used.map((hour) => [hour.hour.getTime(), hour]))
  const hours = Array.from({ length: hoursShown }, (_, i): KeyHour => {
    const at = first + i * hourMs
    return byHour.get(at) ?? { hour: new Date(at), calls: 0, failures: 0 }
  })
  return { key, hours }
}

/** A person makes a key for their company, or an installer's for one of its dealers. */
export async function createOwnKey(
  { db, directories, now, actor }: Context,
  input: Omit<NewKey, 'company'> & { company?: string | undefined },
): Promise<{ key: ApiKey; secret: string }> {
  authorize(actor, 'keys.manage')
  const company = input.company ?? actor.companyId
  const { companies } = await directories.current(db, actor.installerId)
  const confined = confinedTo(actor)
  if (!companies.has(company) || (confined !== null && confined !== company)) throw notFound('company')
  return createKey(db, now, { ...input, company }, actor)
}

/** A person replaces a key of their company, or an installer's one of its dealers'. */
export async function rollOwnKey(
  ctx: Context,
  id: string,
  graceHours: number,
): Promise<{ key: ApiKey; secret: string; oldValidUntil: Date }> {
  authorize(ctx.actor, 'keys.manage')
  const key = await requireKey(ctx, id)
  return rollKey(ctx.db, ctx.now, key.id, graceHours, ctx.actor)
}

/** A person ends a key of their company, or an installer's one of its dealers'. */
export async function revokeOwnKey(ctx: Context, id: string): Promise<ApiKey> {
  authorize(ctx.actor, 'keys.manage')
  const key = await requireKey(ctx, id)
  return revokeKey(ctx.db, ctx.now, key.id, ctx.actor)
}
