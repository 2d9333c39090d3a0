import type { Db, Statement } from '../../../platform/db.ts'

const parts = {
  // What one company keeps to itself is its own to hand out, not the other's.
  activities: `select json_agg(json_build_object('at', a.at, 'type', a.type, 'text', a.body, 'internal', a.internal,
      'author', coalesce(m.name, a.author)) order by a.at, a.ordinal) as json
    from activities a left join members m on m.installer_id = a.installer_id and m.id = a.member_id
    where a.installer_id = $1 and a.lead_id = $2 and (not a.internal or a.company_id = $3)`,
  calendar: `select json_agg(json_build_object('kind', c.kind, 'day', c.day)) as json from leads l
    join calendar_entries c on c.installer_id = l.installer_id and c.project_id = l.project_id
    where l.installer_id = $1 and l.id = $2 and $3::text is not null`,
  history: `select json_agg(json_build_object('at', e.at, 'type', e.type, 'by', e.actor_name, 'changes', e.changes)
      order by e.at, e.ordinal) as json
    from events e where e.installer_id = $1 and coalesce(e.lead_id, e.subject_id) = $2
      and (e.company_id = $3 or $3 = $1) and not (e.changes ? 'files.internal')`,
  plans: `select json_agg(json_build_object('installationId', p.installation_id, 'kind', p.kind, 'rate', p.rate,
      'startDate', p.start_date, 'currency', p.currency, 'customer', p.customer, 'endedAt', p.ended_at)) as json
    from billing_plans p where p.installer_id = $1 and p.installation_id = any($2::text[]) and $3::text is not null`,
  sites: `select json_agg(json_build_object('id', i.id, 'name', i.name, 'address', i.address, 'region', i.region,
      'timezone', i.timezone, 'capacityKw', i.capacity_kw, 'panels', i.panel_count, 'createdAt', i.created_at)) as json
    from installations i where i.installer_id = $1 and i.id = any($2::text[]) and $3::text is not null`,
  payments: `select json_agg(json_build_object('invoiceId', p.invoice_id, 'amount', p.amount, 'method', p.method,
      'reference', p.reference, 'receivedOn', p.received_on, 'at', p.at) order by p.invoice_id, p.ordinal) as json
    from invoice_payments p where p.installer_id = $1 and p.invoice_id = any($2::text[]) and $3::text is not null`,
  credits: `select json_agg(json_build_object('invoiceId', c.invoice_id, 'currency', c.currency, 'amount', c.amount,
      'used', c.used, 'refunded', c.refunded, 'createdAt', c.created_at) order by c.id) as json
    from credits c where c.installer_id = $1 and c.invoice_id = any($2::text[]) and $3::text is not null`,
  refunds: `select json_agg(json_build_object('invoiceId', c.invoice_id, 'amount', f.amount, 'method', f.method,
      'reference', f.reference, 'refundedOn', f.refunded_on, 'at', f.at) order by f.id) as json
    from credits c join credit_refunds f on f.installer_id = c.installer_id and f.credit_id = c.id
    where c.installer_id = $1 and c.invoice_id = any($2::text[]) and $3::text is not null`,
  mails: `select json_agg(json_build_object('to', m.to_address, 'subject', m.subject, 'text', m.body, 'writtenAt', m.created_at,
      'sentAt', m.sent_at) order by m.created_at) as json
    from mails m where m.installer_id = $1 and m.id = any($2::text[]) and (m.company_id = $3 or $3 = $1)`,
} satisfies Record<string, string>

export type ArchivePart = keyof typeof parts

const statements = Object.fromEntries(
  Object.entries(parts).map(([name, text]) => [name, { name: `archive-${name}`, text }]),
) as Record<ArchivePart, Statement>

/** One part of what is kept of a customer, as it is handed out; of a lead, or of records by their ids. */
export async function readPart(
  db: Db,
  part: ArchivePart,
  installerId: string,
  of: string | readonly string[],
  companyId: string,
): Promise<unknown[]> {
  const [row] = await db.query<{ json: unknown[] | null }>(statements[part], [installerId, of, companyId])
  return row?.json ?? []
}

const daysStatement: Statement = {
  name: 'archive-energy',
  text: `select installation_id as "installationId", day, microkwh from installation_days
    where installer_id = $1 and installation_id = $2 order by day`,
}

export interface DayMade {
  installationId: string
  day: string
  microkwh: number
}

export function listDaysMade(db: Db, installerId: string, installationId: string): Promise<DayMade[]> {
  return db.query<DayMade>(daysStatement, [installerId, installationId])
}
