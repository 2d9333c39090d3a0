import type { Db } from '../../../platform/db.ts'
import { boolean, instant, integer, type Row, row, select, text } from '../../../platform/sql/row.ts'
import { empty, type Params, pick, raw, sql, when } from '../../../platform/sql/sql.ts'
import { many, one, scalar, scalars } from '../../../platform/sql/statements.ts'
import type { Scope } from '../../kernel/context.ts'
import { countedUpTo, type Figure, figureUpTo, lookedAtUpTo } from '../../kernel/counted.ts'
import type { ProductLine } from '../../kernel/tenant/stage.ts'
import { isWanted, type LeadFilters, type Listing, listingOf, ofTenant, wantedLeads } from './asked-leads.ts'
import {
  alongOf,
  firstLeads,
  type LeadSorting,
  type Looks,
  looked,
  lookedThrough,
  type Ordered,
  orderAlong,
  orderOf,
} from './first-leads.ts'
import type { LeadStatus } from './lead.ts'
import { holds } from './search-words.ts'

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

interface Wanted extends Ordered {
  afterAt: Date | undefined
  afterId: string | undefined
  limit: number
  /** Whether only the first in the order are looked through, or all are found and put into it. */
  first: boolean
}

const isBehind = ($: Params<Wanted>) => {
  const beyond = when($.reversed, raw('>'), raw('<'))
  return when(
    $.afterId,
    pick($.by, {
      changed: sql`and l.updated_at ${beyond} ${$.afterAt}`,
      made: sql`and (l.created_at, l.id) ${beyond} (${$.afterAt}, ${$.afterId})`,
    }),
  )
}

/** A lead of a page, or the last of those that were looked through, which may not be wanted. */
const lookedRow: Row<LeadRow & { fits: boolean; last: boolean }> = {
  columns: { ...leadRow.columns, fits: boolean, last: boolean },
}

/** Both told by one statement: what leaves the first between two would let the list end too soon. */
const pageOfLeads = many(lookedRow, ($: Params<Wanted>) => {
  const columns = sql`l.id, l.created_at, l.updated_at`
  // Few are left where the first were not enough, so they are not sought along the order.
  const matching = when(
    $.first,
    sql`select ${columns}, l.fits, l.is_last from (
        select *, coalesce(true ${isWanted($)}, false) as fits, row_number() over (${orderAlong($)}) = ${looked($)} as is_last
        from (${firstLeads($, sql`l.*`, isBehind($))}) l offset 0
      ) l where l.fits or l.is_last ${orderAlong($)}`,
    sql`select *, true as fits, false as is_last from (
        with found as materialized (${wantedLeads($, columns, isBehind($))}) select * from found
      ) l ${orderOf($)}`,
  )
  const told = { fits: sql`page.fits`, last: sql`page.is_last` }
  // A limit that is a parameter would be planned for as a tenth of the table; the outer one cuts to size.
  return sql`select ${select(lookedRow, 'l', told)} from (
      select * from (${matching} limit ${raw(maxLeads + 1)}) most limit ${$.limit}
    ) page join leads l on l.installer_id = ${$.installerId} and l.id = page.id ${orderOf($)}`
})

async function findPage(db: Db, wanted: Wanted): Promise<LeadRow[]> {
  const page = await pageOfLeads(db, wanted)
  const found = page.flatMap(({ fits, last: _, ...lead }) => (fits ? lead : []))
  const isCut = found.length < wanted.limit && page.some(({ last }) => last)
  if (!isCut) return found
  const isBrief = wanted.looks === 'briefly'
  const goesOn = isBrief && (found.length > 0 || !(await areInFew(db, wanted)))
  return findPage(db, { ...wanted, ...(goesOn ? { looks: 'through' } : { first: false }) })
}

/** Whether few leads hold the words: of a common one that the first few happen not to hold, all would take too long to find. */
const areInFew = scalar(
  { few: boolean },
  ($: Params<Listing>) => sql`select (select count(*) from (
      select from leads l where ${ofTenant($)} ${holds(sql`l.search`, $.words)} limit ${raw(lookedThrough + 1)}
    ) found) <= ${raw(lookedThrough)} as few`,
)

