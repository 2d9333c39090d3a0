import type { Db } from '../../../platform/db.ts'
import { integer, row, text } from '../../../platform/sql/row.ts'
import { type Fragment, type Params, raw, sql } from '../../../platform/sql/sql.ts'
import { many, one, run } from '../../../platform/sql/statements.ts'
import type { Scope } from '../../kernel/context.ts'
import type { Panel, Readings } from './batch.ts'

// Lists go as one array each, written here: ids hold nothing that an array's text would have to escape, and the
// driver's own writing of arrays takes longer than the insert. Joined, as a text put together with + is copied among
// the objects that live long when it is sent.
export const array = (values: readonly (string | number)[]) => ['{', values.join(','), '}'].join('')

const panelsByIds = one(
  row<{ found: string }>({ found: text }),
  ($: Params<{ installerId: string; ids: string; companyId: string | null }>) => sql`
    select coalesce(string_agg(id || ' ' || installation_id || ' ' || capacity_kw, ' ' order by id collate "C"), '') as found
    from panels where installer_id = ${$.installerId} and id = any(${$.ids}::text[])
      and (${$.companyId}::text is null or company_id = ${$.companyId}) and deleted_at is null`,
)

/** Those of the panels that are there for the caller, in order. */
export async function findPanels(
  db: Db,
  { installerId, companyId }: Scope,
  panelIds: readonly string[],
): Promise<Panel[]> {
  if (panelIds.length === 0) return []
  const { found } = await panelsByIds(db, { installerId, ids: array(panelIds), companyId })
  const words = found === '' ? [] : found.split(' ')
  const panels: Panel[] = []
  for (let i = 0; i < words.length; i += 3) {
    const before = panels.at(-1)?.installationId
    // One text for all panels of an installation.
    const installationId = before === words[i + 1] ? before! : words[i + 1]!
    panels.push({ id: words[i]!, installationId, capacityKw: Number(words[i + 2]) })
  }
  return panels
}

export interface LockedInstallation {
  id: string
  timezone: string
}

const lockByIds = many(
  row<LockedInstallation>({ id: text, timezone: text }),
  ($: Params<{ installerId: string; ids: string }>) => sql`
    select id, timezone from installations where installer_id = ${$.installerId} and id = any(${$.ids}::text[])
    order by id for no key update`,
)

/** Holds what readings are summed into until the transaction ends. */
export const lockInstallations = (
  tx: Db,
  installerId: string,
  ids: readonly string[],
): Promise<LockedInstallation[]> => lockByIds(tx, { installerId, ids: array(ids) })

/** Readings as they are sent: each list an array's text. */
export interface SentReadings {
  installerId: string
  panelIds: string
  at: string
  microkwh: string
}

export const sent = ($: Params<SentReadings>): Fragment =>
  sql`unnest(${$.panelIds}::text[], ${$.at}::float8[], ${$.microkwh}::bigint[])
      with ordinality as s (panel_id, ms, microkwh, ordinal)`
/** Milliseconds since 1970 as an instant. */
export const msAt = (ms: string): Fragment => raw(`to_timestamp(${ms} / 1000)::timestamptz(3)`)
export const sentAt = msAt('s.ms')
export const sentValues = (installerId: string, { panelIds, at, microkwh }: Readings): SentReadings => ({
  installerId,
  panelIds: array(panelIds),
  at: array(at),
  microkwh: array(microkwh),
})

const insertSent = ($: Params<SentReadings>) => sql`
    insert into readings (installer_id, panel_id, at, microkwh)
    select ${$.installerId}, s.panel_id, ${sentAt}, s.microkwh from ${sent($)}`

const insertNew = run(insertSent)

/** Adds readings that are not there yet; one that is, fails. */
export const insertReadings = (tx: Db, installerId: string, readings: Readings): Promise<void> =>
  insertNew(tx, sentValues(installerId, readings))

export function isKnownReading(error: unknown): boolean {
  const { code, constraint } = error as { code?: string; constraint?: string }
  return code === '23505' && constraint?.startsWith('readings_') === true
}

// Looked up one by one: a join could be planned as going through all readings of the tenant.
const readingsAt = many(
  row<{ index: number; microkwh: number }>({ index: integer, microkwh: integer }),
  ($: Params<SentReadings>) => sql`
    select (s.ordinal - 1)::int as index, r.microkwh from ${sent($)} cross join lateral (
      select microkwh from readings
      where installer_id = ${$.installerId} and panel_id = s.panel_id and at = ${sentAt} offset 0
    ) r`,
)

/** The values that are there for these panels and times, by their place in the list. */
export async function findReadings(
  tx: Db,
  installerId: string,
  readings: Readings,
): Promise<Map<number, number>> {
  const rows = await readingsAt(tx, sentValues(installerId, readings))
  return new Map(rows.map(({ index, microkwh }) => [index, microkwh]))
}

const insertOrReplace = run(
  ($: Params<SentReadings>) => sql`${insertSent($)}
    on conflict (installer_id, panel_id, at) do update set microkwh = excluded.microkwh`,
)

/** Gives readings that are there new values. */
export const replaceReadings = (tx: Db, installerId: string, readings: Readings): Promise<void> =>
  insertOrReplace(tx, sentValues(installerId, readings))
