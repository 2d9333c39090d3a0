import type { Db } from '../../../platform/db.ts'
import { isId } from '../../../platform/ids.ts'
import { isoText } from '../../../platform/sql/iso-text.ts'
import {
  decimal,
  float,
  instant,
  integer,
  json,
  type Row,
  row,
  select,
  text,
} from '../../../platform/sql/row.ts'
import { empty, type Fragment, type Params, raw, sql } from '../../../platform/sql/sql.ts'
import { many, maybeOne, run } from '../../../platform/sql/statements.ts'
import { changedList } from '../../kernel/changed-lists.ts'
import { installationsList } from '../../kernel/installation-lists.ts'
import { numberedList } from '../../kernel/numbered-lists.ts'
import type { Panel } from './panel.ts'
import { changedAt, isMine, type Named, type RecordScope, record } from './queries.ts'

// As installations are, a panel is read as the JSON that it is answered with. `panelRecord` says the same.
const panelMembers = sql`'{"id":"' || r.id || '","name":' || to_json(r.name)::text
  || ',"capacity_kw":' || trim_scale(r.capacity_kw) || ',"status":"' || r.status
  || '","daily_output_kwh":' || coalesce(latest.kwh, 0) || ',"installation_id":"' || r.installation_id || '"'`
const updated = (at: Fragment) => sql`',"updated_at":"' || ${at} || '"}'`

/**
 * What panels made last is looked for from the day on that another of the page has last: all days of a panel that stand on
 * one page of the index would be read otherwise, at twice the time for the whole list.
 */
const listedPanels = ({ installerId }: Params<{ installerId: string }>) => {
  const latestFrom = (since: Fragment) =>
    sql`(select microkwh from panel_days where installer_id = ${installerId} and panel_id = r.id ${since}
        order by day desc limit 1)`
  return {
    table: 'panels',
    listed: sql`and l.deleted_at is null`,
    columns: sql`l.id, l.name, l.capacity_kw, l.status, l.installation_id, l.created_at, l.updated_at`,
    json: sql`${panelMembers} || ${updated(isoText(changedAt('r')))}`,
    found: sql`, usual as (
        select day from panel_days where installer_id = ${installerId} and panel_id = (select min(id) from page)
        order by day desc limit 1
      )`,
    joined: sql`cross join lateral (
        select trim_scale(coalesce(${latestFrom(sql`and day >= (select day from usual)`)}, ${latestFrom(empty)})
          * 0.000001) as kwh
      ) latest`,
  }
}

/** Newest registered first. */
export const panelList = numberedList(($) => ({
  ...listedPanels($),
  order: { id: text },
  filters: ['status'],
  counts: { table: 'panel_counts', column: 'panels' },
}))

export const panelsOfInstallation = installationsList(($) => ({
  ...listedPanels($),
  order: { id: text },
  filters: ['status'],
}))

export const changedPanels = changedList(($) => ({
  ...listedPanels($),
  changed: changedAt('l'),
  ofInstallation: true,
  filters: ['status'],
}))

const panelsWithLatestDay = ({
  installerId,
}: Params<{ installerId: string }>) => sql`panels r left join lateral (
    select trim_scale(microkwh * 0.000001) as kwh from panel_days
    where installer_id = ${installerId} and panel_id = r.id order by day desc limit 1
  ) latest on true`

const panelRecordById = maybeOne(
  record,
  ($: Params<Named>) => sql`
    select ${panelMembers} || ',"metadata":' || r.metadata::text
      || ',"created_at":"' || ${isoText('r.created_at')} || '"' || ${updated(isoText(changedAt('r')))} as record
    from ${panelsWithLatestDay($)} where ${isMine($)} `,
  { shared: 'read' },
)

/** A panel as the catalogue API reads it. */
export async function readPanel(
  db: Db,
  { installerId, companyId }: RecordScope,
  id: string,
): Promise<string | null> {
  if (!isId(id, 'pnl')) return null
  return (await panelRecordById(db, { installerId, companyId, id }))?.record ?? null
}

export const storedPanel: Row<Panel> = row<Panel>({
  installerId: text,
  id: text,
  companyId: text,
  installationId: text,
  name: text,
  capacityKw: decimal,
  status: text,
  metadata: json,
  version: integer,
  createdAt: instant,
  updatedAt: instant,
})
export const storedPanelColumns = (of: string) => select(storedPanel, of, { updatedAt: raw(changedAt(of)) })

type PanelWithLatest = Panel & { dailyOutputKwh: number }
const panelWithLatest: Row<PanelWithLatest> = { columns: { ...storedPanel.columns, dailyOutputKwh: float } }

