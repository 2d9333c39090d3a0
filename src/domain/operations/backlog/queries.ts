import type { Db } from '../../../platform/db.ts'
import { folded } from '../../../platform/sql/gather.ts'
import { instant, integer, row, select, text } from '../../../platform/sql/row.ts'
import { sql } from '../../../platform/sql/sql.ts'
import { many, one } from '../../../platform/sql/statements.ts'
import { isForWebhook } from '../../delivery/webhooks/log-queries.ts'

const across = 'whoever runs the server watches over the work of all'

interface QueueBacklog {
  task: string
  ready: number
  running: number
  later: number
  /** When the first of the ready ones was due. */
  dueSince: Date | null
}

const queueBacklog = row<QueueBacklog>({
  task: text,
  ready: integer,
  running: integer,
  later: integer,
  dueSince: instant,
})

/** Counted up to 100,000: more would cost more than it tells. */
const countQueue = many(
  queueBacklog,
  () => sql`
    select task_identifier as task, (count(*) filter (where is_ready))::int as ready,
      (count(*) filter (where locked_at is not null))::int as running,
      (count(*) filter (where locked_at is null and not is_ready))::int as later,
      min(run_at) filter (where is_ready) as "dueSince"
    from (select task_identifier, locked_at, run_at, locked_at is null and run_at <= now() as is_ready
      from graphile_worker.jobs limit 100000) jobs
    group by task_identifier`,
)

interface WebhookBacklog {
  /** Enabled ones whose last call failed. */
  failing: number
  /** Deliveries that failed and are tried again. */
  retrying: number
  /** When the first event happened of which an endpoint in working order has not been told. */
  waitingSince: Date | null
}

const countWebhooks = one(
  row<WebhookBacklog>({ failing: integer, retrying: integer, waitingSince: instant }),
  () => sql`
    select (count(*) filter (where w.failing_since is not null))::int as failing,
      (select count(*)::int from (select from webhook_deliveries d where d.state = 'due' limit 100000) due) as retrying,
      min(first.event_at) filter (where w.failing_since is null) as "waitingSince"
    from webhooks w left join lateral (
      select m.event_at from webhook_messages m
      where m.installer_id = w.installer_id and m.number > w.place and ${isForWebhook} order by m.number limit 1
    ) first on true
    where w.status = 'enabled'`,
  { across, gather: folded({ failing: 'sum', retrying: 'sum', waitingSince: 'least' }) },
)

interface LongJobBacklog {
  kind: string
  waiting: number
  running: number
  /** Whose last piece failed. */
  failing: number
  oldest: Date
}

const longJobBacklog = row<LongJobBacklog>({
  kind: text,
  waiting: integer,
  running: integer,
  failing: integer,
  oldest: instant,
})

const countLongJobs = many(
  longJobBacklog,
  () => sql`
    select ${select(longJobBacklog, 'j', {
      waiting: sql`(count(*) filter (where not j.handed_over))::int`,
      running: sql`(count(*) filter (where j.handed_over))::int`,
      failing: sql`(count(*) filter (where j.attempts > 0))::int`,
      oldest: sql`min(j.created_at)`,
    })}
    from long_jobs j where j.state = 'running' group by j.kind`,
  { across, gather: folded({ waiting: 'sum', running: 'sum', failing: 'sum', oldest: 'least' }, 'kind') },
)

/** All that waits to be done, whoever asked for it. */
export async function countBacklog(db: Db) {
  const [queue, webhooks, longJobs] = await Promise.all([
    countQueue(db, {}),
    countWebhooks(db, {}),
    countLongJobs(db, {}),
  ])
  return { queue, webhooks, longJobs }
}
