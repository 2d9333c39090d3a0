import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'

export interface Watching {
  /** After which it is given up. */
  limitMs: number
  note(message: string): void
}

/** What is done for a statement on one of the nodes, and who keeps it from going on. */
interface Doing {
  node: string
  text: string
  /** Null where nobody does. */
  waitsFor: string | null
}

const lookMs = 5_000
/** While this is waited for, so are the writes of all tenants of the shard; they are refused soon after (citus-database.ts). */
const blocking = 'lock_shard_metadata'
const mostBlockingMs = 15_000
const endMs = 30_000

// Its own process, those that Citus has on the nodes in its name, and what copies the rows.
const listDoing = (gpid: string, pid: number) => `
  select coalesce(json_agg(json_build_object(
    'text', coalesce(nullif(left(regexp_replace(w.query, '\\s+', ' ', 'g'), 160), ''), w.backend_type),
    'waitsFor', case
      when h.pid is not null then format('process %s (%s, %s, for %s s): %s', h.pid, h.application_name, h.state,
        extract(epoch from now() - h.xact_start)::int, left(regexp_replace(h.query, '\\s+', ' ', 'g'), 160))
      when blocker = 0 then (select 'one of the prepared transactions ' || string_agg(gid, ', ') from pg_prepared_xacts)
    end)), '[]')
  from pg_stat_activity w left join lateral unnest(pg_blocking_pids(w.pid)) as blocker on true
    left join pg_stat_activity h on h.pid = blocker
  where w.datname = current_database() and w.state is distinct from 'idle' and (
    w.application_name like '%gpid=${gpid}' or w.backend_type = 'logical replication worker'
    or (select groupid from pg_dist_local_group) = 0 and w.pid = ${pid})`

const onAllNodes = `
  select n.nodename || ':' || n.nodeport as node, r.result from run_command_on_all_nodes($1) r
  join pg_dist_node n on n.nodeid = r.nodeid where r.success`

/**
 * Runs a statement that has shards moved, which waits for whoever holds them, on whichever node. Says what it waits for, and ends it
 * where that takes too long: Citus takes back what was begun.
 */
export async function runWatched(
  url: string,
  client: pg.Client,
  text: string,
  values: readonly unknown[],
  { limitMs, note }: Watching,
): Promise<void> {
  const { rows } = await client.query<{ gpid: string; pid: number }>(
    'select citus_backend_gpid()::text as gpid, pg_backend_pid() as pid',
  )
  const { gpid, pid } = rows[0]!
  const ended = new AbortController()
  const watch = watchIt(url, listDoing(gpid, pid), pid, { limitMs, note }, ended.signal).catch(
    (error: Error) => {
      note(`Nobody watches over it any more: ${error.message}`)
      return null
    },
  )
  try {
    await client.query(text, values as unknown[])
  } catch (error) {
    ended.abort()
    throw new Error((await watch) ?? (error as Error).message, { cause: error })
  } finally {
    ended.abort()
    await watch
  }
}

/** Answers why it ended the statement, or null where that ended by itself. */
async function watchIt(
  url: string,
  look: string,
  pid: number,
  { limitMs, note }: Watching,
  ended: AbortSignal,
): Promise<string | null> {
  const client = new pg.Client({ connectionString: url, application_name: 'sunstead-watch' })
  client.on('error', () => {})
  await client.connect()
  try {
    const began = performance.now()
    let freeAt = began
    let said = ''
    while (await pause(lookMs, ended)) {
      const doing = await lookAt(client, look)
      const waiting = doing.filter(({ waitsFor }) => waitsFor !== null)
      const now = waiting.map(describe).join('\n')
      if (now !== said && now !== '') note(now)
      said = now
      if (!waiting.some(({ text }) => text.includes(blocking))) freeAt = performance.now()
      const isBlocking = performance.now() - freeAt > mostBlockingMs
      if (!isBlocking && performance.now() - began < limitMs) continue
      await end(client, pid, ended)
      const why = isBlocking
        ? 'writes of other tenants wait for it'
        : `it takes longer than ${limitMs / 60_000} minutes`
      const last = (waiting.length > 0 ? waiting : doing).map(describe).join('\n')
      return `Ended, as ${why}. What was begun is taken back; run it again once this is over:\n${last}`
    }
    return null
  } finally {
    await client.end()
  }
}

const pause = (ms: number, ended: AbortSignal) => sleep(ms, true, { signal: ended }).catch(() => false)

async function lookAt(client: pg.Client, look: string): Promise<Doing[]> {
  const { rows } = await client.query<{ node: string; result: string }>(onAllNodes, [look])
  return rows.flatMap(({ node, result }) =>
    (JSON.parse(result) as Omit<Doing, 'node'>[]).map((one) => ({ node, ...one })),
  )
}

const describe = ({ node, text, waitsFor }: Doing): string =>
  waitsFor === null ? `${node} is at: ${text}` : `${node} waits for ${waitsFor}, at: ${text}`

async function end(client: pg.Client, pid: number, ended: AbortSignal): Promise<void> {
  await client.query('select pg_cancel_backend($1::int)', [pid])
  if (await pause(endMs, ended)) await client.query('select pg_terminate_backend($1::int)', [pid])
}
