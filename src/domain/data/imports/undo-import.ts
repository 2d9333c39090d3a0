import { recordSetting } from '../../journal/audit/record-setting.ts'
import type { Context } from '../../kernel/context.ts'
import { DomainError, notFound } from '../../kernel/domain-error.ts'
import { authorize } from '../../kernel/policy.ts'
import { lockImport, moveImport } from './queries.ts'
import { workOn } from './work-on.ts'

/** Lets everything that an import made be archived. What it changed is not put back. */
export async function undoImport(ctx: Context, id: string): Promise<void> {
  const { db, actor, now } = ctx
  authorize(actor, 'imports.run')
  await db.transaction(async (tx) => {
    const found = await lockImport(tx, actor, id)
    if (!found) throw notFound('import')
    if (found.state !== 'done' && found.state !== 'stopped')
      throw new DomainError('invalid', 'Only an import that has ended can be undone. Stop it first.')
    await moveImport(tx, found, 'undoing')
    await workOn(tx, actor, now, found, found.made)
    await recordSetting(tx, actor, now, {
      type: 'import.undone',
      companyId: actor.companyId,
      subjectId: id,
      name: found.name,
    })
  })
}
