import type { Db } from '../../../platform/db.ts'
import { boolean, float, integer, row, select, text } from '../../../platform/sql/row.ts'
import { type Params, raw, sql } from '../../../platform/sql/sql.ts'
import { many, one, run } from '../../../platform/sql/statements.ts'
import type { Deal } from '../../deals/changes/deal.ts'
import { leadColumns } from '../../deals/leads/columns.ts'
import { externalIdHash } from '../../deals/leads/lead.ts'
import { loadRenderedDeals } from '../../deals/renderings/queries.ts'
import { actorText, type TimedMessage, timedMessagesParts, timedRows } from '../../journal/events/messages.ts'
import type { Actor } from '../../kernel/context.ts'

/** Which import. */
interface Of {
  installerId: string
  importId: string
}

const leadNames = raw(['updated_at', 'rendering', ...leadColumns.map(([name]) => name)].join(', '))

interface Written extends Of {
  leads: string
  activities: string
  events: string
  ids: readonly unknown[]
  times: readonly unknown[]
  messages: string
  count: number
  actor: string
  companyId: string
  memberId: string | null
  actorKind: string
  actorId: string | null
  actorName: string
}

const writeRows = run(
  ($: Params<Written>) => sql`with leads_written as (
      insert into leads (installer_id, ${leadNames})
      select ${$.installerId}, ${leadNames} from json_populate_recordset(null::leads, ${$.leads})
      returning company_id, product_line
    ),
    leads_counted as (
      insert into lead_counts as c (installer_id, company_id, product_line, leads)
      select ${$.installerId}, company_id, product_line, count(*) from leads_written group by company_id, product_line
      on conflict (installer_id, company_id, product_line) do update set leads = c.leads + excluded.leads
    ),
    activities_written as (
      insert into activities (installer_id, id, lead_id, company_id, at, ordinal, type, body, internal, customer_facing, about,
        member_id, author)
      select ${$.installerId}, id, lead_id, ${$.companyId}, at, ordinal, type, body, false, false, about, ${$.memberId}, ${$.actorName}
      from json_to_recordset(${$.activities})
        as a(id text, lead_id text, at timestamptz, ordinal smallint, type text, body text, about text)
    ),
    events_written as (
      insert into events (installer_id, at, ordinal, type, company_id, lead_id, subject_id, actor_kind, actor_id, actor_name,
        changes)
      select ${$.installerId}, at, ordinal, type, company_id, lead_id, subject_id, ${$.actorKind}, ${$.actorId}, ${$.actorName}, '{}'
      from json_to_recordset(${$.events})
        as e(at timestamptz, ordinal smallint, type text, company_id text, lead_id text, subject_id text)
    ),
    made as (
      insert into import_leads (installer_id, import_id, lead_id, updated_at)
      select ${$.installerId}, ${$.importId}, m.id, m.at
      from unnest(${$.ids}::text[], ${$.times}::timestamptz[]) as m(id, at)
    ), ${timedMessagesParts({ installerId: $.installerId, rows: $.messages, count: $.count, actor: $.actor })}
    select wake_webhooks(${$.installerId})`,
)

type Row = Record<string, unknown>

/** Leads with their activities, events and what is told of them, and that this import made them, in one statement. */
export async function insertLeads(
  tx: Db,
  of: Of,
  {
    actor,
    ...rows
  }: { leads: Row[]; activities: Row[]; events: Row[]; messages: TimedMessage[]; actor: Actor },
): Promise<void> {
  await writeRows(tx, {
    ...of,
    leads: JSON.stringify(rows.leads),
    activities: JSON.stringify(rows.activities),
    events: JSON.stringify(rows.events),
    ids: rows.leads.map(({ id }) => id),
    times: rows.leads.map(({ updated_at }) => updated_at),
    messages: timedRows(rows.messages),
    count: rows.messages.length,
    actor: actorText(actor),
    companyId: actor.companyId,
    memberId: actor.kind === 'member' ? actor.id : null,
    actorKind: actor.kind,
    actorId: actor.id,
    actorName: actor.name,
  })
}

export const noteMade = run(
  ($: Params<Of & { leadId: string; updatedAt: Date }>) => sql`
    insert into import_leads (installer_id, import_id, lead_id, updated_at)
    values (${$.installerId}, ${$.importId}, ${$.leadId}, ${$.updatedAt})`,
)

