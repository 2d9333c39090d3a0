import type { Db, Statement } from '../../../platform/db.ts'
import type { Reach } from '../../kernel/context.ts'
import type { Sorting } from '../../kernel/sorting.ts'
import type { ProductLine } from '../../kernel/tenant/stage.ts'
import type { LeadStatus } from './lead.ts'
import { searchWords, wordsShape } from './search-words.ts'

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
/** Counting the leads that a word is in reads each of them. */
const mostCounted = 1_000
const mostSources = 100

export const leadRowColumns = `l.id, l.company_id as "companyId", l.product_line as "productLine", l.status, l.archived,
  l.created_at as "createdAt", l.updated_at as "updatedAt", l.first_name as "firstName", l.last_name as "lastName",
  l.email, l.phone, l.line1, l.city, l.state, l.source_name as "sourceName", l.sales_rep_id as "salesRepId",
  l.setter_id as "setterId", l.project_id as "projectId"`

/** The parts that leads are gathered from: all of the tenant's, or what a member is on, each lead in one part. */
function partsOf(member: string | null): { from: string; conditions: string[] }[] {
  if (!member) return [{ from: 'leads l', conditions: [] }]
  const isNotRep = `l.sales_rep_id is distinct from ${member}`
  return [
    { from: 'leads l', conditions: [`l.sales_rep_id = ${member}`] },
    { from: 'leads l', conditions: [`l.setter_id = ${member}`, isNotRep] },
    {
      from: 'projects p join leads l on l.installer_id = p.installer_id and l.id = p.lead_id',
      conditions: [
        'p.installer_id = $1',
        `(p.project_manager_id = ${member} or p.site_surveyor_id = ${member} or p.subcontractor_id = ${member})`,
        isNotRep,
        `l.setter_id is distinct from ${member}`,
      ],
    },
  ]
}

/** The leads of a listing, those that more conditions hold for, of each part the first where they are in order. */
function gathered(
  { member, conditions, words }: Listing,
  columns = '',
  more: string[] = [],
  ordered = '',
): string {
  return partsOf(member)
    .map(({ from, conditions: own }) => {
      const where = ['l.installer_id = $1', ...own, ...more, ...conditions, ...words].join(' and ')
      return `(select ${columns} from ${from} where ${where} ${ordered})`
    })
    .join(' union all ')
}

/** What a list is made of: its conditions, their values, and a name for their form. */
interface Listing {
  form: string
  values: unknown[]
  next: (value: unknown) => string
  member: string | null
  conditions: string[]
  words: string[]
}

function listingOf(reach: Reach, filters: LeadFilters): Listing {
  const values: unknown[] = [reach.installerId]
  const next = (value: unknown) => `$${values.push(value)}`
  const form: string[] = []
  const conditions: string[] = []
  const equal = (letter: string, column: string, value: string | null | undefined) => {
    if (!value) return
    form.push(value === 'none' ? letter.toUpperCase() : letter)
    conditions.push(value === 'none' ? `l.${column} is null` : `l.${column} = ${next(value)}`)
  }
  const member = reach.memberId ? next(reach.memberId) : null
  if (member) form.push('own')
  equal('k', 'company_id', reach.companyId)
  equal('c', 'company_id', filters.company)
  equal('p', 'product_line', filters.line)
  equal('s', 'status', filters.status)
  equal('r', 'sales_rep_id', filters.rep)
  equal('t', 'setter_id', filters.setter)
  equal('o', 'source_name', filters.source)
  if (filters.archived !== 'all') {
    form.push(filters.archived === 'only' ? 'a' : 'n')
    conditions.push(filters.archived === 'only' ? 'l.archived' : 'not l.archived')
  }
  const words = searchWords(filters.search ?? '')
  form.push(wordsShape(words))
  const like = (patterns: readonly string[]) =>
    `(${patterns.map((pattern) => `l.search like ${next(pattern)}`).join(' or ')})`
  return { form: form.join(''), values, next, member, conditions, words: words.map(like) }
}

