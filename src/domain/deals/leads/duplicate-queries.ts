import type { Db } from '../../../platform/db.ts'
import { boolean, type Row } from '../../../platform/sql/row.ts'
import { type Fragment, type Params, raw, sql, when } from '../../../platform/sql/sql.ts'
import { many } from '../../../platform/sql/statements.ts'
import type { Scope } from '../../kernel/context.ts'
import type { Lead } from './lead.ts'
import { type LeadRow, leadRow, leadSelection } from './list-queries.ts'
import { normalisePhone } from './phone.ts'

export type DuplicateRow = LeadRow & { samePhone: boolean; sameAddress: boolean }

const duplicate: Row<DuplicateRow> = {
  columns: { ...leadRow.columns, samePhone: boolean, sameAddress: boolean },
}

const maxFound = 20

interface Alike extends Scope {
  id: string
  phone: string | null
  line1: string | null
  postalCode: string | null
}

const leadsAlike = many(duplicate, ($: Params<Alike>) => {
  const those = (alike: Fragment) => sql`(
    select l.id from leads l
      ${when($.memberId, sql`left join projects p on p.installer_id = ${$.installerId} and p.id = l.project_id`)}
    where l.installer_id = ${$.installerId} and ${alike} and l.id <> ${$.id}
      ${when($.companyId, sql`and l.company_id = ${$.companyId}`)} ${when(
        $.memberId,
        sql`and ${$.memberId} in
          (l.sales_rep_id, l.setter_id, p.project_manager_id, p.site_surveyor_id, p.subcontractor_id)`,
      )}
    order by l.updated_at desc limit ${raw(maxFound)})`
  const hasPhone = sql`l.phone_e164 = ${$.phone}`
  const isAtHouse = sql`lower(l.line1) = lower(${$.line1}) and l.postal_code = ${$.postalCode}`
  return sql`
    select ${leadSelection}, coalesce(${hasPhone}, false) as "samePhone", coalesce(${isAtHouse}, false) as "sameAddress"
    from (${those(hasPhone)} union ${those(isAtHouse)}) alike
      join leads l on l.installer_id = ${$.installerId} and l.id = alike.id
    order by l.updated_at desc limit ${raw(maxFound)}`
})

/** Leads of the same phone number, or of the same house, among those that the caller sees. */
export function findDuplicates(db: Db, scope: Scope, lead: Lead): Promise<DuplicateRow[]> {
  const { line1, postalCode, country } = lead.address
  const phone = normalisePhone(lead.customer.phone, country)
  return leadsAlike(db, { ...scope, id: lead.id, phone, line1, postalCode })
}
