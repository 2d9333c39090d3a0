import type { Db } from '../../../platform/db.ts'
import { instant, integer, row, select, text } from '../../../platform/sql/row.ts'
import { type Params, raw, sql } from '../../../platform/sql/sql.ts'
import { many, one } from '../../../platform/sql/statements.ts'
import type { Deal } from '../../deals/changes/deal.ts'
import type { LeadStatus } from '../../deals/leads/lead.ts'
import type { Scope } from '../../kernel/context.ts'
import { asciiLowered } from '../../kernel/email.ts'
import { personOf } from './erasure.ts'

export interface OtherLead {
  id: string
  name: string
  status: LeadStatus
  createdAt: Date
}

const maxOthers = 20

interface Sought extends Pick<Scope, 'installerId' | 'companyId'> {
  leadId: string
  /** Whose lead it is. */
  ownerId: string
  phones: readonly string[]
  emails: readonly string[]
}

const otherLead = row<OtherLead>({ id: text, name: text, status: text, createdAt: instant })

// The trigram index finds the address in the text of the search; what merely contains it is left out then.
const leadsOfPerson = many(
  otherLead,
  ($: Params<Sought>) => sql`
    select ${select(otherLead, 'l', { name: sql`concat_ws(' ', l.first_name, l.last_name)` })} from leads l
    where l.installer_id = ${$.installerId} and l.id <> ${$.leadId}
      and (${$.companyId}::text is null or l.company_id = ${$.companyId}) and l.company_id = ${$.ownerId}
      and l.id in (
        select id from leads where installer_id = ${$.installerId} and phone_e164 = any(${$.phones}::text[])
        union select s.id from unnest(${$.emails}::text[]) e join leads s
          on s.installer_id = ${$.installerId} and s.search like '%' || search_form(e) || '%'
            and e in (${raw(asciiLowered('s.email'))}, ${raw(asciiLowered('s.co_email'))}))
    order by l.created_at desc limit ${raw(maxOthers)}`,
)

/** Other leads of the same company that have the customer's or co-borrower's phone or email. */
export function findOthers(db: Db, { installerId, companyId }: Scope, deal: Deal): Promise<OtherLead[]> {
  const { phones, emails } = personOf(deal)
  const { id: leadId, companyId: ownerId } = deal.lead
  return leadsOfPerson(db, { installerId, companyId, leadId, ownerId, phones, emails })
}

export interface Held {
  notes: number
  mails: number
  files: number
  fileBytes: number
  entries: number
  events: number
}

/** How much there is of what is told about a customer. */
export const countHeld = one(
  row<Held>({
    notes: integer,
    mails: integer,
    files: integer,
    fileBytes: integer,
    entries: integer,
    events: integer,
  }),
  ($: Params<{ installerId: string; leadId: string; projectId: string | null }>) => {
    const ofLead = sql`installer_id = ${$.installerId} and lead_id = ${$.leadId}`
    return sql`select
      (select count(*)::int from activities where ${ofLead} and type = 'note' and body <> '') as notes,
      (select count(*)::int from activities where ${ofLead}) as entries,
      (select count(*)::int from mails where ${ofLead} and lead_id is not null) as mails,
      (select count(*)::int from events
        where installer_id = ${$.installerId} and coalesce(lead_id, subject_id) = ${$.leadId}) as events,
      count(f.id)::int as files, coalesce(sum(f.size), 0)::bigint as "fileBytes"
    from (select 1) one left join files f
      on f.installer_id = ${$.installerId} and f.project_id = ${$.projectId} and f.revoked_at is null`
  },
)
