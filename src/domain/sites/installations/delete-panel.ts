import { recordEvents } from '../../journal/events/record-events.ts'
import { type Context, scopeOf } from '../../kernel/context.ts'
import { notFound } from '../../kernel/domain-error.ts'
import { authorize } from '../../kernel/policy.ts'
import { takeTimes } from '../../kernel/tenant/clock-queries.ts'
import { deleteQuarantinedOf } from '../energy/quarantine-queries.ts'
import { installationEvent } from './installation.ts'
import { panelRecord } from './panel.ts'
import { deletePanelRow, findPanel } from './panel-queries.ts'
import { findInstallation } from './queries.ts'

/** Removes a panel for good. What it made stays in its installation's history. */
export async function deletePanel(ctx: Context, id: string): Promise<void> {
  const { actor, db } = ctx
  if (!(await findPanel(db, scopeOf(ctx), id))) throw notFound('panel')
  authorize(actor, 'installations.change')
  await db.transaction(async (tx) => {
    const at = await takeTimes(tx, actor.installerId, ctx.now, 1)
    const found = await findPanel(tx, scopeOf(ctx), id)
    if (!found) throw notFound('panel')
    const { panel, dailyOutputKwh } = found
    const version = panel.version + 1
    const installation = { installerId: actor.installerId, id: panel.installationId }
    const before = (await findInstallation(tx, installation))!
    await deletePanelRow(tx, { ...panel, version, at })
    await deleteQuarantinedOf(tx, actor.installerId, panel.id, panel.installationId)
    const after = (await findInstallation(tx, installation))!
    await recordEvents(tx, actor, at, [
      {
        type: 'panel.deleted',
        companyId: panel.companyId,
        subjectId: panel.id,
        data: { ...panelRecord({ ...panel, updatedAt: at }, dailyOutputKwh), version },
      },
      installationEvent('installation.updated', after, before),
    ])
  })
}
