import { newId } from '../../platform/ids.ts'
import { type RecordEvent, recordEvents } from '../journal/events/record-events.ts'
import type { Context } from '../kernel/context.ts'
import { DomainError } from '../kernel/domain-error.ts'
import { authorize } from '../kernel/policy.ts'
import { lockTenant, takeTimes } from '../kernel/tenant/clock-queries.ts'
import { planTable, type TablePlan } from './plan-table.ts'
import { readTable } from './read-table.ts'
import { type CatalogueItem, type CatalogueSection, changedFields, maxItems } from './section.ts'

/** What a table would do to the catalogue, row by row. */
export async function checkTable<T extends CatalogueItem>(
  { db, actor }: Context,
  section: CatalogueSection<T>,
  csv: string,
): Promise<TablePlan<T>> {
  authorize(actor, 'catalogue.change')
  const table = readTable(csv)
  return planTable(section, await section.list(db, actor.installerId), table)
}

/** Does what a table was seen to do, all of it or nothing; rows that are refused are left out. */
export async function importTable<T extends CatalogueItem>(
  { db, actor, now }: Context,
  section: CatalogueSection<T>,
  csv: string,
  stamp: string,
): Promise<TablePlan<T>> {
  authorize(actor, 'catalogue.change')
  const { installerId } = actor
  const table = readTable(csv)
  return db.transaction(async (tx) => {
    await lockTenant(tx, installerId)
    const all = await section.list(tx, installerId)
    const plan = planTable(section, all, table)
    if (plan.stamp !== stamp)
      throw new DomainError('invalid', 'The catalogue was changed meanwhile. Look at what would change now.')
    const made = plan.rows.filter(({ outcome }) => outcome === 'made')
    if (all.length + made.length > maxItems)
      throw new DomainError('invalid', `A catalogue has at most ${maxItems} entries of a sort. Add fewer.`)
    let position = Math.max(0, ...all.map((one) => one.position))
    const events: RecordEvent[] = []
    const log = (what: string, item: T, changes: RecordEvent['changes'] = {}) =>
      events.push({
        type: `${section.word}.${what}`,
        companyId: installerId,
        subjectId: item.id,
        data: { name: section.nameOf(item) },
        changes,
      })
    const written = new Map(all.map((item) => [item.id, item]))
    for (const { outcome, before, after } of plan.rows) {
      if (!after || outcome === 'unchanged') continue
      const item = before
        ? after
        : { ...after, id: newId(section.idPrefix), version: 1, position: ++position }
      for (const other of section.displacedBy(item, [...written.values()])) {
        await section.update(tx, installerId, other)
        log('changed', other, changedFields(section, written.get(other.id)!, other))
        written.set(other.id, other)
      }
      if (before) await section.update(tx, installerId, item)
      else await section.insert(tx, installerId, item)
      written.set(item.id, item)
      if (before) log('changed', item, changedFields(section, before, item))
      else log('created', item)
    }
    if (events.length > 0) await recordEvents(tx, actor, await takeTimes(tx, installerId, now, 1), events)
    return plan
  })
}
