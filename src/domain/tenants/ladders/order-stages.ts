import { isDeepStrictEqual } from 'node:util'
import { recordSetting } from '../../journal/audit/record-setting.ts'
import type { Context } from '../../kernel/context.ts'
import { DomainError } from '../../kernel/domain-error.ts'
import { authorize } from '../../kernel/policy.ts'
import { bumpDirectory } from '../../kernel/tenant/clock-queries.ts'
import type { ProductLine } from '../../kernel/tenant/stage.ts'
import { listStages, placeStages } from './setting-queries.ts'
import { inUse } from './stage-setting.ts'

/** Puts a ladder's stages into another order; `before` is the one that was seen. */
export async function orderStages(
  { db, actor, now }: Context,
  productLine: ProductLine,
  before: readonly string[],
  after: readonly string[],
): Promise<void> {
  authorize(actor, 'ladders.change')
  const { installerId } = actor
  await db.transaction(async (tx) => {
    await bumpDirectory(tx, installerId)
    const ladder = inUse(await listStages(tx, { installerId }), productLine)
    const ids = ladder.map(({ id }) => id)
    if (isDeepStrictEqual(ids, after)) return
    if (!isDeepStrictEqual(ids, before))
      throw new DomainError(
        'invalid',
        'The ladder was changed meanwhile. Look at it again, then move the stage.',
      )
    if (!isDeepStrictEqual(ids.toSorted(), after.toSorted()))
      throw new DomainError('invalid', 'after: name each stage of the ladder once.')
    await placeStages(tx, { installerId, ids: after })
    const names = (order: readonly string[]) => order.map((id) => ladder.find((one) => one.id === id)!.name)
    await recordSetting(tx, actor, now, {
      type: 'ladder.ordered',
      companyId: installerId,
      subjectId: productLine,
      name: productLine === 'solar' ? 'Solar ladder' : 'Home improvement ladder',
      changes: { order: [names(ids), names(after)] },
    })
  })
}
