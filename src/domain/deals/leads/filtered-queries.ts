import type { Database, Db } from '../../../platform/db.ts'
import { boolean, float, instant, row, text } from '../../../platform/sql/row.ts'
import { empty, type Fragment, type Params, pick, raw, sql, when } from '../../../platform/sql/sql.ts'
import { many, maybeScalar } from '../../../platform/sql/statements.ts'
import { countedUpTo } from '../../kernel/counted.ts'
import { asciiLowered } from '../../kernel/email.ts'
import { shownToDealer, shownToInstaller } from '../projects/shown.ts'
import {
  type FirstRow,
  type FoundRow,
  type LookedPage,
  lookedOf,
  lookForWords,
  pageOf,
  rangeOf,
} from '../renderings/looked-page.ts'
import { maxLimit, type PageRequest } from '../renderings/page.ts'
import { askedLeads, countAsked, isAsked, isWanted, type Listing, ofTenant } from './asked-leads.ts'
import {
  alongOf,
  firstLeads,
  type Looks,
  looked,
  lookedThrough,
  type Ordered,
  orderAlong,
  orderOf,
} from './first-leads.ts'
import { areTelling, haveLongNumber, holds, holdsWhole, inBrief, mayHold } from './search-words.ts'

/** The conditions by which all that fit are found. */
type FoundBy = 'externalId' | 'email' | 'phone' | 'words' | 'asked'

interface Wanted extends Ordered {
  since: string
  before: string
  limit: number
  foundBy: FoundBy
  /** Whether the index of words is not told whose leads are looked for. */
  unnamed: boolean
  /** Whether it is asked for parts of the words only. */
  brief: boolean
  /** Whether the project stands in its lead as a whole. */
  withProject: boolean
}

const inRange = ($: Params<Wanted>) => sql`and l.updated_at > ${$.since} and l.updated_at < ${$.before}`

/** These leads as they are read, in order; with what else is told of each. */
function readLeads($: Params<Wanted>, leads: Fragment, more = empty): Fragment {
  const project = when($.companyId, shownToDealer, shownToInstaller)
  // Nothing else in a rendering looks like this place: the quotes in its texts are escaped.
  const expanded = sql`case when p.id is null then l.rendering else replace(l.rendering,
      '"project":{"id":"' || p.id || '","reference":' || coalesce('"' || p.reference || '"', 'null') || '},"links":',
      '"project":' || ${project} || ',"links":') end`
  // A limit that is a parameter would be planned for as a tenth of the table; the outer one cuts to size.
  return sql`
    select ${when($.withProject, expanded, sql`l.rendering`)} as rendering, l.updated_at as at ${more} from (
      select * from (${leads} limit ${raw(maxLimit + 1)}) most limit ${$.limit}
    ) l
    ${when($.withProject, sql`left join projects p on p.installer_id = ${$.installerId} and p.id = l.project_id`)}
    ${orderOf($)}`
}

const columns = sql`l.id, l.rendering, l.project_id, l.updated_at, l.created_at`

const firstRows = many(
  row<FirstRow>({ rendering: text, at: instant, last: boolean }),
  ($: Params<Wanted>) => sql`
    select case when l.fits then l.rendering end as rendering, l.at, l.last from (${readLeads(
      $,
      sql`select ${columns}, l.fits, l.is_last from (
          select *, row_number() over (${orderAlong($)}) = ${looked($)} as is_last, coalesce(true ${isWanted($)}, false) as fits
          from (${firstLeads($, sql`l.*`, inRange($))}) l offset 0
        ) l where l.fits or l.is_last ${orderAlong($)}`,
      sql`, l.fits, l.is_last as last`,
    )}) l`,
)

/** Of what was found, where it stands in the order, and what tells whether it is wanted: no more, as thousands may be kept. */
const knownOf = ($: Params<Wanted>) => {
  const isOfCompany = when($.companyId, sql`, l.company_id`, when($.company, sql`, l.company_id`))
  return sql`l.id, l.updated_at, l.created_at, l.archived, l.search
    ${when($.externalId, sql`, l.company_id, l.external_id`, isOfCompany)}
    ${when($.line, sql`, l.product_line`)} ${when($.status, sql`, l.status`)}
    ${when($.withoutRep, sql`, l.sales_rep_id`, when($.rep, sql`, l.sales_rep_id`))}
    ${when($.withoutSetter, sql`, l.setter_id`, when($.setter, sql`, l.setter_id`))}
    ${when($.withoutSource, sql`, l.source_name`, when($.source, sql`, l.source_name`))}
    ${when($.email, sql`, l.email`)} ${when($.phone, sql`, l.phone_e164`)}`
}

/** So many that hold parts of the words are looked at for the whole of them. */
const maxInBrief = 4_000

