import { decimal, integer, row, select, text } from '../../../platform/sql/row.ts'
import { type Params, raw, sql, when } from '../../../platform/sql/sql.ts'
import { many, one, run } from '../../../platform/sql/statements.ts'
import type { LongJobId as RunId } from '../../journal/long-jobs/long-job.ts'
import type { Scope } from '../../kernel/context.ts'
import { countUpTo } from '../../kernel/counted.ts'
import type { Decimal } from '../../kernel/money.ts'
import { type RunOutcome, runOutcomes } from './run.ts'

/** The last installation that it has looked at; an empty text where it has not begun. */
export const findProgress = one(
  row<{ reached: string }>({ reached: text }),
  ($: Params<RunId>) => sql`
    select coalesce(max(installation_id), '') as reached from billing_run_outcomes
    where installer_id = ${$.installerId} and run_id = ${$.id}`,
)

/** The plans that a run goes through: all of them, as its progress is told by their number. */
export const countPlansToBill = one(
  row<{ count: number }>({ count: integer }),
  ($: Params<Pick<Scope, 'installerId' | 'companyId'>>) => sql`
    select count(*)::int as count from billing_plans p where p.installer_id = ${$.installerId} and p.ended_at is null
      ${when(
        $.companyId,
        sql`and exists (select from installations i where i.installer_id = ${$.installerId} and i.id = p.installation_id
          and i.company_id = ${$.companyId})`,
      )}`,
)

interface NewOutcome {
  installationId: string
  outcome: RunOutcome
  invoiceId: string | null
  amountDue: Decimal | null
  currency: string
  detail: string | null
}

export const insertOutcome = run(
  ($: Params<NewOutcome & { installerId: string; runId: string }>) => sql`
    insert into billing_run_outcomes (installer_id, run_id, installation_id, outcome, invoice_id, amount_due, currency,
      detail)
    values (${$.installerId}, ${$.runId}, ${$.installationId}, ${$.outcome}, ${$.invoiceId}, ${$.amountDue},
      ${$.currency}, ${$.detail})
    on conflict (installer_id, run_id, installation_id) do nothing`,
)

/** As far as is counted. */
export const countOutcomes = many(
  row<{ outcome: RunOutcome; count: number }>({ outcome: text, count: integer }),
  ($: Params<RunId>) => sql`
    select k.outcome, n.count from unnest(array[${raw(runOutcomes.map((name) => `'${name}'`).join(', '))}]) as k(outcome)
      cross join lateral (select ${countUpTo(sql`from billing_run_outcomes o
        where o.installer_id = ${$.installerId} and o.run_id = ${$.id} and o.outcome = k.outcome
        order by o.installation_id`)} as count) n
    where n.count > 0`,
)

export type OutcomeRow = NewOutcome & { installationName: string }

const outcomeRow = row<OutcomeRow>({
  installationId: text,
  installationName: text,
  outcome: text,
  invoiceId: text,
  amountDue: decimal,
  currency: text,
  detail: text,
})

/** By installation, those after one. */
export const listOutcomes = many(
  outcomeRow,
  ($: Params<RunId & { outcome: RunOutcome | undefined; after: string; limit: number }>) => sql`
    select ${select(outcomeRow, 'o', { installationName: sql`i.name` })}
    from (
      select * from billing_run_outcomes o where o.installer_id = ${$.installerId} and o.run_id = ${$.id}
        and o.installation_id > ${$.after} ${when($.outcome, sql`and o.outcome = ${$.outcome}`)}
      order by o.installation_id limit ${$.limit}
    ) o cross join lateral (
      select s.name from installations s where s.installer_id = ${$.installerId} and s.id = o.installation_id offset 0
    ) i order by o.installation_id`,
)
