import { isDeepStrictEqual } from 'node:util'
import { recordSetting } from '../journal/audit/record-setting.ts'
import type { Context } from '../kernel/context.ts'
import { DomainError } from '../kernel/domain-error.ts'
import { authorize } from '../kernel/policy.ts'
import { lockTenant } from '../kernel/tenant/clock-queries.ts'
import type { CatalogueItem, CatalogueSection } from './section.ts'

/** Puts some entries into another order among themselves; `before` is the one that was seen. */
export async function orderItems<T extends CatalogueItem>(
  { db, actor, now }: Context,
  section: CatalogueSection<T>,
  before: readonly string[],
  after: readonly string[],
): Promise<void> {
  authorize(actor, 'catalogue.change')
  const { installerId } = actor
  await db.transaction(async (tx) => {
    await lockTenant(tx, installerId)
    const all = await section.list(tx, installerId)
    const named = new Set(before)
    const ids = all.map(({ id }) => id)
    const seen = ids.filter((id) => named.has(id))
    if (isDeepStrictEqual(seen, after)) return
    if (!isDeepStrictEqual(seen, before))
      throw new DomainError(
        'invalid',
        'The order was changed meanwhile. Look at it again, then move the entry.',
      )
    if (!isDeepStrictEqual(before.toSorted(), after.toSorted()))
      throw new DomainError('invalid', 'after: name the same entries as in before.')
    let next = 0
    const placed = ids.map((id) => (named.has(id) ? after[next++]! : id))
    await section.place(tx, { installerId, ids: placed })
    const names = new Map(all.map((item) => [item.id, section.nameOf(item)]))
    const moved = before.filter((id, i) => after[i] !== id)
    await recordSetting(tx, actor, now, {
      type: `${section.word}.ordered`,
      companyId: installerId,
      subjectId: section.word,
      name: 'Catalogue',
      changes: {
        order: [
          moved.map((id) => names.get(id)),
          after.filter((id) => moved.includes(id)).map((id) => names.get(id)),
        ],
      },
    })
  })
}
