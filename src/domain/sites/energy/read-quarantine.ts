import { type Context, scopeOf } from '../../kernel/context.ts'
import { listing } from '../../kernel/listing.ts'
import { authorize } from '../../kernel/policy.ts'
import { countWaitingQuarantined, listQuarantined, type Quarantined } from './quarantine-queries.ts'

/** A page of the readings that wait for a person, the newest first, and how many there are; `next` is where it goes on. */
export const readQuarantine = listing(
  'anything',
  async (
    ctx: Context,
    filter: { installationId?: string | undefined; after?: string | undefined },
    limit: number,
  ): Promise<{ readings: Quarantined[]; total: number; next: string | null }> => {
    authorize(ctx.actor, 'quarantine.read')
    const scope = scopeOf(ctx)
    const [found, { total }] = await Promise.all([
      listQuarantined(ctx.db, { ...scope, ...filter, limit: limit + 1 }),
      countWaitingQuarantined(ctx.db, { ...scope, installationId: filter.installationId }),
    ])
    const readings = found.slice(0, limit)
    return { readings, total, next: found.length > limit ? readings.at(-1)!.id : null }
  },
)
