import { type Context, confinedTo } from '../../kernel/context.ts'
import { authorize } from '../../kernel/policy.ts'
import type { ApiKey } from './key.ts'
import { type KeyPosition, listKeysWithin } from './list-queries.ts'

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
