import type { Db } from '../../platform/db.ts'
import { recordSetting } from '../journal/audit/record-setting.ts'
import type { Actor } from '../kernel/context.ts'
import type { CatalogueItem, CatalogueSection } from './section.ts'
import { changedFields } from './section.ts'

/** Changes what must make room for an entry: the default that there was, say. */
export async function displace<T extends CatalogueItem>(
  tx: Db,
  actor: Actor,
  now: Date,
  section: CatalogueSection<T>,
  item: T,
  all: readonly T[],
): Promise<void> {
  for (const other of section.displacedBy(item, all)) {
    await section.update(tx, actor.installerId, other)
    await recordSetting(tx, actor, now, {
      type: `${section.word}.changed`,
      companyId: actor.installerId,
      subjectId: other.id,
      name: section.nameOf(other),
      changes: changedFields(section, all.find(({ id }) => id === other.id)!, other),
    })
  }
}
