import { recordSetting } from '../journal/audit/record-setting.ts'
import { ChangedMeanwhile } from '../kernel/changed-meanwhile.ts'
import type { Context } from '../kernel/context.ts'
import { DomainError, notFound } from '../kernel/domain-error.ts'
import { authorize } from '../kernel/policy.ts'
import { lockTenant } from '../kernel/tenant/clock-queries.ts'
import { displace } from './displace.ts'
import type { CatalogueItem, CatalogueSection } from './section.ts'
import { changedFields } from './section.ts'

/** Changes an entry of which the version is known. What was sold before stays as it was sold. */
export async function updateItem<T extends CatalogueItem>(
  { db, actor, now }: Context,
  section: CatalogueSection<T>,
  id: string,
  version: number,
  patch: Partial<T>,
): Promise<void> {
  authorize(actor, 'catalogue.change')
  const { installerId } = actor
  await db.transaction(async (tx) => {
    await lockTenant(tx, installerId)
    const all = await section.list(tx, installerId)
    const item = all.find((one) => one.id === id)
    if (!item) throw notFound(section.word)
    const changed = section.settled({ ...item, ...patch }, item)
    const changes = changedFields(section, item, changed)
    if (Object.keys(changes).length === 0) return
    if (item.version !== version) throw new ChangedMeanwhile({ version: item.version })
    const problems = section.problemsOf(changed)
    if (problems.length > 0) throw new DomainError('invalid', `${problems.join('; ')}.`)
    await section.update(tx, installerId, changed)
    await displace(tx, actor, now, section, changed, all)
    await recordSetting(tx, actor, now, {
      type: `${section.word}.changed`,
      companyId: installerId,
      subjectId: id,
      name: section.nameOf(changed),
      changes,
    })
  })
}
