import type { Db } from '../platform/db.ts'

// The coordinator answers, as it was asked.
const listNodes = `
  select nodename || ':' || nodeport as node, citus_check_connection_to_node(nodename, nodeport) as there
  from pg_dist_node where noderole = 'primary' and groupid <> 0 and isactive order by nodeid`

/** Whether all nodes that hold tenants answer. */
export async function examineNodes(db: Db): Promise<string> {
  const nodes = await db.query<{ node: string; there: boolean }>({ text: listNodes }, [])
  const away = nodes.filter(({ there }) => !there).map(({ node }) => node)
  if (away.length > 0)
    throw new Error(
      `${away.join(', ')} cannot be reached from the coordinator: the tenants there get 503, no company, member or key can be changed, and no backup be made; see docs/scale.md, "A worker is away"`,
    )
  return `${nodes.length} reached`
}
