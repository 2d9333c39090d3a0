import type { Database, Db } from '../../../platform/db.ts'
import { isExactly } from '../../../platform/sql/is-exactly.ts'
import { boolean, instant, row, text } from '../../../platform/sql/row.ts'
import { empty, type Fragment, type Params, pick, raw, sql, when } from '../../../platform/sql/sql.ts'
import { many } from '../../../platform/sql/statements.ts'
import { tenantTime } from '../../kernel/tenant/clock-queries.ts'
import type { ProductLine } from '../../kernel/tenant/stage.ts'
import { holds, type SearchWords } from '../leads/search-words.ts'
import {
  type FirstRow,
  type FoundRow,
  type Looked,
  type LookedPage,
  lookedBriefly,
  lookedOf,
  lookForWords,
  maxFound,
  pageOf,
  rangeOf,
} from '../renderings/looked-page.ts'
import { maxLimit, type PageRequest } from '../renderings/page.ts'
import { filesOf, milestonesOf, shownRow, shownToDealer, shownToInstaller } from './shown.ts'

export interface ProjectFilters {
  installerId: string
  companyId: string | null
  /** Whether who reads is a dealer. */
  toDealer: boolean
  line: ProductLine | undefined
  /** One of these, of which there are two where both ladders have the name; none where it does not matter. */
  stages: readonly string[]
  rep: string | undefined
  /** Days, both inclusive. */
  installFrom: string | undefined
  installTo: string | undefined
  words: SearchWords
}

/** What of a project its row shows. */
export type Shown = 'row' | 'withMilestones' | 'withFiles' | 'withBoth' | 'full'

type FoundBy = 'rep' | 'installDay' | 'words' | 'dealerStage'

interface Wanted extends Omit<ProjectFilters, 'stages'> {
  stage: string | undefined
  /** The condition along whose index the first are found. */
  along: 'company' | 'stage' | 'any'
  /** The conditions by which all are found. */
  foundBy: FoundBy
  /** Whether a condition is about the lead. */
  ofLead: boolean
  /** How many of the first are looked through. */
  looks: 'briefly' | 'through'
  ascending: boolean
  since: string
  before: string
  limit: number
  shown: Shown
}

/** How many of the first are looked through for those that fit. */
const lookedAt = { briefly: lookedBriefly, through: 1_000 }
/** So many leads of a rep are gone through for their projects. */
const maxOfRep = 2_000

// Days are written in one form, so they are in order whatever the language of the database is.
const installDay = sql`((p.milestones->>'installScheduled') collate "C")`
const isOfDays = ($: Params<Wanted>) => sql`
  ${when($.installFrom, sql`and ${installDay} >= ${$.installFrom}`)}
  ${when($.installTo, sql`and ${installDay} <= ${$.installTo}`)}`

const isWanted = ($: Params<Wanted>) => sql`
  and p.updated_at > ${$.since} and p.updated_at < ${$.before}
  ${when($.companyId, sql`and p.company_id = ${$.companyId}`)}
  ${when($.line, sql`and p.product_line = ${$.line}`)}
  ${when($.stage, sql`and p.stage_id = ${$.stage}`)} ${isOfDays($)}
  ${when($.ofLead, sql`${when($.rep, sql`and lead.sales_rep_id = ${$.rep}`)} ${holds(sql`lead.search`, $.words)}`)}`

const wayOf = ($: Params<Wanted>) => when($.ascending, raw('asc'), raw('desc'))

const orderOf = ($: Params<Wanted>) => sql`order by p.updated_at ${wayOf($)}`

/** The same order as the first are found in: what is the same in all of them stands before it. */
const orderAlong = ($: Params<Wanted>) => {
  const by = (column: string) => sql`order by ${raw(column)} ${wayOf($)}, p.updated_at ${wayOf($)}`
  return pick($.along, { company: by('p.company_id'), stage: by('p.stage_id'), any: orderOf($) })
}

