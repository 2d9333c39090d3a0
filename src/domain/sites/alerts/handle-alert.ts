import type { Db } from '../../../platform/db.ts'
import { recordEvents } from '../../journal/events/record-events.ts'
import { type Context, scopeOf } from '../../kernel/context.ts'
import { DomainError, notFound } from '../../kernel/domain-error.ts'
import { authorize } from '../../kernel/policy.ts'
import { takeTimes } from '../../kernel/tenant/clock-queries.ts'
import { type Alert, type AlertRecord, type AlertStatus, alertRecord } from './alert.ts'
import { alertEvent } from './find-alerts.ts'
import { findAlert, writeAlerts } from './queries.ts'

/** Somebody has seen it and looks after it: also who is on the project and goes there. */
export function acknowledgeAlert(ctx: Context, id: string): Promise<AlertRecord> {
  return updateAlert(ctx, id, ['active'], 'acknowledged', (alert, at) => ({
    ...alert,
    status: 'acknowledged',
    acknowledgedAt: at,
  }))
}

/** Somebody says that it is mended. If it is not, what is measured from now on opens another. */
export function resolveAlert(ctx: Context, id: string): Promise<AlertRecord> {
  return updateAlert(ctx, id, ['active', 'acknowledged'], 'resolved', (alert, at) => ({
    ...alert,
    status: 'resolved',
    resolvedAt: at,
  }))
}

async function updateAlert(
  ctx: Context,
  id: string,
  from: readonly AlertStatus[],
  to: 'acknowledged' | 'resolved',
  changed: (alert: Alert, at: Date) => Alert,
): Promise<AlertRecord> {
  const { actor, db } = ctx
  const read = async (source: Db) => {
    const alert = await findAlert(source, scopeOf(ctx), id)
    if (!alert) throw notFound('alert')
    authorize(actor, to === 'resolved' ? 'alerts.resolve' : 'alerts.acknowledge')
    if (from.includes(alert.status)) return alert
    throw new DomainError(
      'invalid',
      `The alert is ${alert.status}. Only ${from.map((status) => `an ${status}`).join(' or ')} alert can be ${to}.`,
    )
  }
  await read(db)
  return db.transaction(async (tx) => {
    // Also the tenant's lock: what is read now stays so until it is written.
    const at = await takeTimes(tx, actor.installerId, ctx.now, 1)
    const before = await read(tx)
    const after = { ...changed(before, at), version: before.version + 1, updatedAt: at }
    await writeAlerts(tx, actor.installerId, { changed: [after] })
    await recordEvents(tx, actor, at, [alertEvent(`alert.${to}`, after, before)])
    return alertRecord(after)
  })
}
