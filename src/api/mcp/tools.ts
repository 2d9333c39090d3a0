import type { Interface } from '../../domain/kernel/context.ts'
import { may } from '../../domain/kernel/policy.ts'
import type { Caller } from '../http/authenticate.ts'
import type { Tool } from './tool.ts'
import { attachFiles } from './tools/attach-files.ts'
import { bill } from './tools/bill.ts'
import { getCatalogue } from './tools/get-catalogue.ts'
import { getEnergy } from './tools/get-energy.ts'
import { getLead } from './tools/get-lead.ts'
import { getProject } from './tools/get-project.ts'
import { handleAlert } from './tools/handle-alert.ts'
import { listAlerts } from './tools/list-alerts.ts'
import { listChanges } from './tools/list-changes.ts'
import { listInstallations } from './tools/list-installations.ts'
import { listInvoices } from './tools/list-invoices.ts'
import { listProposals } from './tools/list-proposals.ts'
import { markAsSold } from './tools/mark-as-sold.ts'
import { moveStage } from './tools/move-stage.ts'
import { saveLead } from './tools/save-lead.ts'
import { schedule } from './tools/schedule.ts'
import { search } from './tools/search.ts'
import { today } from './tools/today.ts'
import { whoAmI } from './tools/who-am-i.ts'
import { writeNote } from './tools/write-note.ts'

const tools: readonly Tool[] = [
  whoAmI,
  today,
  search,
  getLead,
  getProject,
  listChanges,
  getCatalogue,
  getEnergy,
  listInstallations,
  listAlerts,
  listInvoices,
  listProposals,
  saveLead,
  writeNote,
  moveStage,
  schedule,
  attachFiles,
  markAsSold,
  handleAlert,
  bill,
]

/** What a caller is offered. */
interface Offer {
  tools: ReadonlyMap<string, Tool>
  /** As `tools/list` describes them. */
  described: object[]
}

const bits: Record<Interface, number> = { company: 1, legacy: 2, catalog: 4 }
const offers: (Offer | undefined)[] = []

/** The tools that a key may use; there are few kinds of keys, so that each offer is put together once. */
export function offerTo({ actor, agent, interfaces }: Caller): Offer {
  let kind = (actor.companyKind === 'installer' ? 8 : 0) + (actor.canWrite ? 16 : 0) + (agent ? 32 : 0)
  for (const name of interfaces) kind |= bits[name]
  let offer = offers[kind]
  if (!offer) {
    const offered = tools.filter(
      ({ of, needs, writes, agentsOnly }) =>
        (of === null || interfaces.includes(of)) &&
        (!writes || actor.canWrite) &&
        (!agentsOnly || agent !== null) &&
        (needs === undefined || may(actor, needs)),
    )
    offer = { tools: new Map(offered.map((tool) => [tool.name, tool])), described: offered.map(describe) }
    offers[kind] = offer
  }
  return offer
}

/** Why a tool is not offered, where there is one of that name. */
export function isTool(name: string): boolean {
  return tools.some((tool) => tool.name === name)
}

function describe(tool: Tool): object {
  const { name, title, description, input, output } = tool
  const hints = tool.writes
    ? {
        readOnlyHint: false,
        destructiveHint: tool.destructive,
        idempotentHint: tool.idempotent,
        openWorldHint: tool.open,
      }
    : { readOnlyHint: true, openWorldHint: false }
  return {
    name,
    title,
    description,
    inputSchema: plain(input),
    outputSchema: plain(output),
    annotations: { title, ...hints },
  }
}

/** JSON Schema without what only we read. */
function plain(schema: object): object {
  return JSON.parse(JSON.stringify(schema, (name, value) => (name === 'x-message' ? undefined : value)))
}
