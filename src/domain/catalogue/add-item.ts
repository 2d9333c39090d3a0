import { newId } from '../../platform/ids.ts'
import { recordSetting } from '../journal/audit/record-setting.ts'
import type { Context } from '../kernel/context.ts'
import { DomainError } from '../kernel/domain-error.ts'
import { authorize } from '../kernel/policy.ts'
import { lockTenant } from '../kernel/tenant/clock-queries.ts'
import { displace } from './displace.ts'
import { type CatalogueItem, type CatalogueSection, maxItems } from './section.ts'

/** Puts something new at the end of the catalogue; answers its id. */
export async function addItem<T extends CatalogueItem>(
  { db, actor, now }: Context,
  section: CatalogueSection<T>,
  given: Partial<T>,
): Promise<string> {
  authorize(actor, 'catalogue.change')
  const { installerId } = actor
  return db.transaction(async (tx) => {
    await lockTenant(tx, installerId)
    const all = await section.list(tx, installerId)
    if (all.length >= maxItems)
      throw new DomainError('invalid', `A catalogue has at most ${maxItems} entries of a sort.`)
    const id = newId(section.idPrefix)
    const position = Math.max(0, ...all.map((one) => one.position)) + 1
    const made = { ...section.blank, ...given, id, version: 1, position } as unknown as T
    const item = section.settled(made, null)
    const problems = section.problemsOf(item)
    if (problems.length > 0) throw new DomainError('invalid', `${problems.join('; ')}.`)
    await section.insert(tx, installerId, item)
    await displace(tx, actor, now, section, item, all)
    await recordSetting(tx, actor, now, {
      type: `${section.word}.created`,
      companyId: installerId,
      subjectId: id,
      name: section.nameOf(item),
    })
    return id
  })
}
