import type { Workload } from './load.ts'
import { createRandom } from './random.ts'
import { get, type Ports, post, type Row } from './row.ts'
import type { SeededTenant } from './seed/seed.ts'

const protocol = '2026-07-28'
const headers = {
  accept: 'application/json, text/event-stream',
  'mcp-protocol-version': protocol,
  'mcp-method': 'tools/call',
  'mcp-name': 'get_project',
}
const envelope = {
  'io.modelcontextprotocol/protocolVersion': protocol,
  'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
}

const callOf = (id: string) =>
  JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'get_project', arguments: { id }, _meta: envelope },
  })

/** A project read through a tool, with its ladder, checklist and what blocks it, beside the same read by `/v1`. */
export function mcpRow(
  name: string,
  projects: readonly { tenant: SeededTenant; id: string }[],
  ports: Ports,
): Row {
  const workload = (request: (found: (typeof projects)[number]) => string): Workload => {
    const random = createRandom(11)
    return { port: ports.ours, next: () => request(random.pick(projects)), status: 200, minBytes: 600 }
  }
  return {
    name,
    ours: workload(({ tenant, id }) => post('/mcp', callOf(id), tenant.key, headers)),
    floor: workload(({ tenant, id }) => get(`/v1/projects/${id}`, tenant.key)),
    floorIsOurs: true,
    against: 'our own rate of read-project',
    atLeast: 0.5,
  }
}
