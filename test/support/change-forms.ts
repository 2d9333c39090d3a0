import {
  calendarPart,
  idempotencyPart,
  installationPart,
  movePart,
} from '../../src/domain/deals/changes/move-parts.ts'
import { writeChange } from '../../src/domain/deals/changes/statement.ts'
import {
  activitiesPart,
  checklistPart,
  eventsPart,
  fileRemovalPart,
  filesPart,
  fileTokensPart,
  mailsPart,
  messagesPart,
  notificationsPart,
  type Part,
  recordPart,
  type Shared,
  tickPart,
  wakingPart,
} from '../../src/domain/deals/changes/statement-parts.ts'
import { leadColumns } from '../../src/domain/deals/leads/columns.ts'
import type { Lead } from '../../src/domain/deals/leads/lead.ts'
import { projectColumns } from '../../src/domain/deals/projects/columns.ts'
import type { Project } from '../../src/domain/deals/projects/project.ts'

/** A record of which only the text of its statement is of interest. */
function anything<T>(): T {
  const proxy: unknown = new Proxy(() => proxy, {
    get: (_, key) => (key === 'toISOString' ? () => '' : proxy),
  })
  return proxy as T
}

const lead = anything<Lead>()
const project = anything<Project>()
const none = leadColumns.map(([name, type, field]) => [name, type, field, () => null] as const)
const noneOfProject = projectColumns.map(([name, type, field]) => [name, type, field, () => null] as const)
const renderings = { row_rendering: '', rendering: '', dealer_rendering: '', legacy_rendering: '' }

const leads = [
  [],
  [recordPart('lead', none, null, lead, { rendering: '' })],
  [recordPart('lead', none, null, lead, { rendering: '' }, true)],
  [recordPart('lead', none, lead, lead, { rendering: '' })],
  [recordPart('lead', none.slice(0, 2), lead, lead, { rendering: '' })],
]
const projects = [
  [],
  [recordPart('project', noneOfProject, null, project, renderings)],
  [recordPart('project', noneOfProject, project, project, renderings)],
  [recordPart('project', [], project, project, renderings)],
  [tickPart({ ticked_at: null, ticked_by: null, ticked_stage: '', ticked_label: '', ticked: true })],
]
const effects: Part[][] = [
  [filesPart([])],
  [fileRemovalPart('')],
  [fileTokensPart([])],
  [checklistPart('', [])],
  [notificationsPart([])],
  [mailsPart([])],
  [movePart(anything())],
  [installationPart({}, [])],
  [idempotencyPart({ call: anything(), answer: { status: 200, body: '' } }, new Date(0))],
  [calendarPart({ kind: 'install', day: '2026-01-01' })],
  [calendarPart({ kind: 'survey', day: null })],
  [messagesPart('[]', 0, '{}')],
  [wakingPart],
]
const always = [activitiesPart([]), eventsPart([])]
const shared = anything<Shared>()

/** Declares the statement of a change for each way to write its records, and for every two of its other parts. */
export async function declareChanges(): Promise<void> {
  const pairs = effects.flatMap((one, i) => effects.slice(i + 1).map((other) => [...one, ...other]))
  const declare = (parts: Part[]) => writeChange({ query: async () => [] }, { ...shared }, parts)
  for (const ofLead of leads)
    for (const ofProject of projects)
      for (const chosen of [[], effects.flat()])
        await declare([...ofLead, ...ofProject, ...always, ...chosen])
  for (const chosen of pairs) await declare([...projects[2]!, ...always, ...chosen])
}
