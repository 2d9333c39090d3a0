import type { Db, Statement } from '../../../platform/db.ts'
import { compile, raw } from '../../../platform/sql/sql.ts'
import { messageRows, type TimedMessage, timedMessagesParts } from '../../journal/events/messages.ts'
import { type Deal, type DealRow, dealFrom, dealSelect } from '../changes/deal.ts'
import type { ProjectRenderings } from '../projects/render.ts'

/** What a rendering is made from besides its record. */
export type Source = 'member' | 'stage' | 'company'

const showing: Record<Source, Statement> = {
  member: {
    name: 'leads-showing-member',
    text: `select id from leads where installer_id = $1 and sales_rep_id = $2
      union select id from leads where installer_id = $1 and setter_id = $2
      union select lead_id from projects where installer_id = $1 and project_manager_id = $2
      union select lead_id from projects where installer_id = $1 and site_surveyor_id = $2
      union select lead_id from projects where installer_id = $1 and subcontractor_id = $2
      order by 1`,
  },
  stage: {
    name: 'leads-showing-stage',
    text: 'select lead_id as id from projects where installer_id = $1 and stage_id = $2 order by 1',
  },
  company: {
    name: 'leads-showing-company',
    text: 'select lead_id as id from projects where installer_id = $1 and company_id = $2 order by 1',
  },
}

/** The leads that show something, themselves or in their project. */
export async function leadsShowing(
  db: Db,
  installerId: string,
  source: Source,
  id: string,
): Promise<string[]> {
  return (await db.query<{ id: string }>(showing[source], [installerId, id])).map((row) => row.id)
}

const leadIdsAfter: Statement = {
  name: 'lead-ids-after',
  text: 'select id from leads where installer_id = $1 and id > $2 order by id limit $3',
}

export async function listLeadIds(
  db: Db,
  installerId: string,
  after: string,
  limit: number,
): Promise<string[]> {
  return (await db.query<{ id: string }>(leadIdsAfter, [installerId, after, limit])).map((row) => row.id)
}

/** Everything that is stored of a project's readings. */
export type ProjectTexts = ProjectRenderings & { legacy: string | null }

export interface RenderedDeal extends Deal {
  stored: { lead: string; project: ProjectTexts | null }
}

const renderedDeals: Statement = {
  name: 'rendered-deals',
  text: `${dealSelect}, lead.rendering, project.row_rendering, project.rendering as full_rendering, project.dealer_rendering,
      project.legacy_rendering
    from leads lead left join projects project
      on project.installer_id = lead.installer_id and project.id = lead.project_id
    where lead.installer_id = $1 and lead.id = any($2)`,
}

export async function loadRenderedDeals(
  db: Db,
  installerId: string,
  leadIds: string[],
): Promise<RenderedDeal[]> {
  const rows = await db.query<DealRow & Record<string, string | null>>(renderedDeals, [installerId, leadIds])
  return rows.map((row) => ({
    ...dealFrom(row),
    stored: {
      lead: row.rendering!,
      project: row.full_rendering
        ? {
            row: row.row_rendering!,
            full: row.full_rendering,
            dealer: row.dealer_rendering ?? null,
            legacy: row.legacy_rendering ?? null,
          }
        : null,
    },
  }))
}

const saveLeads: Statement = {
  name: 'save-lead-renderings',
  text: `update leads r set updated_at = s.at, rendering = s.rendering
    from unnest($2::text[], $3::timestamptz[], $4::text[]) as s(id, at, rendering)
    where r.installer_id = $1 and r.id = s.id`,
}

const saveProjects: Statement = {
  name: 'save-project-renderings',
  text: `update projects r set updated_at = s.at, row_rendering = s.row, rendering = s.full_text,
      dealer_rendering = s.dealer, legacy_rendering = s.legacy
    from unnest($2::text[], $3::timestamptz[], $4::text[], $5::text[], $6::text[], $7::text[])
      as s(id, at, row, full_text, dealer, legacy)
    where r.installer_id = $1 and r.id = s.id`,
}

const saveEvents: Statement = {
  name: 'save-rendering-events',
  text: `with events_written as (
      insert into events (installer_id, at, ordinal, type, company_id, lead_id, project_id, subject_id, actor_kind)
      select $1, e.at, 0, e.type, e.company_id, e.lead_id, e.project_id, e.subject_id, 'job'
      from unnest($2::timestamptz[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[])
        as e(at, type, company_id, lead_id, project_id, subject_id)
    ), ${compile(timedMessagesParts({ installerId: raw('$1'), rows: raw('$8') }), {}).text}
    select wake_webhooks($1)`,
}

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
    await tx.query(saveLeads, [installerId, ids(leads), times(leads), leads.map((l) => l.renderings)])
  }
  if (projects.length > 0) {
    const { renderings } = { renderings: projects.map((p) => p.renderings) }
    await tx.query(saveProjects, [
      installerId,
      ids(projects),
      times(projects),
      renderings.map((r) => r.row),
      renderings.map((r) => r.full),
      renderings.map((r) => r.dealer),
      renderings.map((r) => r.legacy),
    ])
  }
  const all = [...leads, ...projects]
  await tx.query(saveEvents, [
    installerId,
    times(all),
    [...leads.map(() => 'lead.updated'), ...projects.map(() => 'project.updated')],
    all.map((r) => r.deal.lead.companyId),
    all.map((r) => r.deal.lead.id),
    all.map((r) => r.deal.project?.id ?? null),
    ids(all),
    messageRows(messages),
  ])
}
