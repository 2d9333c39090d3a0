import { readFileSync } from 'node:fs'
import type pg from 'pg'

export interface DatabaseFacts {
  version: string
  /** The version of the extension, where there is one. */
  citus: string | null
  /** A process of every node, if all of them can be seen here; null where there is one that cannot. */
  backendPids: number[] | null
  cpuSource: 'processor time, by /proc' | 'execution time, by pg_stat_statements' | 'unknown'
}

export async function readFacts(client: pg.Client): Promise<DatabaseFacts> {
  const { rows } = await client.query<{ version: string; citus: string | null; pid: number; name: string }>(
    `select current_setting('server_version') as version, pg_backend_pid() as pid, current_database() as name,
       (select extversion from pg_extension where extname = 'citus') as citus`,
  )
  const { version, citus, pid, name } = rows[0]!
  const workers = citus ? await workerPids(client) : []
  const isHere = isProcess(pid, name) && workers.every((one) => isProcess(one, 'checkpointer'))
  const backendPids = isHere ? [pid, ...workers] : null
  const source = backendPids
    ? ('processor time, by /proc' as const)
    : (await statementMs(client)) !== null
      ? ('execution time, by pg_stat_statements' as const)
      : ('unknown' as const)
  return { version, citus, backendPids, cpuSource: source }
}

/** Of each worker the one process that is there for as long as the node is. */
async function workerPids(client: pg.Client): Promise<number[]> {
  const { rows } = await client.query<{ result: string }>(
    `select result from run_command_on_workers(
       $$select pid from pg_stat_activity where backend_type = 'checkpointer'$$)`,
  )
  return rows.map(({ result }) => Number(result))
}

/** Whether a process here is that one: a server elsewhere, or in a container, has numbers of its own. */
function isProcess(pid: number, named: string): boolean {
  try {
    const title = readFileSync(`/proc/${pid}/cmdline`, 'utf8')
    return title.startsWith('postgres: ') && title.includes(named)
  } catch {
    return false
  }
}

/** Null where the extension is not there. */
export async function statementMs(client: pg.Client): Promise<number | null> {
  try {
    const { rows } = await client.query<{ ms: number }>(
      `select coalesce(sum(total_exec_time), 0)::float8 as ms from pg_stat_statements
       where dbid = (select oid from pg_database where datname = current_database())`,
    )
    return rows[0]!.ms
  } catch {
    return null
  }
}

export interface Stored {
  /** Bytes of all tables with their indexes, by name. */
  tables: Map<string, number>
  walBytes: number
}

/** What is stored, and how far the log has come, on all nodes together. */
export async function readStored(client: pg.Client, { citus }: DatabaseFacts): Promise<Stored> {
  const { rows } = await client.query<{ name: string; bytes: number }>(
    `select c.oid::regclass::text as name, ${
      citus
        ? `case when d.logicalrelid is null then pg_total_relation_size(c.oid)
             else citus_total_relation_size(d.logicalrelid, fail_on_error => false) end`
        : 'pg_total_relation_size(c.oid)'
    }::float8 as bytes
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     ${citus ? 'left join pg_dist_partition d on d.logicalrelid = c.oid' : ''}
     where c.relkind = 'r' and n.nspname in ('public', 'graphile_worker')`,
  )
  return {
    tables: new Map(rows.map(({ name, bytes }) => [name, bytes])),
    walBytes: await walBytes(client, citus),
  }
}

async function walBytes(client: pg.Client, citus: string | null): Promise<number> {
  const own = `select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8 as bytes`
  const { rows } = await client.query<{ bytes: number }>(own)
  if (!citus) return rows[0]!.bytes
  const workers = await client.query<{ result: string }>('select result from run_command_on_workers($1)', [
    own,
  ])
  return workers.rows.reduce((sum, { result }) => sum + Number(result), rows[0]!.bytes)
}

export interface Grown {
  diskBytes: number
  /** Of these, what is kept of messages and their deliveries. */
  webhookBytes: number
  walBytes: number
}

export function grown(before: Stored, after: Stored): Grown {
  let diskBytes = 0
  let webhookBytes = 0
  for (const [name, bytes] of after.tables) {
    const more = Math.max(0, bytes - (before.tables.get(name) ?? 0))
    diskBytes += more
    if (name.startsWith('webhook_')) webhookBytes += more
  }
  return { diskBytes, webhookBytes, walBytes: after.walBytes - before.walBytes }
}

const counted = [
  'leads',
  'projects',
  'activities',
  'events',
  'webhook_messages',
  'webhook_deliveries',
  'readings',
  'panel_days',
  'installation_days',
  'panels',
]

/** Bytes of a row with its part of the indexes, of tables that hold enough rows to tell. */
export async function bytesOfRows(client: pg.Client, stored: Stored): Promise<Record<string, number>> {
  const result: Record<string, number> = {}
  for (const table of counted) {
    const { rows } = await client.query<{ count: number }>(`select count(*)::float8 as count from ${table}`)
    const parts = [...stored.tables].filter(([name]) => name === table || name.startsWith(`${table}_2`))
    const bytes = parts.reduce((sum, [, size]) => sum + size, 0)
    if (rows[0]!.count >= 1_000) result[table] = Math.round(bytes / rows[0]!.count)
  }
  return result
}
