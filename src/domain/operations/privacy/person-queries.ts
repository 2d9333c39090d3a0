import type { Db, Statement } from '../../../platform/db.ts'
import type { Deal } from '../../deals/changes/deal.ts'
import type { LeadStatus } from '../../deals/leads/lead.ts'
import type { Reach } from '../../kernel/context.ts'
import { asciiLowered } from '../../kernel/email.ts'
import { personOf } from './erasure.ts'

export interface OtherLead {
  id: string
  name: string
  status: LeadStatus
  createdAt: Date
}

const most = 20

// The trigram index finds the address in the text of the search; what merely contains it is left out then.
const othersStatement: Statement = {
  name: 'leads-of-same-person',
  text: `select id, concat_ws(' ', first_name, last_name) as name, status, created_at as "createdAt" from leads l
    where l.installer_id = $1 and l.id <> $2 and ($3::text is null or l.company_id = $3) and l.company_id = $4
      and l.id in (
        select id from leads where installer_id = $1 and phone_e164 = any($5::text[])
        union select s.id from unnest($6::text[]) e join leads s
          on s.installer_id = $1 and s.search like '%' || search_form(e) || '%'
            and e in (${asciiLowered('s.email')}, ${asciiLowered('s.co_email')}))
    order by created_at desc limit ${most}`,
}

/** Other leads of the same company that have the customer's or co-borrower's phone or email. */
export function findOthers(db: Db, { installerId, companyId }: Reach, deal: Deal): Promise<OtherLead[]> {
  const { phones, emails } = personOf(deal)
  return db.query<OtherLead>(othersStatement, [
    installerId,
    deal.lead.id,
    companyId,
    deal.lead.companyId,
    phones,
    emails,
  ])
}

export interface Held {
  notes: number
  mails: number
  files: number
  fileBytes: number
  entries: number
  events: number
}

const heldStatement: Statement = {
  name: 'held-of-customer',
  text: `select
      (select count(*)::int from activities where installer_id = $1 and lead_id = $2 and type = 'note' and body <> '') as notes,
      (select count(*)::int from activities where installer_id = $1 and lead_id = $2) as entries,
      (select count(*)::int from mails where installer_id = $1 and lead_id = $2 and lead_id is not null) as mails,
      (select count(*)::int from events where installer_id = $1 and coalesce(lead_id, subject_id) = $2) as events,
      count(f.id)::int as files, coalesce(sum(f.size), 0)::bigint as "fileBytes"
    from (select 1) one left join files f on f.installer_id = $1 and f.project_id = $3 and f.revoked_at is null`,
}

/** How much there is of what is told about a customer. */
export async function countHeld(
  db: Db,
  installerId: string,
  leadId: string,
  projectId: string | null,
): Promise<Held> {
  const [row] = await db.query<Held>(heldStatement, [installerId, leadId, projectId])
  return row!
}
