import Type, { type Static } from 'typebox'
import { search as searchDeals } from '../../../domain/data/search/search.ts'
import { daysLate } from '../../../domain/deals/board/board.ts'
import { leadStatuses } from '../../../domain/deals/leads/lead.ts'
import { listLeadsAsked } from '../../../domain/deals/leads/list-leads.ts'
import { maxWords } from '../../../domain/deals/leads/search-words.ts'
import { listProjectsAsked } from '../../../domain/deals/projects/list-projects.ts'
import type { ProjectRecord } from '../../../domain/deals/projects/read-progress.ts'
import type { LookedPage } from '../../../domain/deals/renderings/looked-page.ts'
import { withBaseUrl } from '../../../domain/deals/renderings/rendering.ts'
import { DomainError } from '../../../domain/kernel/domain-error.ts'
import { productLines } from '../../../domain/kernel/tenant/stage.ts'
import { instant } from '../../http/instant.ts'
import { Fields, optional, timestamp } from '../../http/schema-words.ts'
import { readingTool, type ToolCall } from '../tool.ts'
import { apart, cut } from '../untrusted.ts'
import { choice, day, Holds, next, paging, records, said } from '../words.ts'
import { findInstallations } from './list-installations.ts'

const kinds = ['lead', 'project'] as const

const input = Fields({
  text: optional(
    said(
      200,
      `Words that the customer’s name, email, phone or address, or an id, holds: all of them, at most ${maxWords}`,
    ),
  ),
  kind: optional(
    choice(kinds, 'What to look for; with it the other fields narrow the list, without it only `text` does'),
  ),
  product_line: optional(choice(productLines, 'Both when absent')),
  status: optional(choice(leadStatuses, 'Of leads')),
  stage: optional(said(200, 'Of projects: a stage’s name')),
  sales_rep: optional(said(320, 'The sales rep’s email')),
  install_from: optional(day('Of projects: installs from this day on')),
  install_to: optional(day('Of projects: installs up to this day')),
  oldest_first: optional(
    Type.Boolean({ default: false, description: 'With kind: what has not changed for longest first' }),
  ),
  updated_since: optional(timestamp('Only what changed after this time')),
  ...paging,
})
type Input = Static<typeof input>

export const search = readingTool({
  name: 'search',
  title: 'Search leads and projects',
  description:
    'Finds leads and projects: by words over both (and over installations, where the key is for them), or with `kind` as a list that can be narrowed and read on, newest change first. A sold lead is found as its project. Answers short rows: read one whole with get_lead or get_project.',
  of: 'company',
  input,
  output: Holds({
    leads: records('Leads'),
    projects: records('Projects; with kind also days_late, 0 where it is in time'),
    installations: optional(
      records('Where only `text` is sent: installations, as list_installations reads them'),
    ),
    next,
  }),
  async read(call, asked) {
    if (asked.kind === undefined) return searchAll(call, asked)
    return asked.kind === 'lead' ? listLeads(call, asked) : listProjects(call, asked)
  },
})

async function searchAll(call: ToolCall, { text, ...others }: Input) {
  const [other] = Object.keys(others).filter((name) => name !== 'limit')
  if (other !== undefined)
    throw new DomainError('invalid', `${other}: it goes with kind. Say kind "lead" or "project" too.`)
  if (text === undefined) throw new DomainError('invalid', 'text is required where there is no kind.')
  const installed = call.caller.interfaces.includes('catalog')
  const [{ leads, projects }, installations] = await Promise.all([
    searchDeals(call.ctx, text),
    installed ? findInstallations(call, text) : undefined,
  ])
  const short = ({
    customer,
    place,
    contact,
    ...row
  }: (typeof leads)[number] | (typeof projects)[number]) => ({
    ...row,
    untrusted: { customer, place, contact },
  })
  return {
    leads: leads.map(short),
    projects: projects.map(short),
    ...(installations ? { installations } : {}),
    next: null,
  }
}

const common = ({ product_line, sales_rep, text }: Input) => ({
  ...(product_line ? { productLine: product_line } : {}),
  ...(sales_rep ? { salesRep: sales_rep } : {}),
  ...(text ? { search: text } : {}),
})

function refuse(asked: Input, names: readonly (keyof Input)[], kind: string): void {
  const wrong = names.find((name) => asked[name] !== undefined)
  if (wrong) throw new DomainError('invalid', `${wrong}: it is not for kind "${kind}". Leave it out.`)
}

async function listLeads(call: ToolCall, asked: Input) {
  refuse(asked, ['stage', 'install_from', 'install_to'], 'lead')
  const { status } = asked
  return listed(call, asked, 'leads', (page) =>
    listLeadsAsked(call.ctx, { ...common(asked), ...(status ? { status } : {}) }, page, false),
  )
}

async function listProjects(call: ToolCall, asked: Input) {
  refuse(asked, ['status'], 'project')
  const { stage, install_from, install_to } = asked
  const wanted = {
    ...common(asked),
    ...(stage ? { stage } : {}),
    ...(install_from ? { installDateFrom: install_from } : {}),
    ...(install_to ? { installDateTo: install_to } : {}),
  }
  const found = await listed(call, asked, 'projects', (page) =>
    listProjectsAsked(call.ctx, wanted, page, new Set()),
  )
  const { db, directories, actor, now } = call.ctx
  const { stages } = await directories.current(db, actor.installerId)
  const projects = (found.projects as ListedProject[]).map((project) => {
    const { id, enteredAt } = project.stage
    const stage = stages.get(id)
    const entered = enteredAt === null ? null : new Date(enteredAt)
    return { ...project, days_late: stage ? daysLate({ enteredAt: entered }, stage, now) : 0 }
  })
  return { ...found, projects }
}

type ListedProject = Pick<ProjectRecord, 'stage'>

type PageRequest = Parameters<typeof listLeadsAsked>[2]

async function listed(
  { deps, ctx }: ToolCall,
  { cursor, limit = 10, updated_since, ...asked }: Input,
  list: 'leads' | 'projects',
  read: (page: PageRequest) => Promise<LookedPage>,
) {
  const since = updated_since === undefined ? null : instant(updated_since)
  const binding = [
    'mcp',
    list,
    ctx.actor.companyId,
    limit,
    since?.getTime() ?? null,
    JSON.stringify(Object.entries(asked).sort()),
  ]
  const after = cursor === undefined ? null : deps.cursors.read(cursor, binding).at
  const page = await read({ limit, since, after, ascending: asked.oldest_first ?? false })
  const rows = (JSON.parse(`[${withBaseUrl(page.rows, deps.addresses.baseUrl)}]`) as object[]).map(shortened)
  const more = page.next === null ? null : deps.cursors.write({ at: page.next, ordinal: 0 }, binding)
  return { leads: [] as object[], projects: [] as object[], [list]: rows, next: more }
}

/** A row with its notes cut: whoever wants them whole reads the record. */
function shortened(row: object): object {
  const record = apart(row)
  const { notes } = record.untrusted
  if (typeof notes === 'string') record.untrusted['notes'] = cut(notes, 200)
  return record
}
