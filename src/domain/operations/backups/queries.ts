import { boolean, row } from '../../../platform/sql/row.ts'
import { type Params, sql } from '../../../platform/sql/sql.ts'
import { one } from '../../../platform/sql/statements.ts'

/** Every file that a record names, with what it holds where that is known; as COPY takes a query. */
export const storedFilesQuery = `(select store_key, max(sha256) as sha256 from (
    select installer_id, store_key, encode(sha256, 'hex') as sha256 from files where revoked_at is null
    union all
    select installer_id, store_key, null from imports where store_key is not null) named
  group by store_key order by store_key collate "C")`

/** Work that waits, in words that every version of the queue takes. */
export const jobsQuery = `(select t.identifier, j.payload, q.queue_name, j.run_at, j.max_attempts, j.key, j.priority,
    case when j.flags is null then null else array(select jsonb_object_keys(j.flags)) end
  from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
    left join graphile_worker._private_job_queues q on q.id = j.job_queue_id
  order by j.id)`

/** Whether somebody has begun to use the database. */
export const holdsRecords = one(
  row<{ holds: boolean }>({ holds: boolean }),
  (_: Params<object>) =>
    sql`select exists (select from companies) or exists (select from auth_users) as holds`,
  { across: 'a backup is put back into a database of nobody' },
)
