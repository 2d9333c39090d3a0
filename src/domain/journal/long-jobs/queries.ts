import { folded, inOrder } from '../../../platform/sql/gather.ts'
import { instant, integer, json, row, select, text } from '../../../platform/sql/row.ts'
import { type Params, sql, when } from '../../../platform/sql/sql.ts'
import { exists, many, maybeOne, maybeScalar, run, scalar } from '../../../platform/sql/statements.ts'
import type { LongJob, LongJobId } from './long-job.ts'

const longJob = row<LongJob>({
  installerId: text,
  id: text,
  companyId: text,
  kind: text,
  subjectId: text,
  input: json,
  state: text,
  total: integer,
  done: integer,
  failure: text,
  attempts: integer,
  actorKind: text,
  actorId: text,
  actorName: text,
  actorCompanyId: text,
  createdAt: instant,
  endedAt: instant,
})
const columns = select(longJob)

type OfSubject = Pick<LongJob, 'installerId' | 'kind' | 'subjectId'>
type NewLongJob = Omit<LongJob, 'input' | 'state' | 'done' | 'failure' | 'attempts' | 'endedAt'>

const isIt = ($: Params<LongJobId>) => sql`installer_id = ${$.installerId} and id = ${$.id}`
const isOfSubject = ($: Params<OfSubject>) =>
  sql`installer_id = ${$.installerId} and kind = ${$.kind} and subject_id = ${$.subjectId}`

/** Null where one of the kind runs for the record already. `input` as JSON. */
export const insertLongJob = maybeOne(
  longJob,
  ($: Params<NewLongJob & { input: string; notBefore: Date | null }>) => sql`
    insert into long_jobs (installer_id, id, company_id, kind, subject_id, input, state, total, not_before, actor_kind,
      actor_id, actor_name, actor_company_id, created_at)
    values (${$.installerId}, ${$.id}, ${$.companyId}, ${$.kind}, ${$.subjectId}, ${$.input}, 'running', ${$.total},
      ${$.notBefore}, ${$.actorKind}, ${$.actorId}, ${$.actorName}, ${$.actorCompanyId}, ${$.createdAt})
    on conflict (installer_id, kind, subject_id) where state = 'running' do nothing returning ${columns}`,
)

export const longJobsChannel = 'long_jobs'

/** Tells the leader, once the transaction has ended. A statement of its own, as it touches no tenant's node. */
export const tellLeader = run((_: Params<object>) => sql`select pg_notify('long_jobs', '')`)

export const findLongJob = maybeOne(
  longJob,
  ($: Params<LongJobId>) => sql`select ${columns} from long_jobs where ${isIt($)}`,
)

/** The last of a kind that was asked for about a record. */
export const findLatestLongJob = maybeOne(
  longJob,
  ($: Params<OfSubject>) => sql`
    select ${columns} from long_jobs where ${isOfSubject($)} order by id desc limit 1`,
)

/** The last of a kind, of one record or of all, the newest first. */
export const listLongJobs = many(
  longJob,
  ($: Params<Pick<LongJob, 'installerId' | 'kind'> & { subjectId: string | null; limit: number }>) => sql`
    select ${columns} from long_jobs
    where installer_id = ${$.installerId} and kind = ${$.kind}
      ${when($.subjectId, sql`and subject_id = ${$.subjectId}`)}
    order by id desc limit ${$.limit}`,
)

/** Exact for who holds what a stop waits for, such as the tenant's lock. */
export const isRunning = exists(
  ($: Params<LongJobId>) => sql`select 1 from long_jobs where ${isIt($)} and state = 'running'`,
)

/**
 * How far it is; answers its state. Who works on it by themselves holds it until then. One that begins at the top again has
 * got on only once it is further than before.
 */
export const advanceLongJob = maybeScalar(
  { state: text },
  ($: Params<LongJobId & { done: number; heldUntil: Date | null }>) => sql`
    update long_jobs set done = greatest(done, ${$.done}), not_before = ${$.heldUntil},
      attempts = case when ${$.done} > done then 0 else attempts end,
      failure = case when ${$.done} > done and state = 'running' then null else failure end
    where ${isIt($)} returning state`,
  { mayBeLost: true },
)

/** False where it has ended already. */
export const endLongJob = exists(
  (
    $: Params<LongJobId & { state: Exclude<LongJob['state'], 'running'>; failure: string | null; now: Date }>,
  ) => sql`
    update long_jobs set state = ${$.state}, failure = ${$.failure}, ended_at = ${$.now}
    where ${isIt($)} and state = 'running' returning id`,
)

export const cancelLongJobsOf = run(
  ($: Params<OfSubject & { now: Date }>) => sql`
    update long_jobs set state = 'cancelled', ended_at = ${$.now} where ${isOfSubject($)} and state = 'running'`,
)

/** Whoever had it in hand has let go: it is handed over anew, at once or later. */
export const releaseLongJob = run(
  ($: Params<LongJobId & { notBefore: Date | null }>) => sql`
    update long_jobs set handed_over = false, not_before = ${$.notBefore} where ${isIt($)} and state = 'running'`,
)

export const putOffLongJob = run(
  ($: Params<LongJobId & { notBefore: Date; failure: string }>) => sql`
    update long_jobs set handed_over = false, not_before = ${$.notBefore}, attempts = attempts + 1,
      failure = ${$.failure}
    where ${isIt($)} and state = 'running'`,
)

const waitingJob = row<LongJobId & { place: number }>({ installerId: text, id: text, place: integer })

/** Those to be handed over, some of each tenant at a time, whoever has fewest first. */
export const listToHandOver = many(
  waitingJob,
  ($: Params<{ now: Date; maxOfTenant: number; limit: number }>) => sql`
    select ${select(waitingJob)} from (
      select installer_id, id, handed_over,
        (row_number() over (partition by installer_id order by handed_over desc, id))::int as place
      from long_jobs where state = 'running' and (handed_over or not_before is null or not_before <= ${$.now})
    ) waiting
    where not handed_over and place <= ${$.maxOfTenant} order by place, id limit ${$.limit}`,
  { across: 'the leader hands over the work of every tenant', gather: inOrder('place', 'id') },
)

export const countHandedOver = scalar(
  { count: integer },
  (_: Params<object>) =>
    sql`select count(*)::int as count from long_jobs where state = 'running' and handed_over`,
  { across: 'the queue is shared by all tenants', gather: folded({ count: 'sum' }) },
)

/** A statement of its own, as the queue is on no tenant's node; one that waits under the same key is it already. */
export const queueLongJob = run(
  ($: Params<LongJobId>) => sql`
    select queue_job('long-job', json_build_object('installerId', ${$.installerId}::text, 'id', ${$.id}::text),
      'long-job:' || ${$.id}::text)`,
)

export const markHandedOver = run(
  ($: Params<LongJobId>) => sql`update long_jobs set handed_over = true where ${isIt($)}`,
)

/** What was handed over before may have been lost with the queue, or be half done: all of it is handed over anew. */
export const takeBackLongJobs = run(
  (_: Params<object>) =>
    sql`update long_jobs set handed_over = false where state = 'running' and handed_over`,
  { across: 'a new leader begins with the work of every tenant' },
)
