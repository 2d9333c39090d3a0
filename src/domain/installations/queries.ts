import type { Db, Statement } from '../../platform/db.ts'
import { isId } from '../../platform/ids.ts'
import type { Reach } from '../context.ts'
import type { Installation } from './installation.ts'
import type { Panel, PanelStatus } from './panel.ts'

// Records are read as the JSON that they are answered with, made by the database: a page of them is one
// text, and nothing is left to be done here. `panelRecord` and `installationRecord` say the same.
const utc = (column: string) => `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

const panelMembers = `'{"id":"' || r.id || '","name":' || to_json(r.name)::text
  || ',"capacity_kw":' || trim_scale(r.capacity_kw) || ',"status":"' || r.status
  || '","daily_output_kwh":' || coalesce(latest.kwh, 0)`

const latestDay = `left join lateral (
    select trim_scale(microkwh * 0.000001) as kwh from panel_days
    where installer_id = $1 and panel_id = r.id order by day desc limit 1
  ) latest on true`

const installationMembers = `'{"id":"' || r.id || '","name":' || to_json(r.name)::text
  || ',"address":' || to_json(r.address)::text || ',"region":' || to_json(r.region)::text`

/** A list that is asked for by the number of the page, newest registered first. */
interface List {
  table: 'panels' | 'installations'
  /** What the page is made of. */
  columns: string
  json: string
  joined: string
  listed: string
  /** How many there are; the filters follow it. */
  total: string
}

const panelList: List = {
  table: 'panels',
  columns: 'id, name, capacity_kw, status',
  json: `${panelMembers} || '}'`,
  joined: latestDay,
  listed: ' and deleted_at is null',
  total: 'select coalesce(sum(panels), 0)::int as total from panel_counts where installer_id = $1',
}

const installationList: List = {
  table: 'installations',
  columns: 'id, name, address, region, panel_count',
  json: `${installationMembers} || ',"panel_count":' || r.panel_count || '}'`,
  joined: '',
  listed: '',
  total: 'select count(*)::int as total from installations where installer_id = $1',
}

export interface Listed {
  /** The records' JSON, joined by commas. */
  records: string
  total: number
}

const most = 100
// So far down a page is found quickly enough to be asked for among other short statements.
const sharedUpTo = 1_000
const statements = new Map<string, Statement>()

/**
 * A page is an index range that begins with its first record, which is counted down to in the index
 * alone. The inner limit is a constant, as a limit that is a parameter makes the planner expect a tenth
 * of the table and sort it. Past the end nothing is counted.
 */
function listStatement(list: List, filters: string[], further: boolean, shared: boolean): Statement {
  const name = [`list-${list.table}`, ...filters, further ? 'further' : '', shared ? 'shared' : ''].join(' ')
  const known = statements.get(name)
  if (known) return known
  const { table, columns, json, joined, listed, total } = list
  const filter = filters.map((column, i) => ` and ${column} = $${i + 3}`).join('')
  const offset = `$${filters.length + 3}::bigint`
  const start = `(select id from ${table} where installer_id = $1${listed}${filter}
        order by id desc offset ${offset} limit case when ${offset} < (select total from counted) then 1 else 0 end)`
  const statement: Statement = {
    ...(shared ? { shared: 'read' as const } : {}),
    name,
    text: `with counted as (${total}${filter})
      select coalesce(string_agg(${json}, ','), '') as records, (select total from counted) as total
      from (
        select * from (
          select ${columns} from ${table} where installer_id = $1${listed}${filter}${further ? ` and id <= ${start}` : ''}
          order by id desc limit ${most}
        ) most limit $2
      ) r ${joined}`,
  }
  statements.set(name, statement)
  return statement
}

async function readList(
  db: Db,
  list: List,
  { installerId, companyId }: Reach,
  filter: Record<string, string | undefined>,
  { perPage, before }: PageOf,
  mayShare: boolean,
): Promise<Listed> {
  const conditions = Object.entries({ company_id: companyId ?? undefined, ...filter }).filter(
    ([, value]) => value !== undefined,
  )
  const further = before > 0
  const statement = listStatement(
    list,
    conditions.map(([column]) => column),
    further,
    mayShare && before <= sharedUpTo,
  )
  const values = [installerId, perPage, ...conditions.map(([, value]) => value)]
  const [row] = await db.query<Listed>(statement, further ? [...values, before] : values)
  return row!
}

/** A page of so many records, after so many others. */
export interface PageOf {
  perPage: number
  before: number
}

/** A page of panels, as the catalogue API lists them. */
export function listPanels(
  db: Db,
  reach: Reach,
  status: PanelStatus | undefined,
  page: PageOf,
): Promise<Listed> {
  return readList(db, panelList, reach, { status }, page, true)
}

/** A page of installations, as the catalogue API lists them. They are counted, which may take a while. */
export function listInstallations(
  db: Db,
  reach: Reach,
  region: string | undefined,
  page: PageOf,
): Promise<Listed> {
  return readList(db, installationList, reach, { region }, page, false)
}

const mine = `r.id = $2 and ($3::text is null or r.company_id = $3)`

const readPanelStatement: Statement = {
  shared: 'read',
  name: 'read-panel',
  text: `select ${panelMembers} || ',"installation_id":"' || r.installation_id || '","metadata":' || r.metadata::text
      || ',"created_at":"' || ${utc('r.created_at')} || '"}' as json
    from panels r ${latestDay} where r.installer_id = $1 and ${mine} and r.deleted_at is null`,
}

/** A panel as the catalogue API reads it. */
export async function readPanel(db: Db, reach: Reach, id: string): Promise<string | null> {
  return isId(id, 'pnl') ? readJson(db, readPanelStatement, reach, id) : null
}

const readInstallationStatement: Statement = {
  shared: 'read',
  name: 'read-installation',
  text: `select ${installationMembers} || ',"timezone":' || to_json(r.timezone)::text
      || ',"panel_count":' || r.panel_count || ',"capacity_kw":' || trim_scale(coalesce(r.capacity_kw, r.panels_kw))
      || ',"project_id":' || coalesce('"' || r.project_id || '"', 'null')
      || ',"created_at":"' || ${utc('r.created_at')} || '"}' as json
    from installations r where r.installer_id = $1 and ${mine}`,
}

/** An installation as the catalogue API reads it. */
export async function readInstallation(db: Db, reach: Reach, id: string): Promise<string | null> {
  return isId(id, 'inst') ? readJson(db, readInstallationStatement, reach, id) : null
}

async function readJson(db: Db, statement: Statement, reach: Reach, id: string): Promise<string | null> {
  const [row] = await db.query<{ json: string }>(statement, [reach.installerId, id, reach.companyId])
  return row?.json ?? null
}

const installationOwner: Statement = {
  shared: 'read',
  name: 'installation-owner',
  text: `select r.company_id as owner from installations r where r.installer_id = $1 and ${mine}`,
}

/** The company that an installation belongs to; null where it is not there for the caller. */
export async function findInstallationOwner(db: Db, reach: Reach, id: string): Promise<string | null> {
  if (!isId(id, 'inst')) return null
  const values = [reach.installerId, id, reach.companyId]
  const [row] = await db.query<{ owner: string }>(installationOwner, values)
  return row?.owner ?? null
}

const findPanelStatement: Statement = {
  shared: 'read',
  name: 'find-panel',
  text: `select r.installer_id as "installerId", r.id, r.company_id as "companyId", r.installation_id as "installationId",
      r.name, r.capacity_kw as "capacityKw", r.status, r.metadata, r.version, r.created_at as "createdAt",
      coalesce(latest.kwh, 0)::float8 as "dailyOutputKwh"
    from panels r ${latestDay} where r.installer_id = $1 and ${mine} and r.deleted_at is null`,
}

export interface FoundPanel {
  panel: Panel
  dailyOutputKwh: number
}

export async function findPanel(db: Db, reach: Reach, id: string): Promise<FoundPanel | null> {
  if (!isId(id, 'pnl')) return null
  const values = [reach.installerId, id, reach.companyId]
  const [row] = await db.query<Panel & { dailyOutputKwh: number }>(findPanelStatement, values)
  if (!row) return null
  const { dailyOutputKwh, ...panel } = row
  return { panel, dailyOutputKwh }
}

const insertInstallationStatement: Statement = {
  name: 'insert-installation',
  text: `insert into installations (installer_id, id, company_id, name, address, region, timezone, capacity_kw, version, created_at)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
}

