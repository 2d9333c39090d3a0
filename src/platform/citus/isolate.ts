import pg from 'pg'
import { hasCitus } from './distribute.ts'
import { runWatched, type Watching } from './watched-statement.ts'

export interface Node {
  host: string
  port: number
}

export interface Isolated extends Node {
  shard: string
}

// How many tenants' shards each node has, but the shard that is this tenant's alone.
const listNodes = `
  select n.nodename as host, n.nodeport as port, n.shouldhaveshards as takes,
    count(p.shardid) filter (where p.shardid <> all($1::bigint[]))::int as others, count(p.shardid)::int as shards
  from pg_dist_node n left join (
    pg_dist_placement p join pg_dist_shard s on s.shardid = p.shardid and s.logicalrelid = 'tenant_clocks'::regclass
  ) on p.groupid = n.groupid
  where n.noderole = 'primary' and n.groupid <> 0 and n.isactive
  group by n.nodeid, n.nodename, n.nodeport, n.shouldhaveshards order by n.nodeid`

const findShard = `
  select s.shardid::text as shard, s.shardminvalue = s.shardmaxvalue as "isOwn", n.nodename as host, n.nodeport as port
  from pg_dist_shard s join pg_dist_placement p on p.shardid = s.shardid join pg_dist_node n on n.groupid = p.groupid
  where s.shardid = get_shard_id_for_distribution_column('tenant_clocks', $1::text) and n.noderole = 'primary'`

const findFitness = `
  select (select rolsuper from pg_roles where rolname = current_user) as "isSuperuser",
    (select string_agg(distinct result, ', ') from run_command_on_all_nodes('show wal_level')
      where result <> 'logical') as "walLevel"`

/** Nothing is begun that could not be ended. */
async function requireFitness(client: pg.Client): Promise<void> {
  const { rows } = await client.query(findFitness)
  const { isSuperuser, walLevel } = rows[0]!
  if (!isSuperuser)
    throw new Error(
      'Only a superuser may say what a node takes. Run this with a DATABASE_URL that names one, such as postgres://postgres@coordinator/sunstead.',
    )
  if (walLevel)
    throw new Error(
      `wal_level is ${walLevel}: a shard is split and moved while it is written. Set wal_level = logical on every node, and start them again.`,
    )
}

interface Place extends Node {
  shard: string
  isOwn: boolean
}

/**
 * Gives a tenant a shard of its own, moves it to a node that has no other tenants, and keeps others away from there. The
 * tenant is read and written meanwhile; only for the last moment its writes wait. Begun again it goes on where it was.
 */
export async function isolateTenant(
  url: string,
  installerId: string,
  wanted: Node | null,
  watching: Watching,
): Promise<Isolated> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'sunstead-isolate',
    // Where the command is ended, so is what it has begun.
    options: '-c client_connection_check_interval=5s',
  })
  client.on('error', () => {})
  await client.connect()
  try {
    if (!(await hasCitus(client)))
      throw new Error('The database is not a Citus cluster: all tenants are on one server.')
    await requireFitness(client)
    await chooseNode(client, installerId, wanted)
    if (!(await placeOf(client, installerId)).isOwn) {
      watching.note('splitting the tenant off the shard that it shares')
      const split = `select isolate_tenant_to_new_shard('tenant_clocks', $1::text, 'CASCADE')`
      await runWatched(url, client, split, [installerId], watching)
    }
    const place = await placeOf(client, installerId)
    const to = await chooseNode(client, installerId, wanted)
    if (!isSame(place, to)) {
      watching.note(`moving it to ${to.host}:${to.port}`)
      const move = 'select citus_move_shard_placement($1::bigint, $2::text, $3::int, $4::text, $5::int)'
      const ways = [place.host, place.port, to.host, to.port]
      await runWatched(url, client, move, [place.shard, ...ways], watching)
    }
    // What is spread over the nodes later keeps away from it.
    await client.query(`select citus_set_node_property($1::text, $2::int, 'shouldhaveshards', false)`, [
      to.host,
      to.port,
    ])
    return { shard: place.shard, ...to }
  } finally {
    await client.end()
  }
}

const isSame = (a: Node, b: Node) => a.host === b.host && a.port === b.port

async function placeOf(client: pg.Client, installerId: string): Promise<Place> {
  const { rows } = await client.query<Place>(findShard, [installerId])
  return rows[0]!
}

/** A node without other tenants: where it is already, the one that is wanted, or any. */
async function chooseNode(client: pg.Client, installerId: string, wanted: Node | null): Promise<Node> {
  const place = await placeOf(client, installerId)
  const { rows } = await client.query<Node & { others: number }>(listNodes, [
    place.isOwn ? [place.shard] : [],
  ])
  const empty = rows.filter(({ others }) => others === 0)
  const named = wanted && rows.find((node) => isSame(node, wanted))
  if (wanted && !named) throw new Error(`No node of the cluster is ${wanted.host}:${wanted.port}.`)
  if (named && named.others > 0)
    throw new Error(
      `${named.host}:${named.port} has other tenants. Name a node that has none, or add one with citus_add_node.`,
    )
  const chosen = named ?? empty.find((node) => isSame(node, place)) ?? empty[0]
  if (!chosen)
    throw new Error(
      'Each node has other tenants. Add one with: select citus_add_node(host, port), and do not rebalance before.',
    )
  return { host: chosen.host, port: chosen.port }
}
