import { recordSetting } from '../audit/record-setting.ts'
import type { Context } from '../context.ts'
import { DomainError, notFound } from '../domain-error.ts'
import { forgetProgress, lockImport, moveImport } from './queries.ts'
import { requireImporter } from './require-importer.ts'

/** Lets a checked import run, or one that was stopped go on. */
export async function startImport(ctx: Context, id: string, claimedUntil: Date = ctx.now): Promise<void> {
  const { db, actor, now } = ctx
  requireImporter(actor)
  await db.transaction(async (tx) => {
    const found = await lockImport(tx, actor, id)
    if (!found) throw notFound('import')
    if (found.state !== 'checked' && found.state !== 'stopped')
      throw new DomainError('invalid', 'Only a file that was checked can be imported. Check it first.')
    if (found.state === 'checked') {
      if (found.made + found.updated === 0)
        throw new DomainError(
          'invalid',
          'Nothing in this file would be made or updated. Mend its rows first.',
        )
      await forgetProgress(tx, found)
    }
    await moveImport(tx, found, 'running', { claimedUntil })
    await recordSetting(tx, actor, now, {
      type: 'import.started',
      companyId: actor.companyId,
      subjectId: id,
      name: found.name,
    })
  })
}