const findAll = many(
  row<{ rendering: string | null; at: Date | null }>({ rendering: text, at: instant }),
  ($: Params<Wanted>) => {
    const known = knownOf($)
    // By one condition alone: beside others, above all a span of time, the planner would go by theirs.
    const those = (is: Fragment) => sql`select ${known} from leads l where ${ofTenant($)} and ${is}`
    // Beside the words, the index goes through all that it has of the installer. Where that is much of what there is, and
    // few leads hold the words, others' are left out behind it instead: in another collation than its own, the installer
    // is not looked up in it.
    const unindexed = sql`l.installer_id = ${$.installerId} collate "C"`
    const whose = when($.unnamed, unindexed, ofTenant($))
    const ofWords = (hold: typeof holds) =>
      sql`select ${known} from leads l where ${whose} ${hold(sql`l.search`, $.words)}`
    const found = pick($.foundBy, {
      externalId: those(sql`l.company_id = any(${$.companies}::text[]) and l.external_id = ${$.externalId}`),
      email: those(sql`${raw(asciiLowered('l.email'))} = ${$.email}`),
      phone: those(sql`l.phone_e164 = ${$.phone}`),
      words: when($.brief, ofWords(mayHold), ofWords(holds)),
      asked: sql`select * from (${askedLeads($, known)}) l`,
    })
    const max = when($.brief, raw(maxInBrief), raw(lookedThrough))
    const isMany = sql`(select count(*) from found) > ${max}`
    const isLeft = pick($.foundBy, {
      ...{ externalId: isWanted($), email: isWanted($), phone: isWanted($) },
      words: sql`${isAsked($)} ${when($.brief, holdsWhole(sql`l.search`, $.words))}`,
      asked: isWanted($),
    })
    const first = sql`select l.id from found l where not ${isMany} ${inRange($)} ${isLeft} ${orderOf($)} limit ${$.limit}`
    return sql`with found as materialized (${found} limit ${max} + 1)
      (${readLeads(
        $,
        sql`select ${columns} from (${first}) first cross join lateral (
            select * from leads where installer_id = ${$.installerId} and id = first.id offset 0
          ) l ${orderOf($)}`,
      )})
      union all select null, null where ${isMany}`
  },
)

/** Which share of all leads is the tenant's, as they were last counted by the database; null where that is little. */
const shareOfAll = maybeScalar(
  { share: float },
  ($: Params<{ installerId: string }>) => sql`
    select common.share from pg_stats s, unnest(s.most_common_vals::text::text[], s.most_common_freqs) common (id, share)
    where s.schemaname = current_schema() and s.tablename = 'leads' and s.attname = 'installer_id'
      and common.id = ${$.installerId}`,
)

/** Where a tenant has more of all leads, most that hold a number are its own; */
const largeShare = 0.25
/** and where it has so much, few of others' hold any words, whatever these are. */
const nearlyAll = 0.98

/** All that fit; null where too many would have to be looked at. */
async function findFew(db: Db, wanted: Wanted): Promise<FoundRow[] | null> {
  const { foundBy, words, installerId } = wanted
  const find = async (way: Partial<Wanted>) => {
    const rows = await findAll(db, { ...wanted, ...way })
    return rows.some(({ at }) => at === null) ? null : (rows as FoundRow[])
  }
  if (foundBy !== 'words') return find({})
  const brief = inBrief(words)
  const isNumber = haveLongNumber(words)
  const share = isNumber || brief ? ((await shareOfAll(db, { installerId })) ?? 0) : 0
  if (isNumber) return find({ unnamed: share > largeShare })
  return (brief && (await find({ words: brief, brief: true, unnamed: share > nearlyAll }))) ?? find({})
}

const naming = ['externalId', 'email', 'phone'] as const
const conditions = ['status', 'rep', 'company', 'companyId', 'line'] as const

/**
 * A page of the leads that fit, by the time of their last change. What names few is found by its index; else the first of
 * the order are looked through, along the index of one condition. Where that is not enough, all that fit are found, if
 * they are few, by the index of words or by that of all conditions.
 */
export function listFilteredLeads(
  db: Database,
  listing: Listing,
  page: PageRequest,
  withProject: boolean,
): Promise<LookedPage> {
  const sorting = { by: 'changed', reversed: page.ascending } as const
  const name = naming.find((one) => listing[one]) ?? (areTelling(listing.words) ? 'words' : undefined)
  const hasWords = listing.words.length > 0
  const wanted: Wanted = {
    ...listing,
    ...sorting,
    ...rangeOf(page),
    along: alongOf(listing, sorting),
    looks: 'through',
    limit: page.limit + 1,
    foundBy: name ?? (hasWords ? 'words' : 'asked'),
    unnamed: false,
    brief: false,
    withProject,
  }
  const given = conditions.filter((one) => listing[one]).length
  const alone = !name && !hasWords && given === (wanted.along === 'any' ? 0 : 1)
  return db.reading(listing.installerId, 'clocked', async (from) => {
    const all = name ? await findFew(from, wanted) : null
    if (all) return pageOf([{ rows: all, upTo: null }], page)
    const look = async (looks: Looks) => lookedOf(await firstRows(from, { ...wanted, looks }), wanted)
    if (hasWords && !name) {
      const find = () => findFew(from, wanted)
      return pageOf([await lookForWords(page, { through: lookedThrough, look, find })], page)
    }
    const first = await look('through')
    if (alone || !first.upTo) return pageOf([{ ...first, upTo: null }], page)
    const mayBeFew = !name && (await countAsked(from, listing)) <= countedUpTo
    const others = mayBeFew ? await findFew(from, wanted) : null
    return pageOf([others ? { rows: others, upTo: null } : first], page)
  })
}
