import type { Db } from '../../../platform/db.ts'
import { isId } from '../../../platform/ids.ts'
import { day, decimal, instant, integer, row, select, text } from '../../../platform/sql/row.ts'
import { type Params, sql, when } from '../../../platform/sql/sql.ts'
import { many, maybeOne, one, run } from '../../../platform/sql/statements.ts'
import type { Scope } from '../../kernel/context.ts'
import type { Decimal } from '../../kernel/money.ts'
import type { BillingRun, RunOutcome } from './run.ts'

type RunId = Pick<BillingRun, 'installerId' | 'id'>
type RecordScope = Pick<Scope, 'installerId' | 'companyId'>

const billingRun = row<BillingRun>({
  installerId: text,
  id: text,
  companyId: text,
  month: day,
  state: text,
  plans: integer,
  actorName: text,
  createdAt: instant,
  endedAt: instant,
})
const columns = select(billingRun, 'r')

/** Null where one of the company's is under way. */
export const insertRun = maybeOne(
  row<{ id: string }>({ id: text }),
  ($: Params<BillingRun & { actorId: string | null }>) => sql`
    insert into billing_runs (installer_id, id, company_id, month, state, plans, actor_id, actor_name, claimed_until,
      created_at)
    values (${$.installerId}, ${$.id}, ${$.companyId}, ${$.month}, 'running', ${$.plans}, ${$.actorId}, ${$.actorName},
      ${$.createdAt}, ${$.createdAt})
    on conflict (installer_id, company_id) where state = 'running' do nothing returning id`,
)

export const findRunUnderWay = maybeOne(
  billingRun,
  ($: Params<{ installerId: string; companyId: string }>) => sql`
    select ${columns} from billing_runs r
    where r.installer_id = ${$.installerId} and r.company_id = ${$.companyId} and r.state = 'running'`,
)

/** Takes up one that nobody works on, of any tenant. */
export const claimRun = maybeOne(
  billingRun,
  ($: Params<{ now: Date; until: Date }>) => sql`
    update billing_runs r set claimed_until = ${$.until} where (r.installer_id, r.id) = (
      select installer_id, id from billing_runs where state = 'running' and claimed_until <= ${$.now}
      order by claimed_until limit 1 for update skip locked
    ) returning ${columns}`,
  { across: 'whose run has waited longest is worked on next' },
)

export const keepRun = run(
  ($: Params<RunId & { until: Date }>) => sql`
    update billing_runs set claimed_until = ${$.until}
    where installer_id = ${$.installerId} and id = ${$.id} and state = 'running'`,
)

export const endRun = run(
  ($: Params<RunId & { at: Date }>) => sql`
    update billing_runs set state = 'done', ended_at = ${$.at}
    where installer_id = ${$.installerId} and id = ${$.id} and state = 'running'`,
)

/** The last installation that it has looked at; an empty text where it has not begun. */
export const findProgress = one(
  row<{ reached: string }>({ reached: text }),
  ($: Params<RunId>) => sql`
    select coalesce(max(installation_id), '') as reached from billing_run_outcomes
    where installer_id = ${$.installerId} and run_id = ${$.id}`,
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

const isSeen = ($: Params<RecordScope>) =>
  sql`r.installer_id = ${$.installerId} and (${$.companyId}::text is null or r.company_id = ${$.companyId})`

const runById = maybeOne(
  billingRun,
  ($: Params<RecordScope & { id: string }>) => sql`
    select ${columns} from billing_runs r where ${isSeen($)} and r.id = ${$.id}`,
)

export async function findRun(db: Db, scope: RecordScope, id: string): Promise<BillingRun | null> {
  return isId(id, 'brun') ? runById(db, { ...scope, id }) : null
}

/** The last ones, the newest first. */
export const listRuns = many(
  billingRun,
  ($: Params<RecordScope & { limit: number }>) => sql`
    select ${columns} from billing_runs r where ${isSeen($)} order by r.id desc limit ${$.limit}`,
)

export const countOutcomes = many(
  row<{ outcome: RunOutcome; count: number }>({ outcome: text, count: integer }),
  ($: Params<RunId>) => sql`
    select outcome, count(*)::int as count from billing_run_outcomes
    where installer_id = ${$.installerId} and run_id = ${$.id} group by outcome`,
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
