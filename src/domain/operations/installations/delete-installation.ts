import type { Db } from '../../../platform/db.ts'
import { endPlan, findPlan } from '../../billing/plans/plan-queries.ts'
import { type Attempt, commitChange, runLockedChange } from '../../deals/changes/commit-change.ts'
import { findProjectDeal } from '../../deals/changes/deal.ts'
import { recordSetting } from '../../journal/audit/record-setting.ts'
import { recordEvents } from '../../journal/events/record-events.ts'
import { type Context, scopeOf } from '../../kernel/context.ts'
import { notFound } from '../../kernel/domain-error.ts'
import { authorize } from '../../kernel/policy.ts'
import { takeTimes } from '../../kernel/tenant/clock-queries.ts'
import type { Alert } from '../../sites/alerts/alert.ts'
import { alertEvent } from '../../sites/alerts/find-alerts.ts'
import { listAlertsOf, writeAlerts } from '../../sites/alerts/queries.ts'
import { deleteQuarantinedAt } from '../../sites/energy/quarantine-queries.ts'
import { type Installation, installationEvent } from '../../sites/installations/installation.ts'
import { panelRecord } from '../../sites/installations/panel.ts'
import { listPanelsOf } from '../../sites/installations/panel-queries.ts'
import { findReachedInstallation } from '../../sites/installations/queries.ts'
import { deleteInstallationRows } from './queries.ts'

/** There may be very many panels. */
const atOnce = 1_000

/**
 * Removes an installation for good, with its panels. What it made stays in the account's history, and its invoices and
 * drafts stay. Its alerts are over, and its billing ends with this day, as if its plan had been removed. The project that
 * became it is one without an installation again.
 */
export async function deleteInstallation(ctx: Context, id: string): Promise<void> {
  const { actor } = ctx
  if (!(await findReachedInstallation(ctx.db, scopeOf(ctx), id))) throw notFound('installation')
  authorize(actor, 'installations.change')
  await runLockedChange(ctx, async (attempt) => {
    const tx = attempt.db
    const installation = await findReachedInstallation(tx, scopeOf(ctx), id)
    if (!installation) throw notFound('installation')
    await resolveAlerts(tx, ctx, installation)
    await endBilling(tx, ctx, installation)
    await tellOfPanels(tx, ctx, installation)
    const at = await takeTimes(tx, actor.installerId, ctx.now, 1)
    await deleteInstallationRows(tx, { ...installation, at })
    await deleteQuarantinedAt(tx, actor.installerId, id)
    const gone = { ...installation, version: installation.version + 1, updatedAt: at }
    await recordEvents(tx, actor, at, [installationEvent('installation.deleted', gone)])
    if (installation.projectId !== null) await releaseProject(ctx, attempt, installation.projectId)
  })
}

async function resolveAlerts(
  tx: Db,
  { actor, now }: Context,
  { installerId, id }: Installation,
): Promise<void> {
  const found = await listAlertsOf(tx, { installerId, installationIds: [id], resolvedAfter: now })
  const open = found.filter(({ status }) => status !== 'resolved')
  for (let i = 0; i < open.length; i += atOnce) {
    const before = open.slice(i, i + atOnce)
    const at = await takeTimes(tx, installerId, now, 1)
    const after = before.map(
      (alert): Alert => ({
        ...alert,
        status: 'resolved',
        resolvedAt: at,
        updatedAt: at,
        version: alert.version + 1,
      }),
    )
    await writeAlerts(tx, installerId, { changed: after })
    const events = after.map((alert, j) => alertEvent('alert.resolved', alert, before[j]))
    await recordEvents(tx, actor, at, events)
  }
}

async function endBilling(tx: Db, { actor, now }: Context, installation: Installation): Promise<void> {
  const { installerId, id, companyId, name } = installation
  const plan = await findPlan(tx, { installerId, installationId: id })
  if (!plan) return
  authorize(actor, 'billing.plan')
  await endPlan(tx, { ...plan, at: now })
  await recordSetting(tx, actor, now, { type: 'plan.ended', companyId, subjectId: id, name })
}

/** Of each as it is before it goes. */
async function tellOfPanels(tx: Db, ctx: Context, { installerId, id }: Installation): Promise<void> {
  for (let after = ''; ; ) {
    const panels = await listPanelsOf(tx, { installerId, installationId: id, after, limit: atOnce })
    const at = await takeTimes(tx, installerId, ctx.now, 1)
    await recordEvents(
      tx,
      ctx.actor,
      at,
      panels.map(({ dailyOutputKwh, ...panel }) => ({
        type: 'panel.deleted',
        companyId: panel.companyId,
        subjectId: panel.id,
        data: {
          ...panelRecord({ ...panel, updatedAt: at }, dailyOutputKwh),
          version: panel.version + 1,
        },
      })),
    )
    if (panels.length < atOnce) return
    after = panels.at(-1)!.id
  }
}

async function releaseProject(ctx: Context, attempt: Attempt, projectId: string): Promise<void> {
  const scope = { installerId: ctx.actor.installerId, companyId: null, productLine: null }
  const before = await findProjectDeal(attempt.db, scope, projectId)
  if (!before) return
  const project = { ...before.project, installationId: null }
  const changes: Record<string, [unknown, unknown]> = { installation: [before.project.installationId, null] }
  await commitChange(
    ctx,
    attempt,
    before,
    { ...before, project },
    { activities: [], events: [{ type: 'project.updated', subjectId: project.id, changes }] },
  )
}
