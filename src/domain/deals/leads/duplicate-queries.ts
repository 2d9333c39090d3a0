import type { Db, Statement } from '../../../platform/db.ts'
import type { Reach } from '../../kernel/context.ts'
import type { Lead } from './lead.ts'
import { type LeadRow, leadRowColumns } from './list-queries.ts'
import { normalisePhone } from './phone.ts'

export type DuplicateRow = LeadRow & { samePhone: boolean; sameAddress: boolean }

const most = 20

const findDuplicatesStatement: Statement = {
  name: 'find-duplicate-leads',
  text: `select ${leadRowColumns}, coalesce(l.phone_e164 = $3, false) as "samePhone",
      coalesce(lower(l.line1) = lower($4) and l.postal_code = $5, false) as "sameAddress"
    from (
      select id from leads where installer_id = $1 and phone_e164 = $3
      union select id from leads where installer_id = $1 and lower(line1) = lower($4) and postal_code = $5
    ) alike join leads l on l.installer_id = $1 and l.id = alike.id
      left join projects p on p.installer_id = $1 and p.id = l.project_id
    where l.id <> $2 and ($6::text is null or l.company_id = $6) and ($7::text is null or
      $7 in (l.sales_rep_id, l.setter_id, p.project_manager_id, p.site_surveyor_id, p.subcontractor_id))
    order by l.updated_at desc limit ${most}`,
}

/** Leads of the same phone number, or of the same house, among those that the caller sees. */
export function findDuplicates(db: Db, reach: Reach, lead: Lead): Promise<DuplicateRow[]> {
  const { line1, postalCode, country } = lead.address
  return db.query<DuplicateRow>(findDuplicatesStatement, [
    reach.installerId,
    lead.id,
    normalisePhone(lead.customer.phone, country),
    line1,
    postalCode,
    reach.companyId,
    reach.memberId ?? null,
  ])
}
