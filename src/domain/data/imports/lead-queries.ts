import type { Db, Statement } from '../../../platform/db.ts'
import { compile, raw } from '../../../platform/sql/sql.ts'
import type { Deal } from '../../deals/changes/deal.ts'
import { leadColumns } from '../../deals/leads/columns.ts'
import { externalIdHash } from '../../deals/leads/lead.ts'
import { loadRenderedDeals } from '../../deals/renderings/queries.ts'
import { messageRows, type TimedMessage, timedMessagesParts } from '../../journal/events/messages.ts'

const leadNames = ['installer_id', 'updated_at', 'rendering', ...leadColumns.map(([name]) => name)].join(', ')
const activityNames =
  'installer_id, id, lead_id, company_id, at, ordinal, type, body, internal, customer_facing, about, member_id, author'
const eventNames =
  'installer_id, at, ordinal, type, company_id, lead_id, subject_id, actor_kind, actor_id, actor_name, changes'

const insertLeadsStatement: Statement = {
  name: 'insert-imported-leads',
  text: `with leads_written as (
      insert into leads (${leadNames}) select ${leadNames} from json_populate_recordset(null::leads, $3)
    ), activities_written as (
      insert into activities (${activityNames}) select ${activityNames} from json_populate_recordset(null::activities, $4)
    ), events_written as (
      insert into events (${eventNames}) select ${eventNames} from json_populate_recordset(null::events, $5)
    ), made as (
      insert into import_leads (installer_id, import_id, lead_id, updated_at)
      select $1, $2, m.id, m.at from unnest($6::text[], $7::timestamptz[]) as m(id, at)
    ), ${compile(timedMessagesParts({ installerId: raw('$1'), rows: raw('$8') }), {}).text}
    select wake_webhooks($1)`,
}

type Row = Record<string, unknown>

/** Leads with their activities, events and what is told of them, and that this import made them, in one statement. */
export async function insertLeads(
  tx: Db,
  installerId: string,
  importId: string,
  rows: { leads: Row[]; activities: Row[]; events: Row[]; messages: TimedMessage[] },
): Promise<void> {
  await tx.query(insertLeadsStatement, [
    installerId,
    importId,
    JSON.stringify(rows.leads),
    JSON.stringify(rows.activities),
    JSON.stringify(rows.events),
    rows.leads.map(({ id }) => id),
    rows.leads.map(({ updated_at }) => updated_at),
    messageRows(rows.messages),
  ])
}

const noteMadeStatement: Statement = {
  name: 'note-imported-lead',
  text: 'insert into import_leads (installer_id, import_id, lead_id, updated_at) values ($1, $2, $3, $4)',
}

export async function noteMade(
  tx: Db,
  installerId: string,
  importId: string,
  leadId: string,
  updatedAt: Date,
): Promise<void> {
  await tx.query(noteMadeStatement, [installerId, importId, leadId, updatedAt.toISOString()])
}

type Known = { id: string; externalId: string }

const knownStatement: Statement = {
  name: 'leads-by-external-ids',
  text: `select id, external_id as "externalId" from leads
    where installer_id = $1 and company_id = $2 and external_id = any($3) and external_id is not null`,
}

const erasedStatement: Statement = {
  name: 'erased-leads-by-external-ids',
  text: `select e.lead_id as id, h.external_id as "externalId"
    from unnest($3::text[], $4::text[]) as h(external_id, hash) join erasures e
      on e.external_id_hash = decode(h.hash, 'hex') and e.external_id_hash is not null
    where e.installer_id = $1 and e.company_id = $2`,
}

/** The company's leads that have one of these ids of its own, or had it before they were erased, with what they became. */
export async function findDealsByExternalId(
  db: Db,
  installerId: string,
  companyId: string,
  externalIds: readonly string[],
): Promise<Map<string, Deal>> {
  if (externalIds.length === 0) return new Map()
  const hashes = externalIds.map((id) => externalIdHash(companyId, id))
  const known = [
    ...(await db.query<Known>(knownStatement, [installerId, companyId, externalIds])),
    ...(await db.query<Known>(erasedStatement, [installerId, companyId, externalIds, hashes])),
  ]
  if (known.length === 0) return new Map()
  const idOf = new Map(known.map(({ id, externalId }) => [id, externalId]))
  const deals = await loadRenderedDeals(
    db,
    installerId,
    known.map(({ id }) => id),
  )
  return new Map(deals.map(({ stored, ...deal }) => [idOf.get(deal.lead.id)!, deal]))
}

const madeStatement: Statement = {
  name: 'leads-made-by-import',
  text: `select m.lead_id as id, l.updated_at <> m.updated_at as changed
    from import_leads m cross join lateral (
      select updated_at from leads where installer_id = $1 and id = m.lead_id offset 0
    ) l
    where m.installer_id = $1 and m.import_id = $2 order by m.lead_id limit $3`,
}

/** What an import made and is not undone yet, and whether it was changed since. */
export function listMade(
  tx: Db,
  installerId: string,
  importId: string,
  limit: number,
): Promise<{ id: string; changed: boolean }[]> {
  return tx.query(madeStatement, [installerId, importId, limit])
}

const countStatement: Statement = {
  name: 'count-leads-made-by-import',
  text: `select count(*)::int as made, count(*) filter (where l.updated_at <> m.updated_at)::int as changed
    from import_leads m cross join lateral (
      select updated_at from leads where installer_id = $1 and id = m.lead_id offset 0
    ) l
    where m.installer_id = $1 and m.import_id = $2`,
}

export async function countMade(
  db: Db,
  installerId: string,
  importId: string,
): Promise<{ made: number; changed: number }> {
  const [row] = await db.query<{ made: number; changed: number }>(countStatement, [installerId, importId])
  return row!
}

const undoneStatement: Statement = {
  name: 'note-import-undone',
  text: `with removed as (delete from import_leads where installer_id = $1 and import_id = $2 and lead_id = any($3))
    update imports set undone = undone + $4, undone_changed = undone_changed + $5, claimed_until = $6
    where installer_id = $1 and id = $2`,
}

export async function noteUndone(
  tx: Db,
  installerId: string,
  importId: string,
  leads: readonly { id: string; changed: boolean }[],
  claimedUntil: Date,
): Promise<void> {
  const changed = leads.filter((lead) => lead.changed).length
  await tx.query(undoneStatement, [
    installerId,
    importId,
    leads.map(({ id }) => id),
    leads.length,
    changed,
    claimedUntil.toISOString(),
  ])
}

const knownSizeStatement: Statement = {
  name: 'leads-size-known',
  text: `select reltuples as rows from pg_class where oid = 'leads'::regclass`,
}
const learnSizeStatement: Statement = { name: 'learn-leads-size', text: 'analyze leads' }
const fewLeads = 10_000

/**
 * Checks of foreign keys are planned once, and on a table that was empty then they read all of a tenant's leads for
 * each new one: 2.5 s for a batch after 8,000. Plans are made anew when the size becomes known.
 */
export async function learnSize(db: Db): Promise<void> {
  const [known] = await db.query<{ rows: number }>(knownSizeStatement, [])
  if (known!.rows < fewLeads) await db.query(learnSizeStatement, [])
}
