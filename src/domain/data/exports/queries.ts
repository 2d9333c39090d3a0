import type { Database, Db } from '../../../platform/db.ts'
import { boolean, instant, integer, row, select, text, texts } from '../../../platform/sql/row.ts'
import { type Fragment, join, type Params, param, pick, raw, sql, when } from '../../../platform/sql/sql.ts'
import { many } from '../../../platform/sql/statements.ts'
import type { Actor } from '../../kernel/context.ts'

/** A page of one company's, or of the tenant's; from the first on, or behind a key. */
interface Page {
  installerId: string
  companyId: string
  confined: boolean
  after: readonly string[] | null
}

/** A kind of record that is written down line by line: what a line holds, and in which order they come. */
interface Source {
  table: string
  /** Pairs of a name and its column, as `json_build_object` takes them. */
  fields: Fragment
  keys: readonly (readonly [name: string, type: string])[]
  /** What a dealer sees of it; null: it is the installer's alone. */
  dealer: (($: Params<Page>) => Fragment) | null
  installer?: ($: Params<Page>) => Fragment
}

const byId = [['id', 'text']] as const
const own = ($: Params<Page>) => sql`r.company_id = ${$.companyId}`

const sources = {
  activities: {
    table: 'activities',
    fields: sql`'id', r.id, 'leadId', r.lead_id, 'projectId', r.project_id, 'at', r.at, 'type', r.type, 'body', r.body,
      'internal', r.internal, 'customerFacing', r.customer_facing, 'replyTo', r.reply_to, 'author', r.author`,
    keys: byId,
    dealer: ($) => sql`(not r.internal or r.company_id = ${$.companyId}) and exists (select from leads l
      where l.installer_id = ${$.installerId} and l.id = r.lead_id and l.company_id = ${$.companyId})`,
    installer: ($) => sql`(not r.internal or r.company_id = ${$.companyId})`,
  },
  calendar: {
    table: 'calendar_entries',
    fields: sql`'projectId', r.project_id, 'kind', r.kind, 'day', r.day`,
    keys: [
      ['project_id', 'text'],
      ['kind', 'text'],
    ],
    dealer: ($) =>
      sql`exists (select from projects p where p.installer_id = ${$.installerId} and p.id = r.project_id and p.company_id = ${$.companyId})`,
  },
  members: {
    table: 'members',
    fields: sql`'id', r.id, 'companyId', r.company_id, 'email', r.email, 'name', r.name, 'phone', r.phone, 'role', r.role,
      'createdAt', r.created_at, 'deactivatedAt', r.deactivated_at`,
    keys: byId,
    dealer: own,
  },
  stages: {
    table: 'stages',
    fields: sql`'id', r.id, 'productLine', r.product_line, 'position', r.position, 'name', r.name, 'milestone', r.milestone,
      'daysAllowed', r.days_allowed, 'checklist', r.checklist, 'alerts', r.alerts, 'messages', r.messages,
      'retiredAt', r.retired_at`,
    keys: byId,
    dealer: null,
  },
  installations: {
    table: 'installations',
    fields: sql`'id', r.id, 'company_id', r.company_id, 'project_id', r.project_id, 'name', r.name, 'address', r.address,
      'region', r.region, 'timezone', r.timezone, 'panel_count', r.panel_count,
      'capacity_kw', trim_scale(coalesce(r.capacity_kw, r.panels_kw)), 'created_at', r.created_at, 'deleted_at', r.deleted_at`,
    keys: byId,
    dealer: own,
  },
  panels: {
    table: 'panels',
    fields: sql`'id', r.id, 'installation_id', r.installation_id, 'name', r.name, 'capacity_kw', trim_scale(r.capacity_kw),
      'status', r.status, 'metadata', r.metadata, 'created_at', r.created_at, 'deleted_at', r.deleted_at`,
    keys: byId,
    dealer: own,
  },
  alerts: {
    table: 'alerts',
    fields: sql`'id', r.id, 'type', r.type, 'severity', r.severity, 'status', r.status, 'installation_id', r.installation_id,
      'panel_id', r.panel_id, 'title', r.title, 'description', r.description, 'recommended_action', r.recommended_action,
      'triggered_at', r.triggered_at, 'acknowledged_at', r.acknowledged_at, 'resolved_at', r.resolved_at`,
    keys: byId,
    dealer: own,
  },
  'billing-plans': {
    table: 'billing_plans',
    fields: sql`'installation_id', r.installation_id, 'kind', r.kind, 'rate', trim_scale(r.rate),
      'escalator_percent', trim_scale(r.escalator_percent), 'start_date', r.start_date, 'currency', r.currency,
      'customer', r.customer, 'payment_term_days', r.payment_term_days`,
    keys: [['installation_id', 'text']],
    dealer: ($) => sql`exists (select from installations i
      where i.installer_id = ${$.installerId} and i.id = r.installation_id and i.company_id = ${$.companyId})`,
  },
  payments: {
    table: 'invoice_payments',
    fields: sql`'id', r.id, 'invoice_id', r.invoice_id, 'amount', r.amount, 'method', r.method, 'reference', r.reference,
      'received_on', r.received_on, 'at', r.at, 'by', r.actor_name`,
    keys: [
      ['invoice_id', 'text'],
      ['ordinal', 'integer'],
    ],
    dealer: ($) =>
      sql`exists (select from invoices i where i.installer_id = ${$.installerId} and i.id = r.invoice_id and i.company_id = ${$.companyId})`,
  },
  credits: {
    table: 'credits',
    fields: sql`'id', r.id, 'company_id', r.company_id, 'invoice_id', r.invoice_id, 'installation_id', r.installation_id,
      'currency', r.currency, 'customer', r.customer, 'amount', r.amount, 'amount_used', r.used,
      'amount_refunded', r.refunded, 'created_at', r.created_at`,
    keys: byId,
    dealer: own,
  },
  'credit-uses': {
    table: 'credit_uses',
    fields: sql`'credit_id', r.credit_id, 'invoice_id', r.invoice_id, 'amount', r.amount, 'released_at', r.released_at`,
    keys: [
      ['credit_id', 'text'],
      ['invoice_id', 'text'],
    ],
    dealer: ($) =>
      sql`exists (select from credits c where c.installer_id = ${$.installerId} and c.id = r.credit_id and c.company_id = ${$.companyId})`,
  },
  refunds: {
    table: 'credit_refunds',
    fields: sql`'id', r.id, 'credit_id', r.credit_id, 'amount', r.amount, 'method', r.method, 'reference', r.reference,
      'refunded_on', r.refunded_on, 'at', r.at, 'by', r.actor_name`,
    keys: byId,
    dealer: ($) =>
      sql`exists (select from credits c where c.installer_id = ${$.installerId} and c.id = r.credit_id and c.company_id = ${$.companyId})`,
  },
  'agent-proposals': {
    table: 'agent_proposals',
    fields: sql`'id', r.id, 'companyId', r.company_id, 'agent', r.agent_name, 'kind', r.kind, 'leadId', r.lead_id,
      'projectId', r.project_id, 'installationId', r.installation_id, 'invoiceId', r.invoice_id, 'summary', r.summary,
      'reason', r.reason, 'input', r.input, 'state', r.state, 'createdAt', r.created_at, 'decidedAt', r.decided_at,
      'decidedBy', r.decided_by_name, 'declinedBecause', r.declined_because, 'resultId', r.result_id`,
    keys: byId,
    dealer: own,
  },
  // Their secrets are nobody's but the receivers'.
  webhooks: {
    table: 'webhooks',
    fields: sql`'id', r.id, 'company_id', r.company_id, 'url', r.url, 'events', r.events, 'status', r.status,
      'created_at', r.created_at, 'deleted_at', r.deleted_at`,
    keys: byId,
    dealer: own,
  },
  events: {
    table: 'events',
    fields: sql`'at', r.at, 'type', r.type, 'companyId', r.company_id, 'leadId', r.lead_id, 'projectId', r.project_id,
      'subjectId', r.subject_id, 'actorKind', r.actor_kind, 'actorName', r.actor_name, 'changes', r.changes`,
    keys: [
      ['at', 'timestamptz'],
      ['ordinal', 'smallint'],
    ],
    dealer: own,
  },
} satisfies Record<string, Source>