const countWanted = scalar(
  { count: integer },
  ($: Params<Listing>) => sql`
    select count(*)::int as count from (${wantedLeads($, empty, empty)} limit ${raw(countedUpTo + 1)}) l`,
)

const countAmongFirst = one(
  row<{ count: number; cut: boolean }>({ count: integer, cut: boolean }),
  ($: Params<Wanted>) => sql`
    select count(*) filter (where true ${isWanted($)})::int as count, count(*) >= ${looked($)} as cut
    from (${firstLeads($, sql`l.*`, empty)}) l`,
)

/** How many there are. Of a word that many hold, what is known of them: its index would be gone through for all of them. */
async function countLeads(db: Db, wanted: Wanted): Promise<Figure> {
  const hasWords = wanted.words.length > 0
  if (wanted.whose === 'all' && !hasWords && !wanted.fewAsked) return figureUpTo(countedUpTo, countedUpTo + 1)
  if (wanted.first && hasWords) {
    const { count, cut } = await countAmongFirst(db, wanted)
    if (!cut) return figureUpTo(countedUpTo, count)
    // In steps, of which there are more.
    if (count > lookedAtUpTo) {
      const met = count - 1 - ((count - 1) % lookedAtUpTo)
      return { count: Math.min(met, countedUpTo), orMore: true }
    }
  }
  return figureUpTo(countedUpTo, await countWanted(db, wanted))
}

/** Whatever the list's own order is, its figure is the same. */
const counting: LeadSorting = { by: 'changed', reversed: false }

/** A page of leads, those first that were changed last, or made last; or the other way round. The first says how many there are. */
export async function listLeadRows(
  db: Db,
  scope: Scope,
  filters: LeadFilters,
  order: LeadSorting,
  after: LeadPosition | null,
  limit: number,
): Promise<{ rows: LeadRow[]; more: boolean; total: Figure | null }> {
  const place = { afterAt: after?.at, afterId: after?.id, limit: limit + 1 }
  const listing = await listingOf(db, scope, filters)
  const hasWords = listing.words.length > 0
  const looks: Looks = listing.whose === 'all' && !hasWords ? 'further' : 'through'
  const first = listing.whose !== 'few' && !listing.fewAsked
  const along = alongOf(listing, order, { byIndex: !hasWords })
  const wanted = { ...listing, ...order, ...place, along, first, looks }
  const found = await findPage(db, hasWords ? { ...wanted, looks: 'briefly' } : wanted)
  const rows = found.slice(0, limit)
  const more = found.length > limit
  if (after) return { rows, more, total: null }
  if (!more) return { rows, more, total: { count: rows.length, orMore: false } }
  const { count, orMore } = await countLeads(db, {
    ...wanted,
    ...counting,
    along: alongOf(listing, counting),
    looks: 'counting',
  })
  return { rows, more, total: { count: orMore ? Math.max(count, rows.length) : count, orMore } }
}

const sourcesOf = scalars({ name: text }, ($: Params<Ordered>) => {
  const isOfCompany = when($.companyId, sql`and l.company_id = ${$.companyId}`)
  const columns = sql`l.source_name, l.updated_at, l.created_at, l.id`
  return sql`
    select distinct source_name as name from (
      select * from (${firstLeads($, columns, isOfCompany)}) l ${orderOf($)} limit ${raw(lookedThrough)}
    ) latest where source_name is not null order by name limit ${raw(maxSources)}`
})

/** The sources of the latest leads, to choose from. */
export async function listSources(db: Db, scope: Scope): Promise<string[]> {
  const listing = await listingOf(db, scope, { archived: 'all' })
  const order: LeadSorting = { by: 'changed', reversed: false }
  return sourcesOf(db, { ...listing, ...order, along: alongOf(listing, order), looks: 'through' })
}
