import type { Db } from '../db.ts'

export interface Nodes {
  /** One text for each node that holds tenants, which Citus would put there: what is asked of it is asked of the node. */
  keys(): Promise<string[]>
}

const listPlacements = `
  select s.shardid::text as shard, p.groupid as node from pg_dist_shard s join pg_dist_placement p using (shardid)
  where s.logicalrelid = 'tenant_clocks'::regclass order by s.shardid`

// A shard of a single tenant takes no text but theirs.
const listKeys = `
  select distinct on (shard) shard::text, key from (
    select key, get_shard_id_for_distribution_column('tenant_clocks', key) as shard from (
      select 'key ' || i as key from generate_series(1, 2000) i union all
      select id from companies where kind = 'installer') keys) placed
  order by shard`

export function createNodes(db: Db): Nodes {
  let keyOf = new Map<string, string>()
  return {
    async keys() {
      const placements = await db.query<{ shard: string; node: number }>({ text: listPlacements }, [])
      if (placements.some(({ shard }) => !keyOf.has(shard))) {
        const keys = await db.query<{ shard: string; key: string }>({ text: listKeys }, [])
        keyOf = new Map(keys.map(({ shard, key }) => [shard, key]))
      }
      const keys = new Map<number, string>()
      for (const { shard, node } of placements) {
        const key = keyOf.get(shard)
        if (key !== undefined && !keys.has(node)) keys.set(node, key)
      }
      return [...keys.values()]
    },
  }
}