export type ExportedKind = keyof typeof sources
export const exportedKinds = Object.keys(sources) as ExportedKind[]

const pageSize = 1_000

const listPage = Object.fromEntries(
  Object.entries<Source>(sources).map(([kind, { table, fields, keys, dealer, installer }]) => {
    const names = join(keys.map(([name]) => raw(`r.${name}`)))
    const key = join(keys.map(([name]) => raw(`r.${name}::text`)))
    const after = join(keys.map(([, type], i) => sql`${param(`after.${i}`)}::${raw(type)}`))
    const list = many(
      row<{ line: string; key: string[] }>({ line: text, key: texts }),
      ($: Params<Page>) => sql`
        select json_build_object(${fields})::text as line, array[${key}] as key from ${raw(table)} r
        where r.installer_id = ${$.installerId}
          and ${when($.confined, dealer?.($) ?? sql`false`, installer?.($) ?? sql`true`)}
          ${when($.after, sql`and (${names}) > (${after})`)}
        order by ${names} limit ${raw(pageSize)}`,
    )
    return [kind, list]
  }),
) as Record<ExportedKind, (db: Db, page: Page) => Promise<{ line: string; key: string[] }[]>>

/** All records of a kind that a company has, as lines of JSON, a page at a time. An installer has its dealers' too. */
export async function* exportLines(db: Database, actor: Actor, kind: ExportedKind): AsyncGenerator<string[]> {
  const { installerId, companyId } = actor
  const confined = actor.companyKind === 'dealer'
  if (confined && sources[kind].dealer === null) return
  for (let after: string[] | null = null; ; ) {
    const page: Page = { installerId, companyId, confined, after }
    const rows = await db.reading(installerId, 'anything', (from) => listPage[kind](from, page))
    yield rows.map(({ line }) => line)
    if (rows.length < pageSize) return
    after = rows.at(-1)!.key
  }
}

