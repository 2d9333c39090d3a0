import type { Db } from '../../../platform/db.ts'
import { day, integer, json, row, select, text } from '../../../platform/sql/row.ts'
import { type Params, pick, sql } from '../../../platform/sql/sql.ts'
import { many, one } from '../../../platform/sql/statements.ts'

export type ArchivePart =
  | 'activities'
  | 'calendar'
  | 'history'
  | 'plans'
  | 'installations'
  | 'payments'
  | 'credits'
  | 'refunds'
  | 'mails'
  | 'agentProposals'

interface Wanted {
  installerId: string
  /** Who exports it. */
  companyId: string
  part: ArchivePart
  /** A lead, or records by their ids. */
  of: string | readonly string[]
}

const archivePart = one(row<{ json: unknown[] | null }>({ json }), ($: Params<Wanted>) =>
  pick($.part, {
    // What one company keeps to itself is its own to export, not the other's.
    activities: sql`select json_agg(json_build_object('at', a.at, 'type', a.type, 'text', a.body, 'internal', a.internal,
      'author', coalesce(m.name, a.author)) order by a.at, a.ordinal) as json
    from activities a left join members m on m.installer_id = a.installer_id and m.id = a.member_id
    where a.installer_id = ${$.installerId} and a.lead_id = ${$.of} and (not a.internal or a.company_id = ${$.companyId})`,
    calendar: sql`select json_agg(json_build_object('kind', c.kind, 'day', c.day)) as json from leads l
    join calendar_entries c on c.installer_id = l.installer_id and c.project_id = l.project_id
    where l.installer_id = ${$.installerId} and l.id = ${$.of}`,
    history: sql`select json_agg(json_build_object('at', e.at, 'type', e.type, 'by', e.actor_name, 'changes', e.changes)
      order by e.at, e.ordinal) as json
    from events e where e.installer_id = ${$.installerId} and coalesce(e.lead_id, e.subject_id) = ${$.of}
      and (e.company_id = ${$.companyId} or ${$.companyId} = ${$.installerId}) and not (e.changes ? 'files.internal')`,
    plans: sql`select json_agg(json_build_object('installationId', p.installation_id, 'kind', p.kind, 'rate', p.rate,
      'startDate', p.start_date, 'currency', p.currency, 'customer', p.customer, 'endedAt', p.ended_at)) as json
    from billing_plans p where p.installer_id = ${$.installerId} and p.installation_id = any(${$.of}::text[])`,
    installations: sql`select json_agg(json_build_object('id', i.id, 'name', i.name, 'address', i.address, 'region', i.region,
      'timezone', i.timezone, 'capacityKw', i.capacity_kw, 'panels', i.panel_count, 'createdAt', i.created_at)) as json
    from installations i where i.installer_id = ${$.installerId} and i.id = any(${$.of}::text[])`,
    payments: sql`select json_agg(json_build_object('invoiceId', p.invoice_id, 'amount', p.amount, 'method', p.method,
      'reference', p.reference, 'receivedOn', p.received_on, 'at', p.at) order by p.invoice_id, p.ordinal) as json
    from invoice_payments p where p.installer_id = ${$.installerId} and p.invoice_id = any(${$.of}::text[])`,
    credits: sql`select json_agg(json_build_object('invoiceId', c.invoice_id, 'currency', c.currency, 'amount', c.amount,
      'used', c.used, 'refunded', c.refunded, 'createdAt', c.created_at) order by c.id) as json
    from credits c where c.installer_id = ${$.installerId} and c.invoice_id = any(${$.of}::text[])`,
    refunds: sql`select json_agg(json_build_object('invoiceId', c.invoice_id, 'amount', f.amount, 'method', f.method,
      'reference', f.reference, 'refundedOn', f.refunded_on, 'at', f.at) order by f.id) as json
    from credits c join credit_refunds f on f.installer_id = c.installer_id and f.credit_id = c.id
    where c.installer_id = ${$.installerId} and c.invoice_id = any(${$.of}::text[])`,
    agentProposals: sql`select json_agg(json_build_object('agent', p.agent_name, 'proposed', p.summary, 'reason', p.reason,
      'terms', p.input, 'state', p.state, 'at', p.created_at, 'decidedAt', p.decided_at, 'declinedBecause', p.declined_because)
      order by p.created_at) as json
    from agent_proposals p where p.installer_id = ${$.installerId}
      and (p.lead_id = any(${$.of}::text[]) or p.installation_id = any(${$.of}::text[]) or p.invoice_id = any(${$.of}::text[]))
      and (p.company_id = ${$.companyId} or ${$.companyId} = ${$.installerId})`,
    mails: sql`select json_agg(json_build_object('to', m.to_address, 'subject', m.subject, 'text', m.body, 'writtenAt', m.created_at,
      'sentAt', m.sent_at) order by m.created_at) as json
    from mails m where m.installer_id = ${$.installerId} and m.id = any(${$.of}::text[]) and (m.company_id = ${$.companyId} or ${$.companyId} = ${$.installerId})`,
  }),
)

/** One part of what is kept of a customer, as it is exported. */
export async function readPart(db: Db, wanted: Wanted): Promise<unknown[]> {
  return (await archivePart(db, wanted)).json ?? []
}

export interface DayMade {
  installationId: string
  day: string
  microkwh: number
}

const dayMade = row<DayMade>({ installationId: text, day, microkwh: integer })

export const listDaysMade = many(
  dayMade,
  ($: Params<{ installerId: string; installationId: string }>) => sql`
    select ${select(dayMade)} from installation_days
    where installer_id = ${$.installerId} and installation_id = ${$.installationId} order by day`,
)
