import type { Db } from '../../../platform/db.ts'
import { boolean, instant, integer, row, select, text } from '../../../platform/sql/row.ts'
import { empty, type Fragment, join, type Params, pick, raw, sql, when } from '../../../platform/sql/sql.ts'
import { many, scalar, scalars } from '../../../platform/sql/statements.ts'
import type { Scope } from '../../kernel/context.ts'
import { countedUpTo } from '../../kernel/counted.ts'
import type { Sorting } from '../../kernel/sorting.ts'
import type { ProductLine } from '../../kernel/tenant/stage.ts'
import type { LeadStatus } from './lead.ts'
import { holds, type SearchWords, searchWords } from './search-words.ts'

export interface LeadFilters {
  search?: string
  status?: LeadStatus
  line?: ProductLine
  /** A member's id, or 'none'. */
  rep?: string
  setter?: string
  company?: string
  source?: string
  /** Those in the archive alone, or with the others; without it, the others alone. */
  archived?: 'only' | 'all'
}

/** The latest first. */
export const leadOrders = ['changed', 'made'] as const
export type LeadSorting = Sorting<(typeof leadOrders)[number]>

/** Where a page ends: the time that its order goes by, and the lead. */
export interface LeadPosition {
  at: Date
  id: string
}

export interface LeadRow {
  id: string
  companyId: string
  productLine: ProductLine
  status: LeadStatus
  archived: boolean
  createdAt: Date
  updatedAt: Date
  firstName: string | null
  lastName: string | null
  email: string | null
  phone: string | null
  line1: string | null
  city: string | null
  state: string | null
  sourceName: string | null
  salesRepId: string | null
  setterId: string | null
  projectId: string | null
}

export const maxLeads = 100
/** How many of the first are looked through before the index of words is asked: where a word is common, that finds enough. */
const lookedThrough = 2_000
const maxSources = 100

export const leadRow = row<LeadRow>({
  id: text,
  companyId: text,
  productLine: text,
  status: text,
  archived: boolean,
  createdAt: instant,
  updatedAt: instant,
  firstName: text,
  lastName: text,
  email: text,
  phone: text,
  line1: text,
  city: text,
  state: text,
  sourceName: text,
  salesRepId: text,
  setterId: text,
  projectId: text,
})
export const leadSelection = select(leadRow, 'l')

/** Who lists which leads. */
interface Listing {
  installerId: string
  /** The company that the reader is confined to. */
  companyId: string | null
  /** For those who see only what they are on. */
  memberId: string | null
  company: string | undefined
  line: ProductLine | undefined
  status: LeadStatus | undefined
  rep: string | undefined
  withoutRep: boolean
  setter: string | undefined
  withoutSetter: boolean
  source: string | undefined
  withoutSource: boolean
  archived: 'only' | 'all' | 'none'
  words: SearchWords
}

function listingOf(scope: Scope, filters: LeadFilters): Listing {
  const asked = (value: string | undefined) => (value && value !== 'none' ? value : undefined)
  return {
    installerId: scope.installerId,
    companyId: scope.companyId,
    memberId: scope.memberId || null,
    company: filters.company || undefined,
    line: filters.line,
    status: filters.status,
    rep: asked(filters.rep),
    withoutRep: filters.rep === 'none',
    setter: asked(filters.setter),
    withoutSetter: filters.setter === 'none',
    source: asked(filters.source),
    withoutSource: filters.source === 'none',
    archived: filters.archived ?? 'none',
    words: searchWords(filters.search ?? ''),
  }
}

/** The leads that the filters ask for. */
const isWanted = ($: Params<Listing>) => sql`
  ${when($.companyId, sql`and l.company_id = ${$.companyId}`)}
  ${when($.company, sql`and l.company_id = ${$.company}`)}
  ${when($.line, sql`and l.product_line = ${$.line}`)}
  ${when($.status, sql`and l.status = ${$.status}`)}
  ${when($.withoutRep, sql`and l.sales_rep_id is null`, when($.rep, sql`and l.sales_rep_id = ${$.rep}`))}
  ${when($.withoutSetter, sql`and l.setter_id is null`, when($.setter, sql`and l.setter_id = ${$.setter}`))}
  ${when($.withoutSource, sql`and l.source_name is null`, when($.source, sql`and l.source_name = ${$.source}`))}
  ${pick($.archived, { only: sql`and l.archived`, all: empty, none: sql`and not l.archived` })}
  ${holds(sql`l.search`, $.words)}`