export async function insertInstallation(tx: Db, installation: Installation): Promise<void> {
  await tx.query(insertInstallationStatement, [
    installation.installerId,
    installation.id,
    installation.companyId,
    installation.name,
    installation.address,
    installation.region,
    installation.timezone,
    installation.capacityKw,
    installation.version,
    installation.createdAt.toISOString(),
  ])
}

// A panel that comes or goes changes what its installation reads and what its company has in its status.
const insertPanelStatement: Statement = {
  name: 'insert-panel',
  text: `with panel as (
      insert into panels (installer_id, id, company_id, installation_id, name, capacity_kw, status, metadata, version, created_at)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
    ), installation as (
      update installations set panel_count = panel_count + 1, panels_kw = panels_kw + $6, version = version + 1
      where installer_id = $1 and id = $4
    )
    insert into panel_counts as c (installer_id, company_id, status, panels) values ($1, $3, $7, 1)
    on conflict (installer_id, company_id, status) do update set panels = c.panels + 1`,
}

export async function insertPanel(tx: Db, panel: Panel): Promise<void> {
  await tx.query(insertPanelStatement, [
    panel.installerId,
    panel.id,
    panel.companyId,
    panel.installationId,
    panel.name,
    panel.capacityKw,
    panel.status,
    JSON.stringify(panel.metadata),
    panel.version,
    panel.createdAt.toISOString(),
  ])
}

