import type { Db, Statement } from '../../../platform/db.ts'
import type { Actor } from '../../kernel/context.ts'

/** A kind of record that is written down line by line: what a line holds, and in which order they come. */
interface Source {
  table: string
  /** Pairs of a name and its column, as `json_build_object` takes them. */
  fields: string
  keys: readonly (readonly [name: string, type: string])[]
  /** What a dealer sees of it; null: it is the installer's alone. `$2` is the company. */
  dealer: string | null
  installer?: string
}

const byId = [['id', 'text']] as const
const own = 'r.company_id = $2'

const sources = {
  activities: {
    table: 'activities',
    fields: `'id', r.id, 'leadId', r.lead_id, 'projectId', r.project_id, 'at', r.at, 'type', r.type, 'body', r.body,
      'internal', r.internal, 'customerFacing', r.customer_facing, 'replyTo', r.reply_to, 'author', r.author`,
    keys: byId,
    dealer: `(not r.internal or r.company_id = $2) and exists (select from leads l
      where l.installer_id = $1 and l.id = r.lead_id and l.company_id = $2)`,
    installer: '(not r.internal or r.company_id = $2)',
  },
  calendar: {
    table: 'calendar_entries',
    fields: `'projectId', r.project_id, 'kind', r.kind, 'day', r.day`,
    keys: [
      ['project_id', 'text'],
      ['kind', 'text'],
    ],
    dealer: `exists (select from projects p where p.installer_id = $1 and p.id = r.project_id and p.company_id = $2)`,
  },
  members: {
    table: 'members',
    fields: `'id', r.id, 'companyId', r.company_id, 'email', r.email, 'name', r.name, 'phone', r.phone, 'role', r.role,
      'createdAt', r.created_at, 'deactivatedAt', r.deactivated_at`,
    keys: byId,
    dealer: own,
  },
  stages: {
    table: 'stages',
    fields: `'id', r.id, 'productLine', r.product_line, 'position', r.position, 'name', r.name, 'milestone', r.milestone,
      'daysAllowed', r.days_allowed, 'checklist', r.checklist, 'alerts', r.alerts, 'messages', r.messages,
      'retiredAt', r.retired_at`,
    keys: byId,
    dealer: null,
  },
  installations: {
    table: 'installations',
    fields: `'id', r.id, 'company_id', r.company_id, 'project_id', r.project_id, 'name', r.name, 'address', r.address,
      'region', r.region, 'timezone', r.timezone, 'panel_count', r.panel_count,
      'capacity_kw', trim_scale(coalesce(r.capacity_kw, r.panels_kw)), 'created_at', r.created_at`,
    keys: byId,
    dealer: own,
  },
  panels: {
    table: 'panels',
    fields: `'id', r.id, 'installation_id', r.installation_id, 'name', r.name, 'capacity_kw', trim_scale(r.capacity_kw),
      'status', r.status, 'metadata', r.metadata, 'created_at', r.created_at, 'deleted_at', r.deleted_at`,
    keys: byId,
    dealer: own,
  },
  alerts: {
    table: 'alerts',
    fields: `'id', r.id, 'type', r.type, 'severity', r.severity, 'status', r.status, 'installation_id', r.installation_id,
      'panel_id', r.panel_id, 'title', r.title, 'description', r.description, 'recommended_action', r.recommended_action,
      'triggered_at', r.triggered_at, 'acknowledged_at', r.acknowledged_at, 'resolved_at', r.resolved_at`,
    keys: byId,
    dealer: own,
  },
  'billing-plans': {
    table: 'billing_plans',
    fields: `'installation_id', r.installation_id, 'kind', r.kind, 'rate', trim_scale(r.rate),
      'escalator_percent', trim_scale(r.escalator_percent), 'start_date', r.start_date, 'currency', r.currency,
      'customer', r.customer, 'payment_term_days', r.payment_term_days`,
    keys: [['installation_id', 'text']],
    dealer: `exists (select from installations i
      where i.installer_id = $1 and i.id = r.installation_id and i.company_id = $2)`,
  },
  payments: {
    table: 'invoice_payments',
    fields: `'id', r.id, 'invoice_id', r.invoice_id, 'amount', r.amount, 'method', r.method, 'reference', r.reference,
      'received_on', r.received_on, 'at', r.at, 'by', r.actor_name`,
    keys: [
      ['invoice_id', 'text'],
      ['ordinal', 'integer'],
    ],
    dealer: `exists (select from invoices i where i.installer_id = $1 and i.id = r.invoice_id and i.company_id = $2)`,
  },
  credits: {
    table: 'credits',
    fields: `'id', r.id, 'company_id', r.company_id, 'invoice_id', r.invoice_id, 'installation_id', r.installation_id,
      'currency', r.currency, 'customer', r.customer, 'amount', r.amount, 'amount_used', r.used,
      'amount_refunded', r.refunded, 'created_at', r.created_at`,
    keys: byId,
    dealer: own,
  },
  'credit-uses': {
    table: 'credit_uses',
    fields: `'credit_id', r.credit_id, 'invoice_id', r.invoice_id, 'amount', r.amount, 'released_at', r.released_at`,
    keys: [
      ['credit_id', 'text'],
      ['invoice_id', 'text'],
    ],
    dealer: `exists (select from credits c where c.installer_id = $1 and c.id = r.credit_id and c.company_id = $2)`,
  },
  refunds: {
    table: 'credit_refunds',
    fields: `'id', r.id, 'credit_id', r.credit_id, 'amount', r.amount, 'method', r.method, 'reference', r.reference,
      'refunded_on', r.refunded_on, 'at', r.at, 'by', r.actor_name`,
    keys: byId,
    dealer: `exists (select from credits c where c.installer_id = $1 and c.id = r.credit_id and c.company_id = $2)`,
  },
  // Their secrets are nobody's but the receivers'.
  webhooks: {
    table: 'webhooks',
    fields: `'id', r.id, 'company_id', r.company_id, 'url', r.url, 'events', r.events, 'status', r.status,
      'created_at', r.created_at, 'deleted_at', r.deleted_at`,
    keys: byId,
    dealer: own,
  },
  events: {
    table: 'events',
    fields: `'at', r.at, 'type', r.type, 'companyId', r.company_id, 'leadId', r.lead_id, 'projectId', r.project_id,
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

function pageStatement(
  kind: ExportedKind,
  { table, fields, keys, ...source }: Source,
  confined: boolean,
  first: boolean,
): Statement {
  const names = keys.map(([name]) => `r.${name}`).join(', ')
  const condition = confined ? source.dealer : (source.installer ?? '$2::text is not null')
  const after = keys.map(([, type], i) => `$${i + 3}::${type}`).join(', ')
  return {
    name: `export-${kind}${confined ? '-company' : ''}${first ? '-first' : ''}`,
    text: `select json_build_object(${fields})::text as line, array[${keys.map(([name]) => `r.${name}::text`).join(', ')}] as key
      from ${table} r where r.installer_id = $1 and ${condition}${first ? '' : ` and (${names}) > (${after})`}
      order by ${names} limit ${pageSize}`,
  }
}

/** All records of a kind that a company has, as lines of JSON, a page at a time. An installer has its dealers' too. */
export async function* exportLines(db: Db, actor: Actor, kind: ExportedKind): AsyncGenerator<string[]> {
  const source: Source = sources[kind]
  const confined = actor.companyKind === 'dealer'
  if (confined && source.dealer === null) return
  for (let after: string[] | null = null; ; ) {
    const statement = pageStatement(kind, source, confined, after === null)
    const values: string[] = [actor.installerId, actor.companyId, ...(after ?? [])]
    const rows: { line: string; key: string[] }[] = await db.query(statement, values)
    yield rows.map(({ line }) => line)
    if (rows.length < pageSize) return
    after = rows.at(-1)!.key
  }
}

const leadIds = (confined: boolean): Statement => ({
  name: `export-lead-ids${confined ? '-company' : ''}`,
  text: `select id from leads where installer_id = $1 and id > $2${confined ? ' and company_id = $4' : ''} order by id limit $3`,
})

export async function listLeadIds(db: Db, actor: Actor, after: string, limit: number): Promise<string[]> {
  const confined = actor.companyKind === 'dealer'
  const values = [actor.installerId, after, limit, ...(confined ? [actor.companyId] : [])]
  return (await db.query<{ id: string }>(leadIds(confined), values)).map(({ id }) => id)
}

const catalogue: Record<'adders' | 'equipment', Statement> = {
  adders: {
    name: 'export-adders',
    text: 'select rendering as line, active from adders where installer_id = $1 order by position, id',
  },
  equipment: {
    name: 'export-equipment',
    text: 'select rendering as line, active from equipment where installer_id = $1 order by kind, position, id',
  },
}

/** The installer's catalogue, with what is no longer offered. */
export async function listCatalogue(db: Db, actor: Actor, kind: keyof typeof catalogue): Promise<string[]> {
  if (actor.companyKind === 'dealer') return []
  const rows = await db.query<{ line: string; active: boolean }>(catalogue[kind], [actor.installerId])
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

const files = (confined: boolean): Statement => ({
  name: `export-files${confined ? '-company' : ''}`,
  text: `select id, project_id as "projectId", folder, name, type, size, added_at as "addedAt", store_key as "storeKey"
    from files where installer_id = $1 and id > $2 and revoked_at is null
      ${confined ? `and company_id = $4 and folder <> 'internal'` : ''} order by id limit $3`,
})

/** What the installer keeps to itself is not the dealer's to take along. */
export function listFiles(db: Db, actor: Actor, after: string, limit: number): Promise<FileToExport[]> {
  const confined = actor.companyKind === 'dealer'
  const values = [actor.installerId, after, limit, ...(confined ? [actor.companyId] : [])]
  return db.query<FileToExport>(files(confined), values)
}

const invoices = (confined: boolean): Statement => ({
  name: `export-invoices${confined ? '-company' : ''}`,
  text: `select id, rendering as line from invoices
    where installer_id = $1 and id > $2${confined ? ' and company_id = $4' : ''} order by id limit $3`,
})

export function listInvoices(
  db: Db,
  actor: Actor,
  after: string,
  limit: number,
): Promise<{ id: string; line: string }[]> {
  const confined = actor.companyKind === 'dealer'
  const values = [actor.installerId, after, limit, ...(confined ? [actor.companyId] : [])]
  return db.query(invoices(confined), values)
}
