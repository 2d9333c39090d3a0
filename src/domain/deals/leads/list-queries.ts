import type { Db } from '../../../platform/db.ts'
import { boolean, instant, integer, row, select, text } from '../../../platform/sql/row.ts'
import {
  empty,
  type Fragment,
  join,
  type Param,
  type Params,
  pick,
  raw,
  sql,
  when,
} from '../../../platform/sql/sql.ts'
import { many, scalar, scalars } from '../../../platform/sql/statements.ts'
import type { Scope } from '../../kernel/context.ts'
import { countedUpTo } from '../../kernel/counted.ts'
import type { Sorting } from '../../kernel/sorting.ts'
import type { ProductLine } from '../../kernel/tenant/stage.ts'
import { findWhose, isExactly, leadsOfOwnProjects, ownLeads, type Whose } from '../assignments/own-deals.ts'
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
/** How many of the first are looked through for what is no word: looking ends with the page. */
const lookedFurther = 20_000
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
  whose: Whose
  /** Whether so little is asked for, but for the words, that all of it can be found at once. */
  fewAsked: boolean
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

async function listingOf(db: Db, scope: Scope, filters: LeadFilters): Promise<Listing> {
  const asked = (value: string | undefined) => (value && value !== 'none' ? value : undefined)
  const listing: Listing = {
    installerId: scope.installerId,
    companyId: scope.companyId,
    memberId: scope.memberId || null,
    whose: await findWhose(db, scope),
    fewAsked: false,
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
  if (listing.whose === 'few') return listing
  return { ...listing, fewAsked: (await countAsked(db, listing)) <= countedUpTo }
}

/** The leads that the filters ask for, as far as an index knows it. */
const isAsked = ($: Params<Listing>) => sql`
  ${when($.companyId, sql`and l.company_id = ${$.companyId}`)}
  ${when($.company, sql`and l.company_id = ${$.company}`)}
  ${when($.line, sql`and l.product_line = ${$.line}`)}
  ${when($.status, sql`and l.status = ${$.status}`)}
  ${when($.withoutRep, sql`and l.sales_rep_id is null`, when($.rep, sql`and l.sales_rep_id = ${$.rep}`))}
  ${when($.withoutSetter, sql`and l.setter_id is null`, when($.setter, sql`and l.setter_id = ${$.setter}`))}
  ${when($.withoutSource, sql`and l.source_name is null`, when($.source, sql`and l.source_name = ${$.source}`))}
  ${pick($.archived, { only: sql`and l.archived`, all: empty, none: sql`and not l.archived` })}`

const isWanted = ($: Params<Listing>) => sql`${isAsked($)} ${holds(sql`l.search`, $.words)}`

const ofTenant = ($: Params<Listing>) => sql`l.installer_id = ${$.installerId}`

/** What the filters ask for, were it all, in the order of the index that knows all of them. */
const askedLeads = ($: Params<Listing>, columns: Fragment) => sql`
  select ${columns} from leads l where ${ofTenant($)} ${isAsked($)}
  order by l.archived, l.status, l.product_line, l.company_id, l.sales_rep_id, l.setter_id, l.source_name
  limit ${raw(countedUpTo + 1)}`

const countAsked = scalar(
  { count: integer },
  ($: Params<Listing>) => sql`select count(*)::int as count from (${askedLeads($, empty)}) l`,
)

/** All leads that the reader sees and the filters ask for, each once. */
function wantedLeads($: Params<Listing>, columns: Fragment, conditions: Fragment): Fragment {
  const from = (table: Fragment, own = empty) =>
    sql`select ${columns} from ${table} where ${ofTenant($)} ${own} ${conditions} ${isWanted($)}`
  const leads = when($.fewAsked, sql`(${askedLeads($, sql`l.*`)}) l`, sql`leads l`)
  const isOnLead = sql`${$.memberId} in (l.sales_rep_id, l.setter_id)`
  return pick($.whose, {
    all: from(leads),
    few: from(sql`${ownLeads($)} l`),
    manyLeads: from(leads, sql`and (${isOnLead} or l.id in (${leadsOfOwnProjects($)}))`),
    many: from(
      leads,
      sql`and (${isOnLead} or (
        select ${$.memberId} in (p.project_manager_id, p.site_surveyor_id, p.subcontractor_id) from projects p
        where p.installer_id = ${$.installerId} and p.id = l.project_id))`,
    ),
  })
}

interface Ordered extends Listing, LeadSorting {
  /** The condition along whose index the first are found. */
  along: Along
  further: boolean
}

type Along = 'archived' | 'status' | 'rep' | 'setter' | 'company' | 'companyId' | 'any'

/** Those of the archive are few in any order; other conditions have an index by the time of the last change. */
function alongOf(listing: Listing, { by }: LeadSorting): Along {
  if (listing.whose !== 'all') return 'any'
  if (listing.archived === 'only') return 'archived'
  const narrowing = ['rep', 'setter', 'company', 'companyId', 'status'] as const
  return (by === 'changed' && narrowing.find((name) => listing[name])) || 'any'
}

const wayOf = ({ reversed }: Pick<Params<Ordered>, 'reversed'>) => when(reversed, raw('asc'), raw('desc'))

/** No two leads of a tenant are changed at the same time. */
const orderOf = ($: Pick<Params<Ordered>, 'by' | 'reversed'>) =>
  pick($.by, {
    changed: sql`order by l.updated_at ${wayOf($)}`,
    made: sql`order by l.created_at ${wayOf($)}, l.id ${wayOf($)}`,
  })

/** The same order as the first are found in: what is the same in all of them stands before it. */
const orderAlong = ($: Params<Ordered>) => {
  const by = (column: string) => sql`order by ${raw(column)} ${wayOf($)}, l.updated_at ${wayOf($)}`
  return pick($.along, {
    ...{ status: by('l.status'), rep: by('l.sales_rep_id'), setter: by('l.setter_id') },
    ...{ company: by('l.company_id'), companyId: by('l.company_id') },
    ...{ archived: orderOf($), any: orderOf($) },
  })
}

const looked = ({ further }: Pick<Params<Ordered>, 'further'>) =>
  when(further, raw(lookedFurther), raw(lookedThrough))

/**
 * The first of the leads that the reader sees, of what is wanted no more than one condition, which has an index in this
 * order. Where a reader sees little, it is all of it.
 */
function firstLeads($: Params<Ordered>, columns: Fragment, conditions: Fragment): Fragment {
  const cut = sql`${orderOf($)} limit ${looked($)}`
  const first = (table: Fragment, own: Fragment, ordered = cut) =>
    sql`(select ${columns} from ${table} where ${ofTenant($)} ${own} ${conditions} ${ordered})`
  const along = (column: string, value: Param<string | null | undefined>) =>
    first(sql`leads l`, sql`and ${isExactly(column, value)}`, sql`${orderAlong($)} limit ${looked($)}`)
  const inRole = (role: string, more = empty) =>
    pick($.by, {
      changed: first(
        sql`leads l`,
        sql`and ${isExactly(role, $.memberId)} ${more}`,
        sql`order by ${raw(role)} ${wayOf($)}, l.updated_at ${wayOf($)} limit ${looked($)}`,
      ),
      made: first(sql`leads l`, sql`and ${raw(role)} = ${$.memberId} ${more}`),
    })
  const isNotRep = sql`and l.sales_rep_id is distinct from ${$.memberId}`
  const isNotOn = sql`${isNotRep} and l.setter_id is distinct from ${$.memberId}`
  const roles = (ofProjects: Fragment) =>
    sql`(select * from (${join(
      [inRole('l.sales_rep_id'), inRole('l.setter_id', isNotRep), ofProjects],
      ' union all ',
    )}) l ${cut})`
  const any = first(sql`leads l`, empty)
  return pick($.whose, {
    all: pick($.along, {
      archived: first(sql`leads l`, sql`and l.archived`),
      status: along('l.status', $.status),
      rep: along('l.sales_rep_id', $.rep),
      setter: along('l.setter_id', $.setter),
      company: along('l.company_id', $.company),
      companyId: along('l.company_id', $.companyId),
      any,
    }),
    few: sql`select ${columns} from ${ownLeads($)} l where true ${conditions}`,
    manyLeads: roles(
      first(
        sql`(select distinct id from (${leadsOfOwnProjects($)}) twice) own
          join leads l on l.installer_id = ${$.installerId} and l.id = own.id`,
        isNotOn,
        empty,
      ),
    ),
    many: roles(
      first(
        sql`leads l join projects p on p.installer_id = ${$.installerId} and p.id = l.project_id`,
        sql`and l.status = 'sold' ${isNotOn}
          and ${$.memberId} in (p.project_manager_id, p.site_surveyor_id, p.subcontractor_id)`,
      ),
    ),
  })
}

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

const pageOfLeads = many(leadRow, ($: Params<Wanted>) => {
  const columns = sql`l.id, l.created_at, l.updated_at`
  // Few are left where the first were not enough, so they are not sought along the order.
  const matching = when(
    $.first,
    sql`select ${columns} from (${firstLeads($, sql`l.*`, isBehind($))}) l where true ${isWanted($)} ${orderAlong($)}`,
    sql`select * from (
        with found as materialized (${wantedLeads($, columns, isBehind($))}) select * from found
      ) l ${orderOf($)}`,
  )
  // A limit that is a parameter would be planned for as a tenth of the table; the outer one cuts to size.
  return sql`select ${leadSelection} from (
      select * from (${matching} limit ${raw(maxLeads + 1)}) most limit ${$.limit}
    ) page join leads l on l.installer_id = ${$.installerId} and l.id = page.id ${orderOf($)}`
})

/** Whether there are others than the first. */
const isCut = scalar(
  { cut: boolean },
  ($: Params<Wanted>) => sql`
    select count(*) >= ${looked($)} as cut
    from (${firstLeads($, sql`l.id, l.created_at, l.updated_at`, isBehind($))}) l`,
)

export interface LeadTotal {
  count: number
  /** There are as many at least; counting further would take too long. */
  orMore: boolean
}

const countWanted = scalar(
  { count: integer },
  ($: Params<Listing>) => sql`
    select count(*)::int as count from (${wantedLeads($, empty, empty)} limit ${raw(countedUpTo + 1)}) l`,
)

async function countLeads(db: Db, listing: Listing): Promise<LeadTotal> {
  const isMany = listing.whose === 'all' && listing.words.length === 0 && !listing.fewAsked
  const count = isMany ? countedUpTo + 1 : await countWanted(db, listing)
  return count > countedUpTo ? { count: countedUpTo, orMore: true } : { count, orMore: false }
}

/** A page of leads, those first that were changed last, or made last; or the other way round. The first says how many there are. */
export async function listLeadRows(
  db: Db,
  scope: Scope,
  filters: LeadFilters,
  order: LeadSorting,
  after: LeadPosition | null,
  limit: number,
): Promise<{ rows: LeadRow[]; more: boolean; total: LeadTotal | null }> {
  const place = { afterAt: after?.at, afterId: after?.id, limit: limit + 1 }
  const listing = await listingOf(db, scope, filters)
  const further = listing.whose === 'all' && listing.words.length === 0
  const first = listing.whose !== 'few' && !listing.fewAsked
  const wanted = { ...listing, ...order, ...place, along: alongOf(listing, order), first, further }
  let found = await pageOfLeads(db, wanted)
  if (first && found.length <= limit && (await isCut(db, wanted)))
    found = await pageOfLeads(db, { ...wanted, first: false })
  const rows = found.slice(0, limit)
  const more = found.length > limit
  const whole = { count: rows.length, orMore: false }
  return { rows, more, total: after ? null : more ? await countLeads(db, listing) : whole }
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
  return sourcesOf(db, { ...listing, ...order, along: alongOf(listing, order), further: false })
}
