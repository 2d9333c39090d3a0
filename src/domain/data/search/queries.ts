import type { Db, Statement } from '../../../platform/db.ts'
import type { LeadStatus } from '../../deals/leads/lead.ts'
import { holdsWords, type SearchWords, wordsShape } from '../../deals/leads/search-words.ts'
import type { Reach } from '../../kernel/context.ts'
import { isOn } from '../../kernel/context.ts'
import type { ProductLine } from '../../kernel/tenant/stage.ts'

export interface FoundRow {
  leadId: string
  projectId: string | null
  firstName: string | null
  lastName: string | null
  email: string | null
  phone: string | null
  line1: string | null
  city: string | null
  productLine: ProductLine
  status: LeadStatus
  stageId: string | null
  companyId: string
}

/** How many of each kind are shown. */
export const mostOfEach = 10
// Who types three letters that half of the leads hold is shown some of them, at once.
const mostLookedAt = 500

const statements = new Map<string, Statement>()

function statementOf(words: SearchWords, byCompany: boolean, own: boolean): Statement {
  const key = `${wordsShape(words)} ${byCompany} ${own}`
  const known = statements.get(key)
  if (known) return known
  let parameters = 1
  const next = () => `$${++parameters}`
  const where = ['lead.installer_id = $1', holdsWords(words, next)]
  if (byCompany) where.push(`lead.company_id = ${next()}`)
  if (own) where.push(isOn(next()))
  const group = (condition: string) =>
    `(select * from found where "projectId" is ${condition} order by named desc, at desc limit ${mostOfEach})`
  const statement: Statement = {
    name: `search-${statements.size + 1}`,
    text: `with found as materialized (
        select lead.id as "leadId", project.id as "projectId", lead.first_name as "firstName",
          lead.last_name as "lastName", lead.email, lead.phone, lead.line1, lead.city,
          lead.product_line as "productLine", lead.status, project.stage_id as "stageId",
          lead.company_id as "companyId", lead.updated_at as at,
          search_form(coalesce(lead.first_name, '') || ' ' || coalesce(lead.last_name, '')) like $2 as named
        from leads lead left join projects project on project.installer_id = $1 and project.id = lead.project_id
        where ${where.join(' and ')} limit ${mostLookedAt}
      )
      ${group('null')} union all ${group('not null')}`,
  }
  statements.set(key, statement)
  return statement
}

/** Leads and projects that hold the words: those whose name does first, then the last changed. */
export function findRecords(
  db: Db,
  { installerId, companyId, memberId }: Reach,
  words: SearchWords,
): Promise<FoundRow[]> {
  const values = [installerId, ...words.flat()]
  if (companyId) values.push(companyId)
  if (memberId) values.push(memberId)
  return db.query<FoundRow>(statementOf(words, Boolean(companyId), Boolean(memberId)), values)
}
