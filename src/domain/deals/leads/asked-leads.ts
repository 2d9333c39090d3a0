import type { Db } from '../../../platform/db.ts'
import { integer } from '../../../platform/sql/row.ts'
import { empty, type Fragment, type Params, pick, raw, sql, when } from '../../../platform/sql/sql.ts'
import { scalar } from '../../../platform/sql/statements.ts'
import type { Scope } from '../../kernel/context.ts'
import { countedUpTo } from '../../kernel/counted.ts'
import { asciiLower, asciiLowered } from '../../kernel/email.ts'
import type { ProductLine } from '../../kernel/tenant/stage.ts'
import { findWhose, leadsOfOwnProjects, ownLeads, type Whose } from '../assignments/own-deals.ts'
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
  externalId?: string
  companies?: readonly string[]
  email?: string
  phone?: string
}

/** Who lists which leads. */
export interface Listing {
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
  externalId: string | undefined
  /** Whose own ids are looked through for that one. */
  companies: readonly string[]
  email: string | undefined
  /** In E.164. */
  phone: string | undefined
}

export async function listingOf(db: Db, scope: Scope, filters: LeadFilters): Promise<Listing> {
  const listing = allThat(scope, await findWhose(db, scope), filters)
  if (listing.whose === 'few') return listing
  return { ...listing, fewAsked: (await countAsked(db, listing)) <= countedUpTo }
}

/** What the filters say, before anything is asked. */
export function allThat(scope: Scope, whose: Whose, filters: LeadFilters): Listing {
  const asked = (value: string | undefined) => (value && value !== 'none' ? value : undefined)
  return {
    installerId: scope.installerId,
    companyId: scope.companyId,
    memberId: scope.memberId || null,
    whose,
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
    externalId: filters.externalId,
    companies: filters.companies ?? [],
    email: filters.email && asciiLower(filters.email),
    phone: filters.phone,
  }
}

/** The leads that the filters ask for, as far as an index knows it. */
export const isAsked = ($: Params<Listing>) => sql`
  ${when($.companyId, sql`and l.company_id = ${$.companyId}`)}
  ${when($.company, sql`and l.company_id = ${$.company}`)}
  ${when($.line, sql`and l.product_line = ${$.line}`)}
  ${when($.status, sql`and l.status = ${$.status}`)}
  ${when($.withoutRep, sql`and l.sales_rep_id is null`, when($.rep, sql`and l.sales_rep_id = ${$.rep}`))}
  ${when($.withoutSetter, sql`and l.setter_id is null`, when($.setter, sql`and l.setter_id = ${$.setter}`))}
  ${when($.withoutSource, sql`and l.source_name is null`, when($.source, sql`and l.source_name = ${$.source}`))}
  ${pick($.archived, { only: sql`and l.archived`, all: empty, none: sql`and not l.archived` })}`

export const isWanted = ($: Params<Listing>) => sql`${isAsked($)}
  ${when($.externalId, sql`and l.company_id = any(${$.companies}::text[]) and l.external_id = ${$.externalId}`)}
  ${when($.email, sql`and ${raw(asciiLowered('l.email'))} = ${$.email}`)}
  ${when($.phone, sql`and l.phone_e164 = ${$.phone}`)} ${holds(sql`l.search`, $.words)}`

export const ofTenant = ($: Params<Listing>) => sql`l.installer_id = ${$.installerId}`

/** What the filters ask for, were it all, in the order of the index that knows all of them. */
export const askedLeads = ($: Params<Listing>, columns: Fragment) => sql`
  select ${columns} from leads l where ${ofTenant($)} ${isAsked($)}
  order by l.archived, l.status, l.product_line, l.company_id, l.sales_rep_id, l.setter_id, l.source_name
  limit ${raw(countedUpTo + 1)}`

export const countAsked = scalar(
  { count: integer },
  ($: Params<Listing>) => sql`select count(*)::int as count from (${askedLeads($, empty)}) l`,
)

/** All leads that the reader sees and the filters ask for, each once. */
export function wantedLeads($: Params<Listing>, columns: Fragment, conditions: Fragment): Fragment {
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
