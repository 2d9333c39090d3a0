import { newId } from '../../platform/ids.ts'
import { type RecordEvent, recordEvents } from '../journal/events/record-events.ts'
import type { Context } from '../kernel/context.ts'
import { DomainError } from '../kernel/domain-error.ts'
import { authorize } from '../kernel/policy.ts'
import { lockTenant, takeTimes } from '../kernel/tenant/clock-queries.ts'
import { planTable, type TablePlan } from './plan-table.ts'
import { readTable } from './read-table.ts'
import { changedFields, type Kept, maxItems, type Shelf } from './shelf.ts'

/** What a table would do to the catalogue, row by row. */
export async function checkTable<T extends Kept>(
  { db, actor }: Context,
  shelf: Shelf<T>,
  csv: string,
): Promise<TablePlan<T>> {
  authorize(actor, 'catalogue.change')
  const table = readTable(csv)
  return planTable(shelf, await shelf.list(db, actor.installerId), table)
}

/** Does what a table was seen to do, all of it or nothing; rows that are refused are left out. */
export async function importTable<T extends Kept>(
  { db, actor, now }: Context,
  shelf: Shelf<T>,
  csv: string,
  stamp: string,
): Promise<TablePlan<T>> {
  authorize(actor, 'catalogue.change')
  const { installerId } = actor
  const table = readTable(csv)
  return db.transaction(async (tx) => {
    await lockTenant(tx, installerId)
    const all = await shelf.list(tx, installerId)
    const plan = planTable(shelf, all, table)
    if (plan.stamp !== stamp)
      throw new DomainError('invalid', 'The catalogue was changed meanwhile. Look at what would change now.')
    const made = plan.rows.filter(({ outcome }) => outcome === 'made')
    if (all.length + made.length > maxItems)
      throw new DomainError('invalid', `A catalogue has at most ${maxItems} entries of a sort. Add fewer.`)
    let position = Math.max(0, ...all.map((one) => one.position))
    const events: RecordEvent[] = []
    const log = (what: string, item: T, changes: RecordEvent['changes'] = {}) =>
      events.push({
        type: `${shelf.word}.${what}`,
        companyId: installerId,
        subjectId: item.id,
        data: { name: shelf.nameOf(item) },
        changes,
      })
    const written = new Map(all.map((item) => [item.id, item]))
    for (const { outcome, before, after } of plan.rows) {
      if (!after || outcome === 'unchanged') continue
      const item = before ? after : { ...after, id: newId(shelf.idPrefix), version: 1, position: ++position }
      for (const other of shelf.displacedBy(item, [...written.values()])) {
        await shelf.update(tx, installerId, other)
        log('changed', other, changedFields(shelf, written.get(other.id)!, other))
        written.set(other.id, other)
      }
      if (before) await shelf.update(tx, installerId, item)
      else await shelf.insert(tx, installerId, item)
      written.set(item.id, item)
      if (before) log('changed', item, changedFields(shelf, before, item))
      else log('created', item)
    }
    if (events.length > 0) await recordEvents(tx, actor, await takeTimes(tx, installerId, now, 1), events)
    return plan
  })
}