/** All leads of the tenant, or what a member is on, each lead in one part; of each part the first where they are in order. */
function gathered($: Params<Listing>, columns: Fragment, conditions: Fragment, ordered = empty): Fragment {
  const part = (from: Fragment, own: Fragment) =>
    sql`(select ${columns} from ${from} where l.installer_id = ${$.installerId} ${own} ${conditions} ${ordered})`
  const isNotRep = sql`and l.sales_rep_id is distinct from ${$.memberId}`
  return when(
    $.memberId,
    join(
      [
        part(sql`leads l`, sql`and l.sales_rep_id = ${$.memberId}`),
        part(sql`leads l`, sql`and l.setter_id = ${$.memberId} ${isNotRep}`),
        part(
          sql`projects p join leads l on l.installer_id = p.installer_id and l.id = p.lead_id`,
          sql`and p.installer_id = ${$.installerId}
            and (p.project_manager_id = ${$.memberId} or p.site_surveyor_id = ${$.memberId}
              or p.subcontractor_id = ${$.memberId})
            ${isNotRep} and l.setter_id is distinct from ${$.memberId}`,
        ),
      ],
      ' union all ',
    ),
    part(sql`leads l`, empty),
  )
}

interface Wanted extends Listing, LeadSorting {
  afterAt: Date | undefined
  afterId: string | undefined
  limit: number
  /** Whether only the first in the order are looked through, or all are found and put into it. */
  first: boolean
}

const pageOfLeads = many(leadRow, ($: Params<Wanted>) => {
  const way = when($.reversed, raw('asc'), raw('desc'))
  const beyond = when($.reversed, raw('>'), raw('<'))
  // No two leads of a tenant are changed at the same time.
  const orderBy = pick($.by, {
    changed: sql`order by l.updated_at ${way}`,
    made: sql`order by l.created_at ${way}, l.id ${way}`,
  })
  const isBehind = when(
    $.afterId,
    pick($.by, {
      changed: sql`and l.updated_at ${beyond} ${$.afterAt}`,
      made: sql`and (l.created_at, l.id) ${beyond} (${$.afterAt}, ${$.afterId})`,
    }),
  )
  const columns = sql`l.id, l.created_at, l.updated_at`
  // Few are left where the first were not enough, so they are not sought along the order.
  const matching = when(
    $.first,
    sql`select ${columns} from (
        ${gathered($, sql`l.*`, isBehind, sql`${orderBy} limit ${raw(lookedThrough)}`)}
      ) l where true ${isWanted($)}`,
    sql`select * from (
        with found as materialized (${gathered($, columns, sql`${isBehind} ${isWanted($)}`)}) select * from found
      ) l`,
  )
  // A limit that is a parameter would be planned for as a tenth of the table; the outer one cuts to size.
  return sql`select ${leadSelection} from (
      select * from (${matching} ${orderBy} limit ${raw(maxLeads + 1)}) most limit ${$.limit}
    ) page join leads l on l.installer_id = ${$.installerId} and l.id = page.id ${orderBy}`
})

/** A page of leads, those first that were changed last, or made last; or the other way round. */
export async function listLeadRows(
  db: Db,
  scope: Scope,
  filters: LeadFilters,
  order: LeadSorting,
  after: LeadPosition | null,
  limit: number,
): Promise<{ rows: LeadRow[]; more: boolean }> {
  const place = { afterAt: after?.at, afterId: after?.id, limit: limit + 1 }
  const wanted = { ...listingOf(scope, filters), ...order, ...place }
  let rows = await pageOfLeads(db, { ...wanted, first: true })
  if (rows.length <= limit) rows = await pageOfLeads(db, { ...wanted, first: false })
  return { rows: rows.slice(0, limit), more: rows.length > limit }
}

export interface LeadTotal {
  count: number
  /** There are as many at least; counting further would take too long. */
  orMore: boolean
}

const countGathered = scalar(
  { count: integer },
  ($: Params<Listing>) => sql`
    select count(*)::int as count from (
      ${gathered($, empty, isWanted($))} limit ${raw(countedUpTo + 1)}
    ) l`,
)

export async function countLeads(db: Db, scope: Scope, filters: LeadFilters): Promise<LeadTotal> {
  const count = await countGathered(db, listingOf(scope, filters))
  return count > countedUpTo ? { count: countedUpTo, orMore: true } : { count, orMore: false }
}

const sourcesOf = scalars(
  { name: text },
  ($: Params<Listing>) => sql`
    select distinct source_name as name from (
      ${gathered($, sql`l.source_name, l.updated_at`, isWanted($))}
      order by updated_at desc limit ${raw(lookedThrough)}
    ) latest where source_name is not null order by name limit ${raw(maxSources)}`,
)

/** The sources of the latest leads, to choose from. */
export const listSources = (db: Db, scope: Scope): Promise<string[]> =>
  sourcesOf(db, listingOf(scope, { archived: 'all' }))
