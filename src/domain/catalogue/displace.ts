import type { Db } from '../../platform/db.ts'
import { recordSetting } from '../journal/audit/record-setting.ts'
import type { Actor } from '../kernel/context.ts'
import type { Kept, Shelf } from './shelf.ts'
import { changedFields } from './shelf.ts'

/** Changes what must make room for an entry: the default that there was, say. */
export async function displace<T extends Kept>(
  tx: Db,
  actor: Actor,
  now: Date,
  shelf: Shelf<T>,
  item: T,
  all: readonly T[],
): Promise<void> {
  for (const other of shelf.displacedBy(item, all)) {
    await shelf.update(tx, actor.installerId, other)
    await recordSetting(tx, actor, now, {
      type: `${shelf.word}.changed`,
      companyId: actor.installerId,
      subjectId: other.id,
      name: shelf.nameOf(other),
      changes: changedFields(shelf, all.find(({ id }) => id === other.id)!, other),
    })
  }
}
