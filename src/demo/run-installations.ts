import { finalizeInvoice } from '../domain/billing/invoices/finalize-invoice.ts'
import { voidInvoice } from '../domain/billing/invoices/void-invoice.ts'
import { payInvoice } from '../domain/billing/payments/pay-invoice.ts'
import { setPlan } from '../domain/billing/plans/set-plan.ts'
import { runMonth } from '../domain/billing/runs/run-month.ts'
import type { Context } from '../domain/kernel/context.ts'
import { findAlerts } from '../domain/sites/alerts/find-alerts.ts'
import { acknowledgeAlert } from '../domain/sites/alerts/handle-alert.ts'
import { takeReadings } from '../domain/sites/energy/take-readings.ts'
import { createInstallation } from '../domain/sites/installations/create-installation.ts'
import { createPanel } from '../domain/sites/installations/create-panel.ts'
import {
  type DemoInstallation,
  type Ending,
  findingDaysAgo,
  firstBilled,
  historyDays,
  panelsEach,
} from './installations.ts'
import { analyzeDays } from './queries.ts'
import { produce } from './sunshine.ts'

const [hourMs, dayMs] = [3_600_000, 86_400_000]
const readingsAtOnce = 10_000

/** Registers an installation with its panels, its plan and everything they have made until today. */
export async function registerInstallation(
  ctx: Context,
  installation: DemoInstallation,
  today: Date,
): Promise<void> {
  const { id: installationId } = await createInstallation(ctx, {
    name: installation.name,
    address: installation.address,
    region: installation.region,
  })
  const panelIds: string[] = []
  for (let i = 0; i < panelsEach; i++) {
    const panel = { name: `Panel ${i + 1}`, capacityKw: installation.panelKw, installationId }
    panelIds.push((await createPanel(ctx, panel)).id)
  }
  if (installation.plan) {
    const startDate = firstBilled(today)
    const customer = { name: installation.customer, email: null, address: installation.address }
    await setPlan(ctx, installationId, { ...installation.plan, startDate, customer })
  }
  await measure({ ...ctx, now: today }, installation, panelIds)
}

/** A time in every month that has readings. */
export function monthsMeasured(today: Date): number[] {
  return Array.from({ length: historyDays + 2 }, (_, i) => today.getTime() - i * dayMs)
}

async function measure(
  ctx: Context,
  installation: DemoInstallation,
  panelIds: readonly string[],
): Promise<void> {
  const fromMs = Math.floor(ctx.now.getTime() / hourMs) * hourMs - historyDays * dayMs
  const made = produce(
    installation,
    Array(panelsEach).fill(installation.panelKw),
    installation.faults,
    fromMs,
    ctx.now.getTime(),
  )
  let readings: object[] = []
  let first = true
  const send = async () => {
    await takeReadings(ctx, readings)
    readings = []
    if (first) await analyzeDays(ctx.db)
    first = false
  }
  for (const [panel, hours] of made.entries()) {
    for (const [hour, microkwh] of hours.entries()) {
      if (microkwh === null) continue
      const timestamp = new Date(fromMs + hour * hourMs).toISOString()
      readings.push({ panel_id: panelIds[panel], timestamp, kwh: microkwh / 1e6 })
      if (readings.length === readingsAtOnce) await send()
    }
  }
  await send()
}

/** Bills a month of every plan and brings each invoice to its end. */
export async function billMonth(ctx: Context, month: string, endings: readonly Ending[]): Promise<void> {
  const { db, now, actor } = ctx
  const outcomes = await runMonth(db, now, { month, installer: actor.installerId })
  const drafted = outcomes.flatMap(({ invoiceId }) => invoiceId ?? [])
  for (const [i, id] of drafted.entries()) {
    const ending = endings[i % endings.length]!
    if (ending === 'draft') continue
    await finalizeInvoice(ctx, id)
    if (ending === 'paid') await payInvoice(ctx, id)
    if (ending === 'void') await voidInvoice(ctx, id)
  }
}

/** Finds what was wrong at several times of the past and is wrong now; of what is, the first is looked after. */
export async function findFaults(ctx: Context): Promise<void> {
  const { db, now, actor } = ctx
  let open: { id: string }[] = []
  for (const daysAgo of findingDaysAgo) {
    const { opened } = await findAlerts(db, actor.installerId, new Date(now.getTime() - daysAgo * dayMs))
    open = opened
  }
  const [first] = open
  if (first) await acknowledgeAlert(ctx, first.id)
}