const itsLead = ($: Params<Wanted>) =>
  when(
    $.ofLead,
    sql`cross join lateral (
      select * from leads where installer_id = ${$.installerId} and id = p.lead_id offset 0) lead`,
  )

const mostLooked = ({ looks }: Params<Wanted>) =>
  pick(looks, { briefly: raw(lookedAt.briefly), through: raw(lookedAt.through) })

/** The first of the order, of what is wanted no more than one condition, which has an index in this order. */
function firstProjects($: Params<Wanted>): Fragment {
  const first = (own: Fragment) => sql`
    select p.* from projects p
    where p.installer_id = ${$.installerId} and p.updated_at > ${$.since} and p.updated_at < ${$.before} ${own}
    ${orderAlong($)} limit ${mostLooked($)}`
  return pick($.along, {
    company: first(sql`and ${isExactly('p.company_id', $.companyId)}`),
    stage: first(sql`and ${isExactly('p.stage_id', $.stage)}`),
    any: first(empty),
  })
}

function renderingOf($: Params<Wanted>): Fragment {
  const full = when($.toDealer, shownToDealer, shownToInstaller)
  const rowWith = (part: Fragment) => sql`left(${shownRow}, -1) || ',' || ${part} || '}'`
  return pick($.shown, {
    row: shownRow,
    withMilestones: rowWith(milestonesOf(full)),
    withFiles: rowWith(filesOf(full)),
    withBoth: rowWith(sql`${milestonesOf(full)} || ',' || ${filesOf(full)}`),
    full,
  })
}

/** A limit that is a parameter would be planned for as a tenth of the table; the outer one cuts to size. */
const cutToSize = ($: Params<Wanted>, projects: Fragment) =>
  sql`select * from (${projects} limit ${raw(maxLimit + 1)}) most limit ${$.limit}`

const columns = sql`p.id, p.stage_id, p.updated_at, p.row_rendering, p.rendering, p.dealer_rendering`

const firstRows = many(
  row<FirstRow>({ rendering: text, at: instant, last: boolean }),
  ($: Params<Wanted>) => sql`
    select case when p.fits then ${renderingOf($)} end as rendering, p.updated_at as at, p.is_last as last
    from (${cutToSize(
      $,
      sql`select ${columns}, p.fits, p.is_last from (
        select p.*, row_number() over (${orderAlong($)}) = ${mostLooked($)} as is_last,
          coalesce(true ${isWanted($)}, false) as fits
        from (${firstProjects($)}) p ${itsLead($)} offset 0
      ) p where p.fits or p.is_last ${orderAlong($)}`,
    )}) p ${orderOf($)}`,
)

const lookThrough = async (db: Db, wanted: Wanted): Promise<Looked> =>
  lookedOf(await firstRows(db, wanted), wanted)

const findAll = many(
  row<{ rendering: string | null; at: Date | null }>({ rendering: text, at: instant }),
  ($: Params<Wanted>) => {
    const ofRep = sql`from leads l where l.installer_id = ${$.installerId} and ${isExactly('l.sales_rep_id', $.rep)}
      order by l.sales_rep_id, l.updated_at`
    const ofDays = sql`from projects p where p.installer_id = ${$.installerId} ${isOfDays($)} order by ${installDay}`
    const isMoreThan = (most: number, rows: Fragment) =>
      sql`select count(*) > ${raw(most)} as many from (${rows} limit ${raw(most + 1)}) counted`
    // Counted in the index alone before anything is read.
    const countedFirst = (most: number, id: string, those: Fragment) => sql`
      probe as materialized (${isMoreThan(most, sql`select ${those}`)}),
      found as materialized (
        select * from (select ${raw(id)} as id ${those} limit ${raw(most)}) few where not (select many from probe))`
    const foundFirst = (those: Fragment) => sql`
      found as materialized (select ${those} limit ${raw(maxFound + 1)}),
      probe as materialized (${isMoreThan(maxFound, sql`select from found`)})`
    const found = pick($.foundBy, {
      rep: countedFirst(maxOfRep, 'l.project_id', ofRep),
      installDay: countedFirst(maxFound, 'p.id', ofDays),
      words: foundFirst(sql`l.project_id as id from leads l
        where l.installer_id = ${$.installerId} and l.project_id is not null ${holds(sql`l.search`, $.words)}`),
      dealerStage: foundFirst(sql`p.id from projects p
        where p.installer_id = ${$.installerId} and p.company_id <> ${$.installerId}
          and p.company_id = ${$.companyId} and p.stage_id = ${$.stage}`),
    })
    return sql`with ${found}
      (select ${renderingOf($)} as rendering, p.updated_at as at from (${cutToSize(
        $,
        sql`select ${columns} from found cross join lateral (
            select * from projects where installer_id = ${$.installerId} and id = found.id offset 0
          ) p ${itsLead($)} where not (select many from probe) ${isWanted($)} ${orderOf($)}`,
      )}) p ${orderOf($)})
      union all select null, null from probe where many`
  },
)