const updatePanelStatement: Statement = {
  name: 'update-panel',
  text: `update panels set name = $3, status = $4, metadata = $5, version = $6
    where installer_id = $1 and id = $2 and deleted_at is null`,
}

const moveCount: Statement = {
  name: 'move-panel-count',
  text: `with less as (
      update panel_counts set panels = panels - 1 where installer_id = $1 and company_id = $2 and status = $3
    )
    insert into panel_counts as c (installer_id, company_id, status, panels) values ($1, $2, $4, 1)
    on conflict (installer_id, company_id, status) do update set panels = c.panels + 1`,
}

export async function updatePanel(tx: Db, before: Panel, after: Panel): Promise<void> {
  const { installerId, companyId, id, name, status, metadata, version } = after
  await tx.query(updatePanelStatement, [installerId, id, name, status, JSON.stringify(metadata), version])
  if (status !== before.status) await tx.query(moveCount, [installerId, companyId, before.status, status])
}

const removePanelStatement: Statement = {
  name: 'remove-panel',
  text: `with panel as (
      update panels set deleted_at = $3, version = $4 where installer_id = $1 and id = $2 and deleted_at is null
    ), installation as (
      update installations set panel_count = panel_count - 1, panels_kw = panels_kw - $6::numeric, version = version + 1
      where installer_id = $1 and id = $5
    )
    update panel_counts set panels = panels - 1 where installer_id = $1 and company_id = $7 and status = $8`,
}

export async function removePanel(tx: Db, panel: Panel, version: number, at: Date): Promise<void> {
  await tx.query(removePanelStatement, [
    panel.installerId,
    panel.id,
    at.toISOString(),
    version,
    panel.installationId,
    panel.capacityKw,
    panel.companyId,
    panel.status,
  ])
}
