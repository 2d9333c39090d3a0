import type { Db } from '../../../platform/db.ts'
import { integer, row, select, text } from '../../../platform/sql/row.ts'
import { join, type Params, param, raw, sql, when } from '../../../platform/sql/sql.ts'
import { many, scalar } from '../../../platform/sql/statements.ts'
import { findWhose, ownLeads } from '../../deals/assignments/own-deals.ts'
import type { LeadStatus } from '../../deals/leads/lead.ts'
import { holds, type SearchWords } from '../../deals/leads/search-words.ts'
import { isOnDeal, type Scope } from '../../kernel/context.ts'
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
export const maxOfEach = 10
// Who types three letters that half of the leads hold is shown some of them, at once.
const maxLookedAt = 500
/** How many of the last changed are looked through before the index of words is asked. */
const lookedThrough = 1_000

const foundRow = row<FoundRow>({
  leadId: text,
  projectId: text,
  firstName: text,
  lastName: text,
  email: text,
  phone: text,
  line1: text,
  city: text,
  productLine: text,
  status: text,
  stageId: text,
  companyId: text,
})
const lastChanged = ($: Params<Wanted>) => sql`(
    select * from leads last where last.installer_id = ${$.installerId}
      ${when($.companyId, sql`and last.company_id = ${$.companyId}`)}
    order by last.updated_at desc limit ${raw(lookedThrough)})`
const names = join(Object.keys(foundRow.columns).map((name) => raw(`"${name}"`)))

interface Wanted extends Scope {
  words: SearchWords
  /** Whether only those that were changed last are looked through, or all that hold the words are found. */
  first: boolean
  /** Whether the member is on little, so that all of it is looked through. */
  few: boolean
}

const foundBy = many(foundRow, ($: Params<Wanted>) => {
  const group = (condition: string) =>
    sql`(select ${names} from found where "projectId" is ${raw(condition)}
      order by named desc, at desc limit ${raw(maxOfEach)})`
  return sql`with found as materialized (
      select ${select(foundRow, 'lead', {
        leadId: sql`lead.id`,
        projectId: sql`project.id`,
        stageId: sql`project.stage_id`,
      })}, lead.updated_at as at,
        search_form(coalesce(lead.first_name, '') || ' ' || coalesce(lead.last_name, ''))
          like ${param<string>('words.0.0.1')} as named
      from ${when($.first, lastChanged($), when($.few, ownLeads($), sql`leads`))} lead left join projects project
        on project.installer_id = ${$.installerId} and project.id = lead.project_id
      where lead.installer_id = ${$.installerId} ${holds(sql`lead.search`, $.words)}
        ${when($.companyId, sql`and lead.company_id = ${$.companyId}`)}
        ${when($.memberId, sql`and ${isOnDeal($.memberId)}`)} limit ${raw(maxLookedAt)}
    )
    ${group('null')} union all ${group('not null')}`
})

const countLastChanged = scalar(
  { count: integer },
  ($: Params<Wanted>) => sql`select count(*)::int as count from ${lastChanged($)} l`,
)

/**
 * Leads and projects that hold the words: those whose name does first, then the last changed. The index of words finds
 * all that hold a word before the first is read; where it is common, enough are among the last changed.
 */
export async function findRecords(db: Db, wanted: Omit<Wanted, 'first' | 'few'>): Promise<FoundRow[]> {
  const few = (await findWhose(db, wanted)) === 'few'
  const first = !few
  const found = await foundBy(db, { ...wanted, few, first })
  const isAll = few || found.length === 2 * maxOfEach
  return isAll || (await countLastChanged(db, { ...wanted, few, first })) < lookedThrough
    ? found
    : foundBy(db, { ...wanted, few, first: false })
}
