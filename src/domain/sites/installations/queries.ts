import type { Db } from '../../../platform/db.ts'
import { isId } from '../../../platform/ids.ts'
import { isoText } from '../../../platform/sql/iso-text.ts'
import { decimal, instant, integer, row, select, text } from '../../../platform/sql/row.ts'
import { type Params, raw, sql } from '../../../platform/sql/sql.ts'
import { maybeOne, run } from '../../../platform/sql/statements.ts'
import { changedList } from '../../kernel/changed-lists.ts'
import type { Scope } from '../../kernel/context.ts'
import { numberedList } from '../../kernel/numbered-lists.ts'
import type { Installation } from './installation.ts'

// Records are read as the JSON that they are answered with, made by the database: a page of them is one
// text, and nothing is left to be done here. `installationRecord` says the same.
const installationMembers = sql`'{"id":"' || r.id || '","name":' || to_json(r.name)::text
  || ',"address":' || to_json(r.address)::text || ',"region":' || to_json(r.region)::text`

/** Of installations and panels: those that are older than this column have not changed since they were made. */
export const changedAt = (of: string): string => `coalesce(${of}.updated_at, ${of}.created_at)`

const listedInstallations = {
  table: 'installations',
  listed: sql`and l.deleted_at is null`,
  columns: sql`l.id, l.name, l.address, l.region, l.panel_count, l.created_at, l.updated_at`,
  json: sql`${installationMembers} || ',"panel_count":' || r.panel_count
    || ',"updated_at":"' || ${isoText(changedAt('r'))} || '"}'`,
}

/** Newest registered first. */
export const installationList = numberedList(() => ({
  ...listedInstallations,
  order: { id: text },
  filters: ['region'],
  counts: { table: 'installation_counts', column: 'installations' },
}))

export const changedInstallations = changedList(() => ({
  ...listedInstallations,
  changed: changedAt('l'),
  ofInstallation: false,
  filters: ['region'],
}))

export type RecordScope = Pick<Scope, 'installerId' | 'companyId'>
export type Named = RecordScope & { id: string }

export const isMine = ($: Params<Named>) => sql`r.installer_id = ${$.installerId} and r.id = ${$.id}
  and (${$.companyId}::text is null or r.company_id = ${$.companyId}) and r.deleted_at is null`

export const record = row<{ record: string }>({ record: text })

const installationRecordById = maybeOne(
  record,
  ($: Params<Named>) => sql`
    select ${installationMembers} || ',"timezone":' || to_json(r.timezone)::text
      || ',"panel_count":' || r.panel_count || ',"capacity_kw":' || trim_scale(coalesce(r.capacity_kw, r.panels_kw))
      || ',"project_id":' || coalesce('"' || r.project_id || '"', 'null')
      || ',"created_at":"' || ${isoText('r.created_at')}
      || '","updated_at":"' || ${isoText(changedAt('r'))} || '"}' as record
    from installations r where ${isMine($)}`,
  { shared: 'read' },
)

/** An installation as the catalogue API reads it. */
export async function readInstallation(
  db: Db,
  { installerId, companyId }: RecordScope,
  id: string,
): Promise<string | null> {
  if (!isId(id, 'inst')) return null
  return (await installationRecordById(db, { installerId, companyId, id }))?.record ?? null
}

const ownerById = maybeOne(
  row<{ owner: string }>({ owner: text }),
  ($: Params<Named>) => sql`select r.company_id as owner from installations r where ${isMine($)}`,
  { shared: 'read' },
)

/** The company that an installation belongs to; null where it is not there for the caller. */
export async function findInstallationOwner(
  db: Db,
  { installerId, companyId }: RecordScope,
  id: string,
): Promise<string | null> {
  if (!isId(id, 'inst')) return null
  return (await ownerById(db, { installerId, companyId, id }))?.owner ?? null
}

const installation = row<Installation>({
  installerId: text,
  id: text,
  companyId: text,
  projectId: text,
  name: text,
  address: text,
  region: text,
  timezone: text,
  capacityKw: decimal,
  panelCount: integer,
  panelsKw: decimal,
  version: integer,
  createdAt: instant,
  updatedAt: instant,
})
const installationColumns = select(installation, 'r', { updatedAt: raw(changedAt('r')) })

/** For whoever knows whose it is; null where it was deleted. */
export const findInstallation = maybeOne(
  installation,
  ($: Params<{ installerId: string; id: string }>) => sql`
    select ${installationColumns} from installations r
    where r.installer_id = ${$.installerId} and r.id = ${$.id} and r.deleted_at is null`,
)

const installationById = maybeOne(
  installation,
  ($: Params<Named>) => sql`select ${installationColumns} from installations r where ${isMine($)}`,
  { shared: 'read' },
)

/** Null where it is not there for the caller. */
export async function findReachedInstallation(
  db: Db,
  { installerId, companyId }: RecordScope,
  id: string,
): Promise<Installation | null> {
  return isId(id, 'inst') ? installationById(db, { installerId, companyId, id }) : null
}

const writeInstallationRow = run(
  ($: Params<Installation>) => sql`
    update installations set name = ${$.name}, address = ${$.address}, region = ${$.region}, timezone = ${$.timezone},
      version = ${$.version}, updated_at = ${$.updatedAt}
    where installer_id = ${$.installerId} and id = ${$.id}`,
)

const countedInRegion = ($: Params<{ installerId: string; companyId: string; region: string }>) => sql`
    insert into installation_counts as c (installer_id, company_id, region, installations, changes)
    values (${$.installerId}, ${$.companyId}, ${$.region}, 1, 1) on conflict (installer_id, company_id, region)
      do update set installations = c.installations + 1, changes = c.changes + 1`

const moveRegionCount = run(
  (
    $: Params<{ installerId: string; companyId: string; region: string; before: string }>,
  ) => sql`with less as (
      update installation_counts set installations = installations - 1, changes = changes + 1
      where installer_id = ${$.installerId} and company_id = ${$.companyId} and region = ${$.before}
    ) ${countedInRegion($)}`,
)

export async function updateInstallationRow(
  tx: Db,
  before: Installation,
  after: Installation,
): Promise<void> {
  await writeInstallationRow(tx, after)
  if (after.region !== before.region) await moveRegionCount(tx, { ...after, before: before.region })
}

export const insertInstallation = run(
  ($: Params<Installation>) => sql`with installation as (
      insert into installations (installer_id, id, company_id, name, address, region, timezone, capacity_kw, version,
        created_at, updated_at)
      values (${$.installerId}, ${$.id}, ${$.companyId}, ${$.name}, ${$.address}, ${$.region}, ${$.timezone},
        ${$.capacityKw}, ${$.version}, ${$.createdAt}, ${$.updatedAt})
    ) ${countedInRegion($)}`,
)
