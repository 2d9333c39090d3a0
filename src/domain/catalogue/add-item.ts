import { newId } from '../../platform/ids.ts'
import { recordSetting } from '../journal/audit/record-setting.ts'
import type { Context } from '../kernel/context.ts'
import { DomainError } from '../kernel/domain-error.ts'
import { authorize } from '../kernel/policy.ts'
import { lockTenant } from '../kernel/tenant/clock-queries.ts'
import { displace } from './displace.ts'
import { type Kept, maxItems, type Shelf } from './shelf.ts'

/** Puts something new at the end of the catalogue; answers its id. */
export async function addItem<T extends Kept>(
  { db, actor, now }: Context,
  shelf: Shelf<T>,
  given: Partial<T>,
): Promise<string> {
  authorize(actor, 'catalogue.change')
  const { installerId } = actor
  return db.transaction(async (tx) => {
    await lockTenant(tx, installerId)
    const all = await shelf.list(tx, installerId)
    if (all.length >= maxItems)
      throw new DomainError('invalid', `A catalogue has at most ${maxItems} entries of a sort.`)
    const id = newId(shelf.idPrefix)
    const position = Math.max(0, ...all.map((one) => one.position)) + 1
    const made = { ...shelf.blank, ...given, id, version: 1, position } as unknown as T
    const item = shelf.settled(made, null)
    const problems = shelf.problemsOf(item)
    if (problems.length > 0) throw new DomainError('invalid', `${problems.join('; ')}.`)
    await shelf.insert(tx, installerId, item)
    await displace(tx, actor, now, shelf, item, all)
    await recordSetting(tx, actor, now, {
      type: `${shelf.word}.created`,
      companyId: installerId,
      subjectId: id,
      name: shelf.nameOf(item),
    })
    return id
  })
}