/** A page of leads, those first that were changed last, or made last; or the other way round. */
export async function listLeadRows(
  db: Db,
  reach: Reach,
  filters: LeadFilters,
  order: LeadSorting,
  after: LeadPosition | null,
  limit: number,
): Promise<{ rows: LeadRow[]; more: boolean }> {
  const page = (way: Way) => {
    const listing = listingOf(reach, filters)
    return db.query<LeadRow>(pageStatement(listing, way, order, after, limit), listing.values)
  }
  let rows = await page('first')
  if (rows.length <= limit) rows = await page('all')
  return { rows: rows.slice(0, limit), more: rows.length > limit }
}

/** Looking through the first of the order, or finding all and putting them into it. */
type Way = 'first' | 'all'

function pageStatement(
  listing: Listing,
  way: Way,
  { by, reversed }: LeadSorting,
  after: LeadPosition | null,
  limit: number,
): Statement {
  const { form, next, conditions, words } = listing
  // No two leads of a tenant are changed at the same time.
  const keys = by === 'changed' ? ['updated_at'] : ['created_at', 'id']
  const sorted = `order by ${keys.map((key) => `l.${key} ${reversed ? 'asc' : 'desc'}`).join(', ')}`
  const beyond = reversed ? '>' : '<'
  const begun: string[] = []
  if (after && by === 'changed') begun.push(`l.updated_at ${beyond} ${next(after.at.toISOString())}`)
  if (after && by === 'made')
    begun.push(`(l.created_at, l.id) ${beyond} (${next(after.at.toISOString())}, ${next(after.id)})`)
  const columns = 'l.id, l.created_at, l.updated_at'
  const first = `${sorted} limit ${lookedThrough}`
  // Few are left where the first were not enough, so they are not sought along the order.
  const matching =
    way === 'first'
      ? `select ${columns} from (${gathered({ ...listing, conditions: [], words: [] }, 'l.*', begun, first)}) l
          where ${['true', ...conditions, ...words].join(' and ')}`
      : `select * from (
          with found as materialized (${gathered(listing, columns, begun)}) select * from found
        ) l`
  // A limit that is a parameter would be planned for as a tenth of the table; the outer one cuts to size.
  return {
    name: `list-leads-${way}-${by}${reversed ? '-reversed' : ''}${after ? '-after' : ''}-${form}`,
    text: `select ${leadRowColumns} from (
        select * from (${matching} ${sorted} limit ${maxLeads + 1}) most limit ${next(limit + 1)}
      ) page join leads l on l.installer_id = $1 and l.id = page.id ${sorted}`,
  }
}

export interface LeadTotal {
  count: number
  /** There are as many at least; counting further would take too long. */
  orMore: boolean
}

export async function countLeads(db: Db, reach: Reach, filters: LeadFilters): Promise<LeadTotal> {
  const listing = listingOf(reach, filters)
  const limit = listing.words.length > 0 ? `limit ${mostCounted + 1}` : ''
  const [row] = await db.query<{ count: number }>(
    {
      name: `count-leads-${listing.form}`,
      text: `select count(*)::int as count from (${gathered(listing)} ${limit}) l`,
    },
    listing.values,
  )
  const { count } = row!
  return limit && count > mostCounted ? { count: mostCounted, orMore: true } : { count, orMore: false }
}

/** The sources of the latest leads, to choose from. */
export async function listSources(db: Db, reach: Reach): Promise<string[]> {
  const listing = listingOf(reach, { archived: 'all' })
  const rows = await db.query<{ name: string }>(
    {
      name: `list-sources-${listing.form}`,
      text: `select distinct source_name as name from (
          ${gathered(listing, 'l.source_name, l.updated_at')} order by updated_at desc limit ${lookedThrough}
        ) latest where source_name is not null order by name limit ${mostSources}`,
    },
    listing.values,
  )
  return rows.map(({ name }) => name)
}
