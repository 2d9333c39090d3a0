import type { Db } from '../db.ts'
import type { Bulkhead } from '../pipeline.ts'

/** A node that holds tenants. */
export interface Node {
  group: number
  bulkhead: Bulkhead
}

export interface Nodes {
  /** Where a tenant lives, or lived when that was last looked up: good enough to know whose answers it waits for. */
  of(installerId: string): Promise<Node>
  /** Each node with a text that Citus would put there: what is asked of that is asked of the node. */
  all(): Promise<{ node: Node; key: string }[]>
  /** Whether it can be connected to from the coordinator, within the time limit that the connections have. */
  isThere(group: number): Promise<boolean>
  /** Looks everything up anew. */
  forget(): void
}

const placements = `
  select s.shardid::text as shard, p.groupid as "group" from pg_dist_shard s join pg_dist_placement p using (shardid)
  where s.logicalrelid = 'tenant_clocks'::regclass order by s.shardid`

const shardOf = `select get_shard_id_for_distribution_column('tenant_clocks', $1::text)::text as shard`

// A shard of a single tenant takes no text but theirs.
const listKeys = `
  select distinct on (shard) shard::text, key from (
    select key, get_shard_id_for_distribution_column('tenant_clocks', key) as shard from (
      select 'key ' || i as key from generate_series(1, 2000) i union all
      select id from companies where kind = 'installer') keys) placed
  order by shard`

const checkNode = `
  select citus_check_connection_to_node(nodename, nodeport) as there from pg_dist_node
  where groupid = $1 and noderole = 'primary'`

const forgetAfterMs = 600_000

export function createNodes(db: Db): Nodes {
  let keyOf = new Map<string, string>()
  let nodeOf = new Map<string, Promise<Node>>()
  let known: Promise<Map<string, Node>> | null = null
  let knownSince = 0

  function forget() {
    nodeOf = new Map()
    known = null
  }

  async function look(): Promise<Map<string, Node>> {
    const rows = await db.query<{ shard: string; group: number }>({ text: placements }, [])
    const groups = [...new Set(rows.map(({ group }) => group))].toSorted((a, b) => a - b)
    return new Map(
      rows.map(({ shard, group }) => [
        shard,
        { group, bulkhead: { index: groups.indexOf(group), of: groups.length } },
      ]),
    )
  }

  /** Every shard's node. */
  function byShard(): Promise<Map<string, Node>> {
    if (performance.now() - knownSince > forgetAfterMs) forget()
    if (known) return known
    knownSince = performance.now()
    const looking = look()
    known = looking
    looking.catch(forget)
    return looking
  }

  async function find(installerId: string): Promise<Node> {
    const [row] = await db.query<{ shard: string }>({ text: shardOf, shared: 'read' }, [installerId])
    const node = (await byShard()).get(row!.shard)
    if (node) return node
    // Its shard was split off meanwhile.
    forget()
    return (await byShard()).get(row!.shard)!
  }

  return {
    async of(installerId) {
      await byShard()
      const before = nodeOf.get(installerId)
      if (before) return before
      const finding = find(installerId)
      nodeOf.set(installerId, finding)
      finding.catch(() => nodeOf.delete(installerId))
      return finding
    },
    async all() {
      // One that was added just now holds tenants too.
      known = null
      const nodes = await byShard()
      if ([...nodes.keys()].some((shard) => !keyOf.has(shard))) {
        const keys = await db.query<{ shard: string; key: string }>({ text: listKeys }, [])
        keyOf = new Map(keys.map(({ shard, key }) => [shard, key]))
      }
      const found = new Map<number, { node: Node; key: string }>()
      for (const [shard, node] of nodes) {
        const key = keyOf.get(shard)
        if (key !== undefined && !found.has(node.group)) found.set(node.group, { node, key })
      }
      return [...found.values()]
    },
    async isThere(group) {
      const [row] = await db.query<{ there: boolean }>({ text: checkNode, urgent: true }, [group])
      return row?.there ?? false
    },
    forget,
  }
}