const withLatest = select(panelWithLatest, 'r', {
  dailyOutputKwh: sql`coalesce(latest.kwh, 0)::float8`,
  updatedAt: raw(changedAt('r')),
})

const panelById = maybeOne(
  panelWithLatest,
  ($: Params<Named>) => sql`
    select ${withLatest}
    from ${panelsWithLatestDay($)} where ${isMine($)}`,
  { shared: 'read' },
)

export interface FoundPanel {
  panel: Panel
  dailyOutputKwh: number
}

export async function findPanel(
  db: Db,
  { installerId, companyId }: RecordScope,
  id: string,
): Promise<FoundPanel | null> {
  const found = isId(id, 'pnl') ? await panelById(db, { installerId, companyId, id }) : null
  if (!found) return null
  const { dailyOutputKwh, ...panel } = found
  return { panel, dailyOutputKwh }
}

/** Those of an installation that are there, behind one of them in order. */
export const listPanelsOf = many(
  panelWithLatest,
  ($: Params<{ installerId: string; installationId: string; after: string; limit: number }>) => sql`
    select ${withLatest} from ${panelsWithLatestDay($)}
    where r.installer_id = ${$.installerId} and r.installation_id = ${$.installationId} and r.id > ${$.after}
      and r.deleted_at is null
    order by r.id limit ${$.limit}`,
)

type WrittenPanel = Omit<Panel, 'metadata'> & { metadata: string }
const asWritten = (panel: Panel): WrittenPanel => ({ ...panel, metadata: JSON.stringify(panel.metadata) })

const countedInStatus = ($: Params<Pick<Panel, 'installerId' | 'companyId' | 'status'>>) => sql`
    insert into panel_counts as c (installer_id, company_id, status, panels, changes)
    values (${$.installerId}, ${$.companyId}, ${$.status}, 1, 1)
    on conflict (installer_id, company_id, status) do update set panels = c.panels + 1, changes = c.changes + 1`

// A panel that comes or goes changes what its installation reads and what its company has in its status.
const insertWritten = run(
  ($: Params<WrittenPanel>) => sql`with panel as (
      insert into panels (installer_id, id, company_id, installation_id, name, capacity_kw, status, metadata, version,
        created_at, updated_at)
      values (${$.installerId}, ${$.id}, ${$.companyId}, ${$.installationId}, ${$.name}, ${$.capacityKw}, ${$.status},
        ${$.metadata}, ${$.version}, ${$.createdAt}, ${$.updatedAt})
    ), installation as (
      update installations set panel_count = panel_count + 1, panels_kw = panels_kw + ${$.capacityKw},
        version = version + 1, updated_at = ${$.updatedAt}
      where installer_id = ${$.installerId} and id = ${$.installationId}
    ) ${countedInStatus($)}`,
)

export const insertPanel = (tx: Db, panel: Panel): Promise<void> => insertWritten(tx, asWritten(panel))

const updateWritten = run(
  ($: Params<WrittenPanel>) => sql`
    update panels set name = ${$.name}, status = ${$.status}, metadata = ${$.metadata}, version = ${$.version},
      updated_at = ${$.updatedAt}
    where installer_id = ${$.installerId} and id = ${$.id} and deleted_at is null`,
)

// Whether it is in service changes how complete the readings of its installation are, which goes by its version.
const moveStatusCount = run(
  ($: Params<Panel & { before: string }>) => sql`with installation as (
      update installations set version = version + 1, updated_at = ${$.updatedAt}
      where installer_id = ${$.installerId} and id = ${$.installationId}
    ), less as (
      update panel_counts set panels = panels - 1, changes = changes + 1
      where installer_id = ${$.installerId} and company_id = ${$.companyId} and status = ${$.before}
    ) ${countedInStatus($)}`,
)

export async function updatePanelRow(tx: Db, before: Panel, after: Panel): Promise<void> {
  await updateWritten(tx, asWritten(after))
  if (after.status !== before.status) await moveStatusCount(tx, { ...after, before: before.status })
}

/** `version` is that of its removal. */
export const deletePanelRow = run(
  ($: Params<Panel & { at: Date }>) => sql`with panel as (
      update panels set deleted_at = ${$.at}, version = ${$.version}, updated_at = ${$.at}
      where installer_id = ${$.installerId} and id = ${$.id} and deleted_at is null
    ), installation as (
      update installations set panel_count = panel_count - 1, panels_kw = panels_kw - ${$.capacityKw}::numeric,
        version = version + 1, updated_at = ${$.at}
      where installer_id = ${$.installerId} and id = ${$.installationId}
    )
    update panel_counts set panels = panels - 1, changes = changes + 1
    where installer_id = ${$.installerId} and company_id = ${$.companyId} and status = ${$.status}`,
)
