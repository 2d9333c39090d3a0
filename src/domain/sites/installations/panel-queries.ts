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
import { empty, type Fragment, type Params, sql } from '../../../platform/sql/sql.ts'
import { maybeOne, run } from '../../../platform/sql/statements.ts'
import { numberedList } from '../../kernel/numbered-lists.ts'
import type { Panel } from './panel.ts'
import { isMine, type Named, type RecordScope, record } from './queries.ts'

// As installations are, a panel is read as the JSON that it is answered with. `panelRecord` says the same.
const panelMembers = sql`'{"id":"' || r.id || '","name":' || to_json(r.name)::text
  || ',"capacity_kw":' || trim_scale(r.capacity_kw) || ',"status":"' || r.status
  || '","daily_output_kwh":' || coalesce(latest.kwh, 0)`

/**
 * Newest registered first. What panels made last is looked for from the day on that another of the page has last: all
 * days of a panel that stand on one page of the index would be read otherwise, at twice the time for the whole list.
 */
export const panelList = numberedList(({ installerId }) => {
  const latestFrom = (since: Fragment) =>
    sql`(select microkwh from panel_days where installer_id = ${installerId} and panel_id = r.id ${since}
        order by day desc limit 1)`
  return {
    table: 'panels',
    order: { id: text },
    filters: ['status'],
    listed: sql`and l.deleted_at is null`,
    columns: sql`l.id, l.name, l.capacity_kw, l.status`,
    json: sql`${panelMembers} || '}'`,
    found: sql`, usual as (
        select day from panel_days where installer_id = ${installerId} and panel_id = (select min(id) from page)
        order by day desc limit 1
      )`,
    joined: sql`cross join lateral (
        select trim_scale(coalesce(${latestFrom(sql`and day >= (select day from usual)`)}, ${latestFrom(empty)})
          * 0.000001) as kwh
      ) latest`,
    counts: { table: 'panel_counts', column: 'panels' },
  }
})

const panelsWithLatestDay = ({ installerId }: Params<Named>) => sql`panels r left join lateral (
    select trim_scale(microkwh * 0.000001) as kwh from panel_days
    where installer_id = ${installerId} and panel_id = r.id order by day desc limit 1
  ) latest on true`

const panelRecordById = maybeOne(
  record,
  ($: Params<Named>) => sql`
    select ${panelMembers} || ',"installation_id":"' || r.installation_id || '","metadata":' || r.metadata::text
      || ',"created_at":"' || ${isoText('r.created_at')} || '"}' as record
    from ${panelsWithLatestDay($)} where ${isMine($)} and r.deleted_at is null`,
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
})

type PanelWithLatest = Panel & { dailyOutputKwh: number }
const panelWithLatest: Row<PanelWithLatest> = { columns: { ...storedPanel.columns, dailyOutputKwh: float } }

const panelById = maybeOne(
  panelWithLatest,
  ($: Params<Named>) => sql`
    select ${select(panelWithLatest, 'r', { dailyOutputKwh: sql`coalesce(latest.kwh, 0)::float8` })}
    from ${panelsWithLatestDay($)} where ${isMine($)} and r.deleted_at is null`,
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
        created_at)
      values (${$.installerId}, ${$.id}, ${$.companyId}, ${$.installationId}, ${$.name}, ${$.capacityKw}, ${$.status},
        ${$.metadata}, ${$.version}, ${$.createdAt})
    ), installation as (
      update installations set panel_count = panel_count + 1, panels_kw = panels_kw + ${$.capacityKw},
        version = version + 1
      where installer_id = ${$.installerId} and id = ${$.installationId}
    ) ${countedInStatus($)}`,
)

export const insertPanel = (tx: Db, panel: Panel): Promise<void> => insertWritten(tx, asWritten(panel))

const updateWritten = run(
  ($: Params<WrittenPanel>) => sql`
    update panels set name = ${$.name}, status = ${$.status}, metadata = ${$.metadata}, version = ${$.version}
    where installer_id = ${$.installerId} and id = ${$.id} and deleted_at is null`,
)

// Whether it is in service changes how complete the readings of its installation are, which goes by its version.
const moveStatusCount = run(
  ($: Params<Panel & { before: string }>) => sql`with installation as (
      update installations set version = version + 1
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
      update panels set deleted_at = ${$.at}, version = ${$.version}
      where installer_id = ${$.installerId} and id = ${$.id} and deleted_at is null
    ), installation as (
      update installations set panel_count = panel_count - 1, panels_kw = panels_kw - ${$.capacityKw}::numeric,
        version = version + 1
      where installer_id = ${$.installerId} and id = ${$.installationId}
    )
    update panel_counts set panels = panels - 1, changes = changes + 1
    where installer_id = ${$.installerId} and company_id = ${$.companyId} and status = ${$.status}`,
)
