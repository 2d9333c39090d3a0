import type { Db } from '../../../platform/db.ts'
import { day, decimal, integer, row, select, text } from '../../../platform/sql/row.ts'
import { type Params, sql } from '../../../platform/sql/sql.ts'
import { many, maybeOne, one, run } from '../../../platform/sql/statements.ts'
import type { Decimal } from '../../kernel/money.ts'
import type { Invoice } from '../invoices/invoice.ts'
import { invoiceRow, invoiceSelection } from '../invoices/queries.ts'
import type { BillAs, BillingPlan } from '../plans/plan.ts'
import type { BilledEnergy, Drift } from './compose-month.ts'

type Key = Pick<BillingPlan, 'installerId' | 'installationId'>
type MonthKey = Key & { month: string }

const madeOnDays = many(
  row<{ day: string; microkwh: number }>({ day, microkwh: integer }),
  ($: Params<Key & { firstDay: string; lastDay: string }>) => sql`select day, microkwh from installation_days
    where installer_id = ${$.installerId} and installation_id = ${$.installationId}
      and day between ${$.firstDay} and ${$.lastDay} and readings > 0`,
)

/** Millionths of a kWh by day, of the days that have readings. */
export async function energyOfDays(
  db: Db,
  { installerId, installationId }: Key,
  firstDay: string,
  lastDay: string,
): Promise<Map<string, number>> {
  const days = await madeOnDays(db, { installerId, installationId, firstDay, lastDay })
  return new Map(days.map(({ day, microkwh }) => [day, microkwh]))
}

/** `without` is an invoice that is not counted. */
type Unsettled = Key & { currency: string; without: string }

const drift = row<Drift>({
  firstDay: day,
  lastDay: day,
  rate: decimal,
  measured: integer,
  billed: integer,
  estimated: integer,
})

/**
 * Days of finalised invoices whose energy is not what was billed. A voided invoice bills nothing any more, so what it
 * trued up is due again; a draft of another month counts.
 */
export const listDrifts = many(drift, ($: Params<Unsettled>) => {
  const counted = sql`from billed_energy e join invoices x on x.installer_id = e.installer_id and x.id = e.invoice_id
          where e.installer_id = ${$.installerId} and e.installation_id = ${$.installationId}
            and e.first_day = b.first_day and e.last_day = b.last_day
            and x.status <> 'void' and x.currency = ${$.currency} and x.id <> ${$.without}`
  return sql`with billed as (
      select b.first_day, b.last_day, b.rate,
        (select coalesce(sum(d.microkwh), 0)::bigint from installation_days d
          where d.installer_id = ${$.installerId} and d.installation_id = ${$.installationId}
            and d.day between b.first_day and b.last_day) as measured,
        (select coalesce(sum(e.microkwh), 0)::bigint ${counted}) as billed,
        (select coalesce(sum(e.estimated_microkwh), 0)::bigint ${counted}) as estimated
      from billed_energy b join invoices i on i.installer_id = b.installer_id and i.id = b.invoice_id
      where b.installer_id = ${$.installerId} and b.installation_id = ${$.installationId} and not b.true_up
        and i.status in ('open', 'paid') and i.currency = ${$.currency}
    )
    select ${select(drift)} from billed where measured <> billed or estimated <> 0 order by first_day`
})

/** The credit that the installation's invoices left over and none took. */
export const findCreditBalance = one(
  row<{ balance: Decimal }>({ balance: decimal }),
  ($: Params<Unsettled>) => sql`select coalesce(sum(carry_out - carry_in), 0) as balance from invoices
    where installer_id = ${$.installerId} and installation_id = ${$.installationId} and currency = ${$.currency}
      and status <> 'void' and id <> ${$.without}`,
)

/** The invoice that bills a month, where there is one that is not void. */
export const findInvoiceOfMonth = maybeOne(
  invoiceRow,
  ($: Params<MonthKey>) => sql`select ${invoiceSelection} from invoices i
    where i.installer_id = ${$.installerId} and i.installation_id = ${$.installationId}
      and i.billing_month = ${$.month} and i.status <> 'void'`,
)

interface MonthState {
  month: string
  state: 'held' | 'drafted' | 'released'
  reason: string | null
  /** What somebody decided about it, while it was held. */
  billAs: BillAs | null
}

const monthState = row<MonthState>({ month: day, state: text, reason: text, billAs: text })

/** What has become of a month; null where no run has looked at it. */
export const findMonthState = maybeOne(
  monthState,
  ($: Params<MonthKey>) => sql`select ${select(monthState)} from billing_months
    where installer_id = ${$.installerId} and installation_id = ${$.installationId} and month = ${$.month}`,
)

/** Notes how a month that is held is to be billed all the same. */
export const decideMonthState = run(
  ($: Params<MonthKey & { billAs: BillAs; by: string; at: Date }>) => sql`
    update billing_months set bill_as = ${$.billAs}, decided_by = ${$.by}, decided_at = ${$.at}
    where installer_id = ${$.installerId} and installation_id = ${$.installationId} and month = ${$.month}`,
)

export const setMonthState = run(
  ($: Params<Key & Omit<MonthState, 'billAs'> & { at: Date }>) => sql`
    insert into billing_months (installer_id, installation_id, month, state, reason, at)
    values (${$.installerId}, ${$.installationId}, ${$.month}, ${$.state}, ${$.reason}, ${$.at})
    on conflict (installer_id, installation_id, month)
      do update set state = excluded.state, reason = excluded.reason, at = excluded.at`,
)

/** As if no run had looked at it. */
export const deleteMonthState = run(
  ($: Params<MonthKey>) => sql`delete from billing_months
    where installer_id = ${$.installerId} and installation_id = ${$.installationId} and month = ${$.month}`,
)

/** Says that the month of an invoice that is no more may be drafted again, when it is asked for. */
export async function releaseMonth(tx: Db, invoice: Invoice, reason: string, at: Date): Promise<void> {
  const { installerId, installationId, billingMonth: month } = invoice
  if (installationId === null || month === null) return
  await setMonthState(tx, { installerId, installationId, month, state: 'released', reason, at })
}

const deleteBilledEnergy = run(
  ($: Params<Pick<Invoice, 'installerId' | 'id'>>) => sql`delete from billed_energy
    where installer_id = ${$.installerId} and invoice_id = ${$.id}`,
)

const insertBilledEnergy = run(
  ($: Params<Pick<Invoice, 'installerId' | 'id' | 'installationId'> & { energy: string }>) => sql`
    insert into billed_energy (installer_id, invoice_id, installation_id, first_day, last_day, true_up, rate, microkwh,
      estimated_microkwh)
    select ${$.installerId}, ${$.id}, ${$.installationId}, e."firstDay", e."lastDay", e."trueUp", e.rate, e.microkwh,
      e."estimatedMicrokwh"
    from json_to_recordset(${$.energy}) as e("firstDay" date, "lastDay" date, "trueUp" boolean, rate numeric,
      microkwh bigint, "estimatedMicrokwh" bigint)`,
)

/** Writes down which energy a draft bills, in place of what was written before. */
export async function replaceBilledEnergy(
  tx: Db,
  { installerId, id, installationId }: Invoice,
  energy: readonly BilledEnergy[],
): Promise<void> {
  await deleteBilledEnergy(tx, { installerId, id })
  if (energy.length > 0)
    await insertBilledEnergy(tx, { installerId, id, installationId, energy: JSON.stringify(energy) })
}
