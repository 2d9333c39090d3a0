import type { Context } from '../../kernel/context.ts'
import { authorize } from '../../kernel/policy.ts'
import type { ApiKey } from './key.ts'
import { type KeyHour, listKeyHours } from './list-queries.ts'
import { requireKey } from './require-key.ts'

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