interface OfCompany {
  installerId: string
  companyId: string
  externalIds: readonly string[]
}

const known = row<{ id: string; externalId: string }>({ id: text, externalId: text })

const findKnown = many(
  known,
  ($: Params<OfCompany>) => sql`
    select ${select(known)} from leads
    where installer_id = ${$.installerId} and company_id = ${$.companyId}
      and external_id = any(${$.externalIds}::text[]) and external_id is not null`,
)

const findErased = many(
  known,
  ($: Params<OfCompany & { hashes: readonly string[] }>) => sql`
    select e.lead_id as id, h.external_id as "externalId"
    from unnest(${$.externalIds}::text[], ${$.hashes}::text[]) as h(external_id, hash) join erasures e
      on e.external_id_hash = decode(h.hash, 'hex') and e.external_id_hash is not null
    where e.installer_id = ${$.installerId} and e.company_id = ${$.companyId}`,
)

/** The company's leads that have one of these ids of its own, or had it before they were erased, with what they became. */
export async function findDealsByExternalId(db: Db, of: OfCompany): Promise<Map<string, Deal>> {
  if (of.externalIds.length === 0) return new Map()
  const hashes = of.externalIds.map((id) => externalIdHash(of.companyId, id))
  const found = [...(await findKnown(db, of)), ...(await findErased(db, { ...of, hashes }))]
  if (found.length === 0) return new Map()
  const idOf = new Map(found.map(({ id, externalId }) => [id, externalId]))
  const deals = await loadRenderedDeals(
    db,
    of.installerId,
    found.map(({ id }) => id),
  )
  return new Map(deals.map(({ stored, ...deal }) => [idOf.get(deal.lead.id)!, deal]))
}

const made = ($: Params<Of>) => sql`import_leads m cross join lateral (
    select updated_at from leads where installer_id = ${$.installerId} and id = m.lead_id offset 0
  ) l
  where m.installer_id = ${$.installerId} and m.import_id = ${$.importId}`

interface MadeLead {
  id: string
  changed: boolean
}

/** What an import made and is not undone yet, and whether it was changed since. */
export const listMade = many(
  row<MadeLead>({ id: text, changed: boolean }),
  ($: Params<Of & { limit: number }>) => sql`
    select m.lead_id as id, l.updated_at <> m.updated_at as changed from ${made($)} order by m.lead_id limit ${$.limit}`,
)

export const countMade = one(
  row<{ made: number; changed: number }>({ made: integer, changed: integer }),
  ($: Params<Of>) => sql`
    select count(*)::int as made, count(*) filter (where l.updated_at <> m.updated_at)::int as changed from ${made($)}`,
)

const advanceUndo = run(
  ($: Params<Of & { ids: readonly string[]; undone: number; changed: number }>) => sql`with removed as (
      delete from import_leads
      where installer_id = ${$.installerId} and import_id = ${$.importId} and lead_id = any(${$.ids}::text[])
    )
    update imports set undone = undone + ${$.undone}, undone_changed = undone_changed + ${$.changed}
    where installer_id = ${$.installerId} and id = ${$.importId}`,
)

export async function noteUndone(tx: Db, of: Of, leads: readonly MadeLead[]): Promise<void> {
  const changed = leads.filter((lead) => lead.changed).length
  await advanceUndo(tx, { ...of, ids: leads.map(({ id }) => id), undone: leads.length, changed })
}

const findSize = one(
  row<{ rows: number }>({ rows: float }),
  (_: Params<object>) => sql`select reltuples as rows from pg_class where oid = 'leads'::regclass`,
)
const analyzeLeads = run((_: Params<object>) => sql`analyze leads`, {
  across: 'how large it is concerns the whole table',
})
const fewLeads = 10_000

/**
 * Checks of foreign keys are planned once, and on a table that was empty then they read all of a tenant's leads for
 * each new one: 2.5 s for a batch after 8,000. Plans are made anew when the size becomes known.
 */
export async function learnSize(db: Db): Promise<void> {
  if ((await findSize(db, {})).rows < fewLeads) await analyzeLeads(db, {})
}
