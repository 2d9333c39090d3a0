import { recordSetting } from '../../journal/audit/record-setting.ts'
import type { Context } from '../../kernel/context.ts'
import { DomainError, notFound } from '../../kernel/domain-error.ts'
import { authorize } from '../../kernel/policy.ts'
import { lockTenant } from '../../kernel/tenant/clock-queries.ts'
import { findSame, forgetProgress, lockImport, moveImport } from './queries.ts'
import { workOn } from './work-on.ts'

interface Start {
  /** For who works on it by themselves until then. */
  heldUntil?: Date
  /** Somebody knows that the same table was imported before, and wants its new leads once more. */
  again?: boolean | undefined
}

/** Lets a checked import run, or one that was stopped go on. */
export async function startImport(
  ctx: Context,
  id: string,
  { heldUntil, again = false }: Start = {},
): Promise<void> {
  const { db, actor, now } = ctx
  authorize(actor, 'imports.run')
  await db.transaction(async (tx) => {
    const found = await lockImport(tx, actor, id)
    if (!found) throw notFound('import')
    // Of two that begin the same table at once, the second sees the first.
    await lockTenant(tx, actor.installerId)
    if (found.state !== 'checked' && found.state !== 'stopped')
      throw new DomainError('invalid', 'Only a file that was checked can be imported. Check it first.')
    if (found.state === 'checked') {
      if (found.made + found.updated === 0)
        throw new DomainError(
          'invalid',
          'Nothing in this file would be made or updated. Mend its rows first.',
        )
      const same = found.made > 0 && !again ? await findSame(tx, found) : null
      if (same)
        throw new DomainError(
          'invalid',
          `The same rows were imported before, as ${same.name} by ${same.actorName}: their leads would be made twice. Say that you want them again, or undo that import first.`,
        )
      await forgetProgress(tx, found)
    }
    await moveImport(tx, found, 'running')
    await workOn(tx, actor, now, found, found.rowsTotal, heldUntil)
    await recordSetting(tx, actor, now, {
      type: 'import.started',
      companyId: actor.companyId,
      subjectId: id,
      name: found.name,
    })
  })
}
