import type { Db } from '../../../platform/db.ts'
import { json, row, text } from '../../../platform/sql/row.ts'
import { type Params, pick, raw, sql } from '../../../platform/sql/sql.ts'
import { many, run, scalars } from '../../../platform/sql/statements.ts'
import { actorText, type TimedMessage, timedMessagesParts, timedRows } from '../../journal/events/messages.ts'
import { type Deal, type DealRow, dealFrom, dealSelect } from '../changes/deal.ts'
import type { ProjectRenderings } from '../projects/render.ts'
import { shown } from '../projects/shown.ts'

/** What a rendering is made from besides its record. */
export type Source = 'member' | 'stage' | 'company'

/** The leads that show something, themselves or in their project. */
export const leadsShowing = scalars(
  { id: text },
  ($: Params<{ installerId: string; source: Source; id: string }>) => {
    const of = (table: string, id: string, slot: string) =>
      sql`select ${raw(id)} as id from ${raw(table)} where installer_id = ${$.installerId} and ${raw(slot)} = ${$.id}`
    return pick($.source, {
      member: sql`${of('leads', 'id', 'sales_rep_id')}
        union ${of('leads', 'id', 'setter_id')}
        union ${of('projects', 'lead_id', 'project_manager_id')}
        union ${of('projects', 'lead_id', 'site_surveyor_id')}
        union ${of('projects', 'lead_id', 'subcontractor_id')}
        order by 1`,
      stage: sql`${of('projects', 'lead_id', 'stage_id')} order by 1`,
      company: sql`${of('projects', 'lead_id', 'company_id')} order by 1`,
    })
  },
)

export const listLeadIds = scalars(
  { id: text },
  ($: Params<{ installerId: string; after: string; limit: number }>) => sql`
    select id from leads where installer_id = ${$.installerId} and id > ${$.after} order by id limit ${$.limit}`,
)

/** Everything that is stored of a project's readings. */
export type ProjectTexts = ProjectRenderings & { legacy: string | null }

export interface RenderedDeal extends Deal {
  stored: { lead: string; project: ProjectTexts | null }
}

type RenderedRow = DealRow & {
  rendering: string
  rowRendering: string | null
  fullRendering: string | null
  dealerRendering: string | null
  legacyRendering: string | null
}

const renderedDeals = many(
  row<RenderedRow>({
    lead: json,
    project: json,
    files: json,
    rendering: text,
    rowRendering: text,
    fullRendering: text,
    dealerRendering: text,
    legacyRendering: text,
  }),
  ($: Params<{ installerId: string; leadIds: readonly string[] }>) => sql`
    ${dealSelect}, lead.rendering, ${shown('project.row_rendering', 'project')} as "rowRendering",
      ${shown('project.rendering', 'project')} as "fullRendering",
      ${shown('project.dealer_rendering', 'project')} as "dealerRendering",
      project.legacy_rendering as "legacyRendering"
    from leads lead left join projects project
      on project.installer_id = lead.installer_id and project.id = lead.project_id
    where lead.installer_id = ${$.installerId} and lead.id = any(${$.leadIds}::text[])`,
)

export async function loadRenderedDeals(
  db: Db,
  installerId: string,
  leadIds: string[],
): Promise<RenderedDeal[]> {
  const found = await renderedDeals(db, { installerId, leadIds })
  return found.map((deal) => ({
    ...dealFrom(deal),
    stored: {
      lead: deal.rendering,
      project: deal.fullRendering
        ? {
            row: deal.rowRendering!,
            full: deal.fullRendering,
            dealer: deal.dealerRendering,
            legacy: deal.legacyRendering,
          }
        : null,
    },
  }))
}

type Times = readonly string[]
type Texts = readonly (string | null)[]

const saveLeads = run(
  ($: Params<{ installerId: string; ids: Texts; times: Times; renderings: Texts }>) => sql`
    update leads r set updated_at = s.at, rendering = s.rendering
    from unnest(${$.ids}::text[], ${$.times}::timestamptz[], ${$.renderings}::text[]) as s(id, at, rendering)
    where r.installer_id = ${$.installerId} and r.id = s.id`,
)

interface SavedProjects {
  installerId: string
  ids: Texts
  times: Times
  rows: Texts
  full: Texts
  dealers: Texts
  legacy: Texts
}

const saveProjects = run(
  ($: Params<SavedProjects>) => sql`
    update projects r set updated_at = s.at, row_rendering = s.row, rendering = s.full_text,
      dealer_rendering = s.dealer, legacy_rendering = s.legacy
    from unnest(${$.ids}::text[], ${$.times}::timestamptz[], ${$.rows}::text[], ${$.full}::text[],
      ${$.dealers}::text[], ${$.legacy}::text[]) as s(id, at, row, full_text, dealer, legacy)
    where r.installer_id = ${$.installerId} and r.id = s.id`,
)

interface SavedEvents {
  installerId: string
  times: Times
  types: Texts
  companyIds: Texts
  leadIds: Texts
  projectIds: Texts
  subjectIds: Texts
  messages: string
  count: number
  actor: string
}

const saveEvents = run(
  ($: Params<SavedEvents>) => sql`with events_written as (
      insert into events (installer_id, at, ordinal, type, company_id, lead_id, project_id, subject_id, actor_kind)
      select ${$.installerId}, e.at, 0, e.type, e.company_id, e.lead_id, e.project_id, e.subject_id, 'job'
      from unnest(${$.times}::timestamptz[], ${$.types}::text[], ${$.companyIds}::text[], ${$.leadIds}::text[],
        ${$.projectIds}::text[], ${$.subjectIds}::text[])
        as e(at, type, company_id, lead_id, project_id, subject_id)
    ), ${timedMessagesParts({ installerId: $.installerId, rows: $.messages, count: $.count, actor: $.actor })}
    select wake_webhooks(${$.installerId})`,
)

export interface Rerendered<R> {
  id: string
  at: Date
  renderings: R
  deal: RenderedDeal
}

export async function saveRenderings(
  tx: Db,
  installerId: string,
  leads: Rerendered<string>[],
  projects: Rerendered<ProjectTexts>[],
  messages: readonly TimedMessage[],
): Promise<void> {
  const ids = (records: Rerendered<unknown>[]) => records.map((r) => r.id)
  const times = (records: Rerendered<unknown>[]) => records.map((r) => r.at.toISOString())
  if (leads.length > 0) {
    const renderings = leads.map((lead) => lead.renderings)
    await saveLeads(tx, { installerId, ids: ids(leads), times: times(leads), renderings })
  }
  if (projects.length > 0) {
    const renderings = projects.map((project) => project.renderings)
    await saveProjects(tx, {
      installerId,
      ids: ids(projects),
      times: times(projects),
      rows: renderings.map((r) => r.row),
      full: renderings.map((r) => r.full),
      dealers: renderings.map((r) => r.dealer),
      legacy: renderings.map((r) => r.legacy),
    })
  }
  const all = [...leads, ...projects]
  await saveEvents(tx, {
    installerId,
    times: times(all),
    types: [...leads.map(() => 'lead.updated'), ...projects.map(() => 'project.updated')],
    companyIds: all.map((r) => r.deal.lead.companyId),
    leadIds: all.map((r) => r.deal.lead.id),
    projectIds: all.map((r) => r.deal.project?.id ?? null),
    subjectIds: ids(all),
    messages: timedRows(messages),
    count: messages.length,
    actor: actorText({ kind: 'job', id: null, name: null }),
  })
}
