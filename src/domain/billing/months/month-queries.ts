import type { Db, Statement } from '../../../platform/db.ts'
import type { Decimal } from '../../kernel/money.ts'
import type { Invoice } from '../invoices/invoice.ts'
import { invoiceColumns } from '../invoices/queries.ts'
import type { BillAs, BillingPlan } from '../plans/plan.ts'
import type { BilledEnergy, Drift } from './compose-month.ts'

type Key = Pick<BillingPlan, 'installerId' | 'installationId'>

const energyStatement: Statement = {
  name: 'energy-of-days',
  text: `select day, microkwh from installation_days
    where installer_id = $1 and installation_id = $2 and day between $3 and $4 and readings > 0`,
}

/** Millionths of a kWh by day, of the days that have readings. */
export async function energyOfDays(
  db: Db,
  { installerId, installationId }: Key,
  firstDay: string,
  lastDay: string,
): Promise<Map<string, number>> {
  const rows = await db.query<{ day: string; microkwh: number }>(energyStatement, [
    installerId,
    installationId,
    firstDay,
    lastDay,
  ])
  return new Map(rows.map(({ day, microkwh }) => [day, microkwh]))
}

// A voided invoice bills nothing any more, so what it trued up is due again; a draft of another month counts.
const driftStatement: Statement = {
  name: 'billed-energy-drifts',
  text: `with billed as (
      select b.first_day, b.last_day, b.rate,
        (select coalesce(sum(d.microkwh), 0)::bigint from installation_days d
          where d.installer_id = $1 and d.installation_id = $2 and d.day between b.first_day and b.last_day) as measured,
        (select coalesce(sum(e.microkwh), 0)::bigint from billed_energy e
          join invoices x on x.installer_id = e.installer_id and x.id = e.invoice_id
          where e.installer_id = $1 and e.installation_id = $2 and e.first_day = b.first_day and e.last_day = b.last_day
            and x.status <> 'void' and x.currency = $3 and x.id <> $4) as billed,
        (select coalesce(sum(e.estimated_microkwh), 0)::bigint from billed_energy e
          join invoices x on x.installer_id = e.installer_id and x.id = e.invoice_id
          where e.installer_id = $1 and e.installation_id = $2 and e.first_day = b.first_day and e.last_day = b.last_day
            and x.status <> 'void' and x.currency = $3 and x.id <> $4) as estimated
      from billed_energy b join invoices i on i.installer_id = b.installer_id and i.id = b.invoice_id
      where b.installer_id = $1 and b.installation_id = $2 and not b.true_up and i.status in ('open', 'paid')
        and i.currency = $3
    )
    select first_day as "firstDay", last_day as "lastDay", rate, measured, billed, estimated from billed
    where measured <> billed or estimated <> 0 order by first_day`,
}

/** Days of finalised invoices whose energy is not what was billed; what `without` trues up is not counted. */
export function listDrifts(
  db: Db,
  { installerId, installationId }: Key,
  currency: string,
  without: string,
): Promise<Drift[]> {
  return db.query<Drift>(driftStatement, [installerId, installationId, currency, without])
}

const balanceStatement: Statement = {
  name: 'invoice-credit-balance',
  text: `select coalesce(sum(carry_out - carry_in), 0) as balance from invoices
    where installer_id = $1 and installation_id = $2 and currency = $3 and status <> 'void' and id <> $4`,
}

/** The credit that the installation's invoices left over and none took, without one of them. */
export async function creditBalance(
  db: Db,
  { installerId, installationId }: Key,
  currency: string,
  without: string,
): Promise<Decimal> {
  const [row] = await db.query<{ balance: Decimal }>(balanceStatement, [
    installerId,
    installationId,
    currency,
    without,
  ])
  return row!.balance
}

const monthStatement: Statement = {
  name: 'find-invoice-of-month',
  text: `select ${invoiceColumns} from invoices i
    where i.installer_id = $1 and i.installation_id = $2 and i.billing_month = $3 and i.status <> 'void'`,
}

/** The invoice that bills a month, where there is one that is not void. */
export async function findInvoiceOfMonth(
  db: Db,
  { installerId, installationId }: Key,
  month: string,
): Promise<Invoice | null> {
  const [row] = await db.query<Invoice>(monthStatement, [installerId, installationId, month])
  return row ?? null
}

interface MonthState {
  month: string
  state: 'held' | 'drafted' | 'released'
  reason: string | null
  /** What somebody decided about it, while it was held. */
  billAs: BillAs | null
  /** It has a draft that nobody changed by hand. */
  open: boolean
}

