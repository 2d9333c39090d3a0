import pg from 'pg'
import { citusDatabase, citusSettings } from '../../src/platform/citus/citus-database.ts'
import { hasCitus } from '../../src/platform/citus/distribute.ts'
import { createTelling } from '../../src/platform/citus/job-requests.ts'
import { openDatabase, type PooledDatabase } from '../../src/platform/db.ts'

/** The nodes of a run on Citus, the coordinator first, as addresses without a database; none on plain PostgreSQL. */
export const citusNodes: () => string[] = () => JSON.parse(process.env.TEST_CITUS_NODES ?? '[]')

/** Why a test is left out on Citus that looks into the one server of plain PostgreSQL: plans, locks, triggers of its own. */
export const oneServerOnly = (): string | false =>
  citusNodes().length > 0 && 'it looks into one server, and tenants live on several'

/** Few: a database has as many tables on each node as these and our tables make. */
const shards = 4

export async function within<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  return work(client).finally(() => client.end())
}

/** The nodes of the cluster that the address leads to; null where that is plain PostgreSQL. */
export async function findNodes(url: string): Promise<string[] | null> {
  return within(url, async (client) => {
    if (!(await hasCitus(client))) return null
    const { rows } = await client.query(
      `select nodename as host, nodeport as port from pg_dist_node where noderole = 'primary' order by groupid`,
    )
    return rows.map(({ host, port }) => {
      const node = new URL(url)
      node.hostname = host
      node.port = String(port)
      node.pathname = '/'
      return node.href
    })
  })
}

const maintenance = (node: string) => `${node}postgres`

export async function createOnNodes(name: string, template?: string): Promise<void> {
  const nodes = citusNodes()
  const from = template ? ` template ${template} strategy file_copy` : ''
  await Promise.all(
    nodes.map((node) =>
      within(maintenance(node), (client) => client.query(`create database ${name}${from}`)),
    ),
  )
  if (template) return
  const [coordinator, ...workers] = nodes
  for (const node of nodes) await within(node + name, (client) => client.query('create extension citus'))
  await within(coordinator + name, async (client) => {
    const place = (node: string) => [new URL(node).hostname, Number(new URL(node).port)]
    await client.query('select citus_set_coordinator_host($1, $2)', place(coordinator!))
    for (const worker of workers) await client.query('select citus_add_node($1, $2)', place(worker))
    await client.query(`alter database ${name} set citus.shard_count = ${shards}`)
  })
}

export async function dropOnNodes(name: string): Promise<void> {
  await Promise.all(
    citusNodes().map((node) =>
      within(maintenance(node), async (client) => {
        // Nobody comes back to it: Citus looks after each of its databases.
        await client.query(`update pg_database set datallowconn = false where datname = $1`, [name])
        await client.query(`drop database if exists ${name} with (force)`)
      }),
    ),
  )
}

/** Lets a database be copied: nobody may be connected to it, and Citus would be. */
export async function closeOnNodes(name: string): Promise<void> {
  await Promise.all(
    citusNodes().map((node) =>
      within(maintenance(node), async (client) => {
        await client.query(`update pg_database set datallowconn = false where datname = $1`, [name])
        await client.query(
          'select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = $1',
          [name],
        )
      }),
    ),
  )
}

/** A node of a busy machine takes its time, and none is lost here. */
const patient = { ...citusSettings, 'citus.node_connection_timeout': '30000' }

export function openOnCitus(url: string): PooledDatabase {
  const plain = openDatabase(url, () => {}, undefined, { settings: patient })
  return citusDatabase(plain, createTelling(plain), () => {})
}