/** Behind an id; of one company, or of the tenant. */
interface ById {
  installerId: string
  companyId: string | null
  after: string
  limit: number
}

const behind = ($: Params<ById>) =>
  sql`installer_id = ${$.installerId} and id > ${$.after} ${when($.companyId, sql`and company_id = ${$.companyId}`)}`

export const listLeadIds = many(
  row<{ id: string }>({ id: text }),
  ($: Params<ById>) => sql`select id from leads where ${behind($)} order by id limit ${$.limit}`,
)

const catalogueLines = many(
  row<{ line: string; active: boolean }>({ line: text, active: boolean }),
  ($: Params<{ installerId: string; kind: 'adders' | 'equipment' }>) => sql`
    select rendering as line, active from ${pick($.kind, { adders: sql`adders`, equipment: sql`equipment` })}
    where installer_id = ${$.installerId}
    order by ${pick($.kind, { adders: sql`position, id`, equipment: sql`kind, position, id` })}`,
)

/** The installer's catalogue, with what is no longer offered. */
export async function listCatalogue(
  db: Db,
  { installerId, companyKind }: Actor,
  kind: 'adders' | 'equipment',
): Promise<string[]> {
  if (companyKind === 'dealer') return []
  const rows = await catalogueLines(db, { installerId, kind })
  return rows.map(({ line, active }) => `${line.slice(0, -1)},"active":${active}}`)
}

export interface FileToExport {
  id: string
  projectId: string
  folder: string
  name: string
  type: string
  size: number
  addedAt: Date
  storeKey: string
}

const fileToExport = row<FileToExport>({
  id: text,
  projectId: text,
  folder: text,
  name: text,
  type: text,
  size: integer,
  addedAt: instant,
  storeKey: text,
})

/** What the installer keeps to itself is not the dealer's to take along. */
export const listFiles = many(
  fileToExport,
  ($: Params<ById>) => sql`
    select ${select(fileToExport)} from files
    where ${behind($)} and revoked_at is null ${when($.companyId, sql`and folder <> 'internal'`)}
    order by id limit ${$.limit}`,
)

export const listInvoices = many(
  row<{ id: string; line: string }>({ id: text, line: text }),
  ($: Params<ById>) => sql`
    select id, rendering as line from invoices where ${behind($)} order by id limit ${$.limit}`,
)