const statesStatement: Statement = {
  name: 'list-month-states',
  text: `select m.month, m.state, m.reason, m.bill_as as "billAs", i.id is not null as open from billing_months m
    left join invoices i on i.installer_id = m.installer_id and i.installation_id = m.installation_id
      and i.billing_month = m.month and i.status = 'draft' and not i.edited
    where m.installer_id = $1 and m.installation_id = $2 order by m.month`,
}

/** The months of an installation that a run has looked at. */
export function listMonthStates(db: Db, { installerId, installationId }: Key): Promise<MonthState[]> {
  return db.query<MonthState>(statesStatement, [installerId, installationId])
}

const findStateStatement: Statement = {
  name: 'find-month-state',
  text: `select month, state, reason, bill_as as "billAs" from billing_months
    where installer_id = $1 and installation_id = $2 and month = $3`,
}

/** What has become of a month; null where no run has looked at it. */
export async function findMonthState(
  db: Db,
  { installerId, installationId }: Key,
  month: string,
): Promise<Omit<MonthState, 'open'> | null> {
  const values = [installerId, installationId, month]
  const [row] = await db.query<Omit<MonthState, 'open'>>(findStateStatement, values)
  return row ?? null
}

const decideStatement: Statement = {
  name: 'decide-month-state',
  text: `update billing_months set bill_as = $4, decided_by = $5, decided_at = $6
    where installer_id = $1 and installation_id = $2 and month = $3`,
}

/** Notes how a month that is held is to be billed all the same. */
export async function decideMonthState(
  tx: Db,
  { installerId, installationId }: Key,
  month: string,
  as: BillAs,
  by: string,
  at: Date,
): Promise<void> {
  await tx.query(decideStatement, [installerId, installationId, month, as, by, at])
}

const stateStatement: Statement = {
  name: 'set-month-state',
  text: `insert into billing_months (installer_id, installation_id, month, state, reason, at)
    values ($1, $2, $3, $4, $5, $6)
    on conflict (installer_id, installation_id, month)
      do update set state = excluded.state, reason = excluded.reason, at = excluded.at`,
}

export async function setMonthState(
  tx: Db,
  { installerId, installationId }: Key,
  { month, state, reason }: Omit<MonthState, 'open' | 'billAs'>,
  at: Date,
): Promise<void> {
  await tx.query(stateStatement, [installerId, installationId, month, state, reason, at])
}

const forgetStatement: Statement = {
  name: 'forget-month',
  text: 'delete from billing_months where installer_id = $1 and installation_id = $2 and month = $3',
}

/** As if no run had looked at it. */
export async function forgetMonth(
  tx: Db,
  { installerId, installationId }: Key,
  month: string,
): Promise<void> {
  await tx.query(forgetStatement, [installerId, installationId, month])
}

/** Says that the month of an invoice that is no more may be drafted anew, when it is asked for. */
export async function releaseMonth(tx: Db, invoice: Invoice, reason: string, at: Date): Promise<void> {
  const { installerId, installationId, billingMonth: month } = invoice
  if (installationId === null || month === null) return
  await setMonthState(tx, { installerId, installationId }, { month, state: 'released', reason }, at)
}

const clearEnergyStatement: Statement = {
  name: 'clear-billed-energy',
  text: 'delete from billed_energy where installer_id = $1 and invoice_id = $2',
}

const insertEnergyStatement: Statement = {
  name: 'insert-billed-energy',
  text: `insert into billed_energy (installer_id, invoice_id, installation_id, first_day, last_day, true_up, rate, microkwh,
      estimated_microkwh)
    select $1, $2, $3, e."firstDay", e."lastDay", e."trueUp", e.rate, e.microkwh, e."estimatedMicrokwh"
    from json_to_recordset($4) as e("firstDay" date, "lastDay" date, "trueUp" boolean, rate numeric, microkwh bigint,
      "estimatedMicrokwh" bigint)`,
}

/** Writes down which energy a draft bills, in place of what was written before. */
export async function replaceBilledEnergy(
  tx: Db,
  { installerId, id, installationId }: Invoice,
  energy: readonly BilledEnergy[],
): Promise<void> {
  await tx.query(clearEnergyStatement, [installerId, id])
  if (energy.length > 0) {
    await tx.query(insertEnergyStatement, [installerId, id, installationId, JSON.stringify(energy)])
  }
}
