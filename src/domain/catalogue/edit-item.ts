import { recordSetting } from '../journal/audit/record-setting.ts'
import { ChangedMeanwhile } from '../kernel/changed-meanwhile.ts'
import type { Context } from '../kernel/context.ts'
import { DomainError, notFound } from '../kernel/domain-error.ts'
import { authorize } from '../kernel/policy.ts'
import { lockTenant } from '../kernel/tenant/clock-queries.ts'
import { displace } from './displace.ts'
import type { Kept, Shelf } from './shelf.ts'
import { changedFields } from './shelf.ts'

/** Changes an entry of which the version is known. What was sold before stays as it was sold. */
export async function editItem<T extends Kept>(
  { db, actor, now }: Context,
  shelf: Shelf<T>,
  id: string,
  version: number,
  patch: Partial<T>,
): Promise<void> {
  authorize(actor, 'catalogue.change')
  const { installerId } = actor
  await db.transaction(async (tx) => {
    await lockTenant(tx, installerId)
    const all = await shelf.list(tx, installerId)
    const item = all.find((one) => one.id === id)
    if (!item) throw notFound(shelf.word)
    const changed = shelf.settled({ ...item, ...patch }, item)
    const changes = changedFields(shelf, item, changed)
    if (Object.keys(changes).length === 0) return
    if (item.version !== version) throw new ChangedMeanwhile({ version: item.version })
    const problems = shelf.problemsOf(changed)
    if (problems.length > 0) throw new DomainError('invalid', `${problems.join('; ')}.`)
    await shelf.update(tx, installerId, changed)
    await displace(tx, actor, now, shelf, changed, all)
    await recordSetting(tx, actor, now, {
      type: `${shelf.word}.changed`,
      companyId: installerId,
      subjectId: id,
      name: shelf.nameOf(changed),
      changes,
    })
  })
}
