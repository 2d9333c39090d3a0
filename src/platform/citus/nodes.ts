import type { Db } from '../db.ts'
import type { Bulkhead } from '../pipeline.ts'

/** A node that holds tenants. */
export interface Node {
  group: number
  bulkhead: Bulkhead
}

/** A shard of tenants, and the node that holds it. */
export interface Place extends Node {
  shard: string
}

/** A node with some of its shards, and a text that Citus would put there: what is asked of that is asked of the node. */
export interface Part {
  node: Node
  shards: string[]
  key: string
}

export interface Nodes {
  /**
   * Where a tenant lives, or lived when that was last looked up: good enough to know whose answers it waits for. Asked by who
   * wants it: in a transaction another connection might never be free.
   */
  of(installerId: string, asker: Db): Promise<Place>
  /** Each node with all its shards, but those of `except`. */
  all(except: ReadonlySet<string>): Promise<Part[]>
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
  let placeOf = new Map<string, Place>()
  let known: Promise<Map<string, Place>> | null = null
  let forgotAt = 0

  function forget() {
    forgotAt = performance.now()
    placeOf = new Map()
    known = null
  }

  async function look(asker: Db): Promise<Map<string, Place>> {
    const rows = await asker.query<{ shard: string; group: number }>({ text: placements }, [])
    const groups = [...new Set(rows.map(({ group }) => group))].toSorted((a, b) => a - b)
    return new Map(
      rows.map(({ shard, group }) => [
        shard,
        { shard, group, bulkhead: { index: groups.indexOf(group), of: groups.length } },
      ]),
    )
  }

  /** Every shard's node. */
  function byShard(asker: Db): Promise<Map<string, Place>> {
    return known ?? lookAgain(asker)
  }

  function lookAgain(asker: Db): Promise<Map<string, Place>> {
    const looking = look(asker)
    looking.then(
      () => {
        known = looking
      },
      () => {},
    )
    return looking
  }

  async function find(installerId: string, asker: Db): Promise<Place> {
    const [row] = await asker.query<{ shard: string }>({ text: shardOf, shared: 'read' }, [installerId])
    const place = (await byShard(asker)).get(row!.shard)
    // Else its shard was split off meanwhile.
    return place ?? (await lookAgain(asker)).get(row!.shard)!
  }

  return {
    async of(installerId, asker) {
      if (performance.now() - forgotAt > forgetAfterMs) forget()
      const before = placeOf.get(installerId)
      if (before) return before
      const found = await find(installerId, asker)
      placeOf.set(installerId, found)
      return found
    },
    async all(except) {
      // One that was added just now holds tenants too.
      const places = await lookAgain(db)
      if ([...places.keys()].some((shard) => !keyOf.has(shard))) {
        const keys = await db.query<{ shard: string; key: string }>({ text: listKeys }, [])
        keyOf = new Map(keys.map(({ shard, key }) => [shard, key]))
      }
      const byGroup = Map.groupBy(places.values(), ({ group }) => group)
      return [...byGroup.values()].flatMap((held) => {
        const shards = held.map(({ shard }) => shard).filter((shard) => !except.has(shard))
        const key = held.map(({ shard }) => keyOf.get(shard)).find((one) => one !== undefined)
        return key !== undefined && shards.length > 0 ? [{ node: held[0]!, shards, key }] : []
      })
    },
    async isThere(group) {
      const [row] = await db.query<{ there: boolean }>({ text: checkNode, urgent: true }, [group])
      return row?.there ?? false
    },
    forget,
  }
}