/** All that fit; null where too many would have to be looked at. */
async function findFew(db: Db, wanted: Wanted): Promise<FoundRow[] | null> {
  const rows = await findAll(db, wanted)
  return rows.some(({ at }) => at === null) ? null : (rows as FoundRow[])
}

/** What a rep or a span of days has is found by its index, if that is little; else the first of the order are looked through. */
async function look(db: Db, wanted: Wanted): Promise<Looked> {
  const { companyId, stage, rep, installFrom, installTo, words } = wanted
  const foundBy = rep ? 'rep' : installFrom || installTo ? 'installDay' : null
  const all = foundBy && (await findFew(db, { ...wanted, foundBy }))
  if (all) return { rows: all, upTo: null }
  return words.length > 0
    ? lookForItsWords(db, wanted)
    : lookAlong(db, wanted, stage && companyId ? 'dealerStage' : null)
}

const lookForItsWords = (db: Db, wanted: Wanted): Promise<Looked> =>
  lookForWords(wanted, {
    through: lookedAt.through,
    look: (looks) => lookThrough(db, { ...wanted, looks }),
    find: () => findFew(db, { ...wanted, foundBy: 'words' }),
  })

/** Along the index of one condition; where the first are not enough, all that fit are found by another, if they are few. */
async function lookAlong(db: Db, wanted: Wanted, foundBy: FoundBy | null): Promise<Looked> {
  const looked = await lookThrough(db, wanted)
  if (!looked.upTo || !foundBy) return looked
  const others = await findFew(db, { ...wanted, foundBy })
  return others ? { rows: others, upTo: null } : looked
}

/** A page of the projects that fit, by the time of their last change. */
export function listFilteredProjects(
  db: Database,
  { stages, ...filters }: ProjectFilters,
  page: PageRequest,
  shown: Shown,
): Promise<LookedPage> {
  const { companyId, rep, words } = filters
  const wantedOf = (stage: string | undefined, upTo: Date | null): Wanted => ({
    ...filters,
    ...rangeOf(page, upTo),
    ascending: page.ascending,
    limit: page.limit + 1,
    shown,
    stage,
    along: companyId ? 'company' : stage ? 'stage' : 'any',
    foundBy: 'words',
    looks: 'through',
    ofLead: Boolean(rep) || words.length > 0,
  })
  return db.reading(filters.installerId, 'clocked', async (from) => {
    const { installerId } = filters
    // One is looked at after the other: who enters one that was looked at must not be left out before what changes later in
    // another. Both come when the list is asked for again.
    const upTo = stages.length > 1 ? await tenantTime(from, { installerId }) : null
    const looked: Looked[] = []
    for (const stage of stages.length > 0 ? stages : [undefined])
      looked.push(await look(from, wantedOf(stage, upTo)))
    return pageOf(looked, page)
  })
}
