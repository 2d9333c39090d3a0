import type { Db } from '../../../platform/db.ts'
import { recordSetting } from '../../journal/audit/record-setting.ts'
import { cancelLongJobsOf } from '../../journal/long-jobs/queries.ts'
import type { Context } from '../../kernel/context.ts'
import { DomainError, notFound } from '../../kernel/domain-error.ts'
import { authorize } from '../../kernel/policy.ts'
import { importKind } from './import.ts'
import { lockImport, moveImport } from './queries.ts'

/** Ends a run after the rows that are being written; what is made stays, and it can go on later. */
export async function stopImport(ctx: Context, id: string): Promise<void> {
  const { db, actor, now } = ctx
  authorize(actor, 'imports.run')
  await db.transaction(async (tx) => {
    await haltImport(ctx, tx, id)
    await cancelLongJobsOf(tx, { installerId: actor.installerId, kind: importKind, subjectId: id, now })
  })
}

/** The import's part of it. */
export async function haltImport({ actor, now }: Context, tx: Db, id: string): Promise<void> {
  const found = await lockImport(tx, actor, id)
  if (!found) throw notFound('import')
  if (found.state === 'checking') return moveImport(tx, found, 'mapping')
  if (found.state !== 'running') throw new DomainError('invalid', 'This import is not running.')
  await moveImport(tx, found, 'stopped')
  await recordSetting(tx, actor, now, {
    type: 'import.stopped',
    companyId: actor.companyId,
    subjectId: id,
    name: found.name,
  })
}
