import { isExactly } from '../../../platform/sql/is-exactly.ts'
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
import type { Sorting } from '../../kernel/sorting.ts'
import { leadsOfOwnProjects, ownLeads } from '../assignments/own-deals.ts'
import { lookedBriefly } from '../renderings/looked-page.ts'
import { type Listing, ofTenant } from './asked-leads.ts'

/** The latest first. */
export const leadOrders = ['changed', 'made'] as const
export type LeadSorting = Sorting<(typeof leadOrders)[number]>

/** How many of the first are looked through for a word that is not known to be rare: where it is common, that finds enough. */
export const lookedThrough = 2_000
/** For a figure fewer: it tells how many there are at least. */
const lookedCounting = 1_500
/** How many of the first are looked through for what is no word: looking ends with the page. */
const lookedFurther = 20_000
/** A few tell whether a word is rare; what is no word is looked for further. */
export type Looks = 'briefly' | 'counting' | 'through' | 'further'

export interface Ordered extends Listing, LeadSorting {
  /** The condition along whose index the first are found. */
  along: Along
  looks: Looks
}

type Along = 'archived' | 'status' | 'rep' | 'setter' | 'company' | 'companyId' | 'any'

/**
 * Those of the archive are few in any order; other conditions have an index by the time of the last change. That of a status
 * holds all that can be filtered by: where `byIndex` alone is looked through, it comes before that of a company.
 */
export function alongOf(listing: Listing, { by }: LeadSorting, { byIndex = false } = {}): Along {
  if (listing.whose !== 'all') return 'any'
  if (listing.archived === 'only') return 'archived'
  const last = byIndex ? (['status', 'company'] as const) : (['company', 'status'] as const)
  const narrowing = ['rep', 'setter', 'companyId', ...last] as const
  return (by === 'changed' && narrowing.find((name) => listing[name])) || 'any'
}

const wayOf = ({ reversed }: Pick<Params<Ordered>, 'reversed'>) => when(reversed, raw('asc'), raw('desc'))

/** No two leads of a tenant are changed at the same time. */
export const orderOf = ($: Pick<Params<Ordered>, 'by' | 'reversed'>) =>
  pick($.by, {
    changed: sql`order by l.updated_at ${wayOf($)}`,
    made: sql`order by l.created_at ${wayOf($)}, l.id ${wayOf($)}`,
  })

/** The same order as the first are found in: what is the same in all of them stands before it. */
export const orderAlong = ($: Params<Ordered>) => {
  const by = (column: string) => sql`order by ${raw(column)} ${wayOf($)}, l.updated_at ${wayOf($)}`
  return pick($.along, {
    ...{ status: by('l.status'), rep: by('l.sales_rep_id'), setter: by('l.setter_id') },
    ...{ company: by('l.company_id'), companyId: by('l.company_id') },
    ...{ archived: orderOf($), any: orderOf($) },
  })
}

export const looked = ({ looks }: Pick<Params<Ordered>, 'looks'>) =>
  pick(looks, {
    briefly: raw(lookedBriefly),
    counting: raw(lookedCounting),
    through: raw(lookedThrough),
    further: raw(lookedFurther),
  })

/**
 * The first of the leads that the reader sees, of what is wanted no more than one condition, which has an index in this
 * order. Where a reader sees little, it is all of it.
 */
export function firstLeads($: Params<Ordered>, columns: Fragment, conditions: Fragment): Fragment {
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
