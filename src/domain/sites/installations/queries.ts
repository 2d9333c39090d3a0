import type { Db, Statement } from '../../../platform/db.ts'
import { isId } from '../../../platform/ids.ts'
import type { Reach } from '../../kernel/context.ts'
import type { NumberedList } from '../../kernel/numbered-lists.ts'
import type { Installation } from './installation.ts'
import type { Panel } from './panel.ts'

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

const latestFrom = (since: string) =>
  `(select microkwh from panel_days where installer_id = $1 and panel_id = r.id${since} order by day desc limit 1)`

/**
 * Newest registered first. What panels made last is looked for from the day on that another of the page has last: all
 * days of a panel that stand on one page of the index would be read otherwise, at twice the time for the whole list.
 */
export const panelList: NumberedList = {
  table: 'panels',
  order: [{ name: 'id', type: 'text' }],
  listed: ' and l.deleted_at is null',
  columns: 'l.id, l.name, l.capacity_kw, l.status',
  json: `${panelMembers} || '}'`,
  found: `, usual as (
        select day from panel_days where installer_id = $1 and panel_id = (select min(id) from page)
        order by day desc limit 1
      )`,
  joined: `cross join lateral (
        select trim_scale(coalesce(${latestFrom(' and day >= (select day from usual)')}, ${latestFrom('')}) * 0.000001) as kwh
      ) latest`,
  counts: { table: 'panel_counts', column: 'panels' },
}

/** Newest registered first. */
export const installationList: NumberedList = {
  table: 'installations',
  order: [{ name: 'id', type: 'text' }],
  listed: '',
  columns: 'l.id, l.name, l.address, l.region, l.panel_count',
  json: `${installationMembers} || ',"panel_count":' || r.panel_count || '}'`,
  found: '',
  joined: '',
  counts: { table: 'installation_counts', column: 'installations' },
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

const findInstallationStatement: Statement = {
  name: 'find-installation',
  text: `select installer_id as "installerId", id, company_id as "companyId", project_id as "projectId", name, address, region,
      timezone, capacity_kw as "capacityKw", panel_count as "panelCount", panels_kw as "panelsKw", version,
      created_at as "createdAt"
    from installations where installer_id = $1 and id = $2`,
}

/** For whoever knows whose it is. */
export async function findInstallation(
  db: Db,
  installerId: string,
  id: string,
): Promise<Installation | null> {
  const [row] = await db.query<Installation>(findInstallationStatement, [installerId, id])
  return row ?? null
}

const findReachedStatement: Statement = {
  shared: 'read',
  name: 'find-reached-installation',
  text: `select r.installer_id as "installerId", r.id, r.company_id as "companyId", r.project_id as "projectId", r.name,
      r.address, r.region, r.timezone, r.capacity_kw as "capacityKw", r.panel_count as "panelCount",
      r.panels_kw as "panelsKw", r.version, r.created_at as "createdAt"
    from installations r where r.installer_id = $1 and ${mine}`,
}

/** Null where it is not there for the caller. */
export async function findReachedInstallation(
  db: Db,
  { installerId, companyId }: Pick<Reach, 'installerId' | 'companyId'>,
  id: string,
): Promise<Installation | null> {
  if (!isId(id, 'inst')) return null
  const [row] = await db.query<Installation>(findReachedStatement, [installerId, id, companyId])
  return row ?? null
}

const updateInstallationStatement: Statement = {
  name: 'update-installation',
  text: `update installations set name = $3, address = $4, region = $5, timezone = $6, version = $7
    where installer_id = $1 and id = $2`,
}

const moveRegionCount: Statement = {
  name: 'move-installation-count',
  text: `with less as (
      update installation_counts set installations = installations - 1, changes = changes + 1
      where installer_id = $1 and company_id = $2 and region = $3
    )
    insert into installation_counts as c (installer_id, company_id, region, installations, changes)
    values ($1, $2, $4, 1, 1) on conflict (installer_id, company_id, region)
      do update set installations = c.installations + 1, changes = c.changes + 1`,
}

export async function updateInstallation(tx: Db, before: Installation, after: Installation): Promise<void> {
  const { installerId, companyId, id, name, address, region, timezone, version } = after
  await tx.query(updateInstallationStatement, [installerId, id, name, address, region, timezone, version])
  if (region !== before.region)
    await tx.query(moveRegionCount, [installerId, companyId, before.region, region])
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
  text: `with installation as (
      insert into installations (installer_id, id, company_id, name, address, region, timezone, capacity_kw, version, created_at)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
    )
    insert into installation_counts as c (installer_id, company_id, region, installations, changes) values ($1, $3, $6, 1, 1)
    on conflict (installer_id, company_id, region)
      do update set installations = c.installations + 1, changes = c.changes + 1`,
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
    insert into panel_counts as c (installer_id, company_id, status, panels, changes) values ($1, $3, $7, 1, 1)
    on conflict (installer_id, company_id, status) do update set panels = c.panels + 1, changes = c.changes + 1`,
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

// Whether it is in service changes how complete the readings of its installation are, which goes by its version.
const moveCount: Statement = {
  name: 'move-panel-count',
  text: `with installation as (
      update installations set version = version + 1 where installer_id = $1 and id = $5
    ), less as (
      update panel_counts set panels = panels - 1, changes = changes + 1
      where installer_id = $1 and company_id = $2 and status = $3
    )
    insert into panel_counts as c (installer_id, company_id, status, panels, changes) values ($1, $2, $4, 1, 1)
    on conflict (installer_id, company_id, status) do update set panels = c.panels + 1, changes = c.changes + 1`,
}

export async function updatePanel(tx: Db, before: Panel, after: Panel): Promise<void> {
  const { installerId, companyId, id, name, status, metadata, version } = after
  await tx.query(updatePanelStatement, [installerId, id, name, status, JSON.stringify(metadata), version])
  if (status !== before.status)
    await tx.query(moveCount, [installerId, companyId, before.status, status, after.installationId])
}

const removePanelStatement: Statement = {
  name: 'remove-panel',
  text: `with panel as (
      update panels set deleted_at = $3, version = $4 where installer_id = $1 and id = $2 and deleted_at is null
    ), installation as (
      update installations set panel_count = panel_count - 1, panels_kw = panels_kw - $6::numeric, version = version + 1
      where installer_id = $1 and id = $5
    )
    update panel_counts set panels = panels - 1, changes = changes + 1
    where installer_id = $1 and company_id = $7 and status = $8`,
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
