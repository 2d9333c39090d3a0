import { currentTime } from '../../../platform/clock.ts'
import type { Db } from '../../../platform/db.ts'
import { boolean } from '../../../platform/sql/row.ts'
import { type Params, sql, when } from '../../../platform/sql/sql.ts'
import { many, scalar } from '../../../platform/sql/statements.ts'
import { summedDueDate } from '../../billing/invoices/queries.ts'
import { isCounted, takeTimes } from '../../kernel/tenant/clock-queries.ts'
import { type Checked, checkOf, type KeptCount, type WrongCount, wrongCount } from './kept-count.ts'

/** Those that are good only while the tenant's clock says so. */
const clockedCounts: KeptCount[] = [
  { table: 'lead_counts', column: 'leads', records: 'leads', by: ['product_line'] },
  { table: 'project_counts', column: 'projects', records: 'projects', by: ['product_line'] },
]

const checkSums = many(wrongCount, ($: Checked) => {
  const key = sql`company_id, status, currency, due_date`
  const mended = sql`, mended as (
      insert into invoice_sums (installer_id, ${key}, invoices, due, paid)
      select ${$.installerId}, ${key}, invoices, due, paid from wrong order by ${key}
      on conflict (installer_id, ${key}) do update
        set invoices = excluded.invoices, due = excluded.due, paid = excluded.paid
    )`
  return sql`with counted as (
      select company_id, status, currency, ${summedDueDate} as due_date, count(*)::int as invoices,
        sum(amount_due) as due, sum(amount_paid) as paid
      from invoices where installer_id = ${$.installerId} group by 1, 2, 3, 4
    ), wrong as (
      select ${key}, concat_ws(' ', k.invoices, k.due, k.paid) as kept, coalesce(n.invoices, 0) as invoices,
        coalesce(n.due, 0) as due, coalesce(n.paid, 0) as paid
      from counted n full join (select * from invoice_sums where installer_id = ${$.installerId}) k using (${key})
      where (coalesce(k.invoices, 0), coalesce(k.due, 0), coalesce(k.paid, 0))
        <> (coalesce(n.invoices, 0), coalesce(n.due, 0), coalesce(n.paid, 0))
    )${when($.mend, mended)}
    select concat_ws(' ', 'invoice_sums of', ${key}) as what, kept, concat_ws(' ', invoices, due, paid) as counted
    from wrong order by ${key}`
})

const checkPlans = many(wrongCount, ($: Checked) => {
  const mended = sql`, mended as (
      insert into plan_counts (installer_id, company_id, kind, plans)
      select ${$.installerId}, company_id, kind, counted from wrong order by company_id, kind
      on conflict (installer_id, company_id, kind) do update
        set plans = excluded.plans, changes = plan_counts.changes + 1
    )`
  return sql`with counted as (
      select i.company_id, p.kind, count(*)::int as n
      from billing_plans p join installations i on i.installer_id = p.installer_id and i.id = p.installation_id
      where p.installer_id = ${$.installerId} and p.ended_at is null group by 1, 2
    ), wrong as (
      select company_id, kind, coalesce(k.plans, 0) as kept, coalesce(counted.n, 0) as counted
      from counted full join (select * from plan_counts where installer_id = ${$.installerId}) k using (company_id, kind)
      where coalesce(k.plans, 0) <> coalesce(counted.n, 0)
    )${when($.mend, mended)}
    select concat_ws(' ', 'plan_counts of', company_id, kind) as what, kept::text, counted::text from wrong order by 1`
})

export const clockedChecks = [...clockedCounts.map(checkOf), checkSums, checkPlans]
const areCounted = scalar(
  { areCounted: boolean },
  ($: Params<{ installerId: string }>) => sql`select ${isCounted($)} as "areCounted"`,
)

/** As `listWrongCounts` does, of what is good only while the tenant's clock says so: else nobody goes by it, and it is not wrong. */
export async function listWrongClocked(db: Db, installerId: string, mend: boolean): Promise<WrongCount[]> {
  if (!(await areCounted(db, { installerId }))) return []
  const wrong: WrongCount[] = []
  for (const check of clockedChecks) wrong.push(...(await check(db, { installerId, mend })))
  // A replica is compared by the clock.
  if (mend && wrong.length > 0) await takeTimes(db, installerId, currentTime(), 1)
  return wrong
}
