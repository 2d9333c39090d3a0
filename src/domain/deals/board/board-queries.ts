import type { Db } from '../../../platform/db.ts'
import { isExactly } from '../../../platform/sql/is-exactly.ts'
import { boolean, json, row, text } from '../../../platform/sql/row.ts'
import {
  empty,
  type Fragment,
  type Param,
  type Params,
  pick,
  raw,
  sql,
  when,
} from '../../../platform/sql/sql.ts'
import { many, one, scalar } from '../../../platform/sql/statements.ts'
import {
  type Figure,
  figureAmong,
  figureFound,
  figureOf,
  firstRows,
  lookedAtFirst,
  lookedAtUpTo,
} from '../../kernel/counted.ts'
import type { Decimal } from '../../kernel/money.ts'
import type { ProductLine } from '../../kernel/tenant/stage.ts'
import { findWhose, ownLeads } from '../assignments/own-deals.ts'
import { areTelling, holds, type SearchWords } from '../leads/search-words.ts'

/** A project as its card on the board needs it. */
export interface CardRow {
  id: string
  leadId: string
  stageId: string
  companyId: string
  productLine: ProductLine
  firstName: string | null
  lastName: string | null
  city: string | null
  salesRepId: string | null
  sizeKw: Decimal | null
  products: string[] | null
  price: Decimal | null
  /** An instant. */
  enteredAt: string | null
  installDay: string | null
}

export interface ColumnRow {
  stageId: string
  total: Figure
  late: Figure
  cards: CardRow[]
  /** Where looking for cards ended before there were enough; null where there are no others. */
  reached: CardPosition | null
}

/** The place of a project in its column. */
export interface CardPosition {
  enteredAt: Date | null
  id: string
}

export type BoardOrder = 'recent' | 'longest'

/** Which projects are asked for; null stands for all of them. */
export interface BoardSelection {
  installerId: string
  /** The company that the asker is confined to. */
  companyId: string | null
  /** For those who see only the records that they are on. */
  memberId: string | null
  /** The company that is asked for. */
  soldBy: string | null
  repId: string | null
  words: SearchWords
  lateOnly: boolean
  order: BoardOrder
}

/** A stage, and the time before which whoever entered it is late; null where it has no time limit. */
export interface StageLimit {
  id: string
  lateBefore: Date | null
}

/** What is read from the board: the first parameters of each statement. */
interface Asked extends BoardSelection {
  stageIds: readonly string[]
  /** Whether the company that is asked for is a dealer. */
  soldByDealer: boolean
  /** Whether what their leads say is asked for. */
  byLead: boolean
  source: Source
}

/**
 * The projects stand in the board's index; or are found by their people, who are on few, or by words; or are looked at one by
 * one, along the index: those of people who are on very many, and of common words.
 */
type Source = 'board' | 'ofMember' | 'ofRep' | 'ofWords' | 'lookedAt'

/** Up to so many of a person are found and counted. */
const fewOnBoard = 20_000
/** And up to so many where few of them are met by looking; beyond, that would take longer than anybody waits. */
const mostToFind = 30_000
/** For more cards of one stage, of which few are asked for, looking is quicker for fewer, and finding is worth less. */
const fewForMore = { few: 5_000, most: 20_000 }

async function askedOf(
  db: Db,
  selection: BoardSelection,
  stages: readonly StageLimit[],
  few: number,
): Promise<Asked> {
  const { installerId, repId, soldBy, words } = selection
  const asked: Asked = {
    ...selection,
    stageIds: stages.map(({ id }) => id),
    soldByDealer: soldBy !== null && soldBy !== installerId,
    byLead: Boolean(repId) || words.length > 0,
    source: 'board',
  }
  return { ...asked, source: await sourceOf(db, asked, few) }
}

async function sourceOf(db: Db, asked: Asked, few: number): Promise<Source> {
  const { memberId, words } = asked
  if (!memberId && !asked.byLead) return 'board'
  const ofPeople = await sourceOfFew(db, asked, few)
  if (ofPeople) return ofPeople
  const areRare = words.length > 0 && (areTelling(words) || !(await areCommon(db, { ...asked, few })))
  return areRare ? 'ofWords' : 'lookedAt'
}

/** The people who are asked for and have no more than so many. */
async function sourceOfFew(db: Db, asked: Asked, few: number): Promise<Source | null> {
  const { installerId, memberId, repId } = asked
  if (memberId && (await findWhose(db, { installerId, memberId }, few)) === 'few') return 'ofMember'
  return repId && (await hasSoldFew(db, { ...asked, few })) ? 'ofRep' : null
}

/** Where looking came to its end before a page was full: by what all are found after all, if they are not too many. */
async function sourceOfRest(db: Db, asked: Asked, most: number): Promise<Source | null> {
  const ofPeople = await sourceOfFew(db, asked, most)
  if (ofPeople || asked.words.length === 0) return ofPeople
  return (await areInFew(db, { ...asked, few: Math.min(most, fewOnBoard) })) ? 'ofWords' : null
}

const orderOf = ({ order }: Pick<Params<Asked>, 'order'>, alias = '') =>
  pick(order, {
    recent: raw(`${alias}stage_entered_at desc nulls last, ${alias}id desc`),
    longest: raw(`${alias}stage_entered_at nulls first, ${alias}id`),
  })

const cardsOf = ($: Params<Asked>, picked: Fragment) => sql`
  select project.id, project.lead_id as "leadId", project.stage_id as "stageId", project.company_id as "companyId",
    project.product_line as "productLine", lead.first_name as "firstName", lead.last_name as "lastName", lead.city,
    lead.sales_rep_id as "salesRepId", project.system ->> 'sizeKw' as "sizeKw",
    (select json_agg(sold ->> 'name') from jsonb_array_elements(project.products) sold) as products,
    project.contract_price::text as price, project.stage_entered_at as "enteredAt",
    project.milestones ->> 'installScheduled' as "installDay"
  from (${picked}) picked
    join projects project on project.installer_id = ${$.installerId} and project.id = picked.id
    join leads lead on lead.installer_id = ${$.installerId} and lead.id = project.lead_id
  order by ${orderOf($, 'project.')}`

const standing = sql`p.installer_id, p.id, p.stage_id, p.stage_entered_at, p.company_id`

/** Whether a project's lead is the rep's and holds the words that are asked for. */
const fitsLead = ($: Params<Asked>) =>
  sql`${when($.repId, sql`and lead.sales_rep_id = ${$.repId}`)} ${holds(sql`lead.search`, $.words)}`

/** The projects of people who are on few, from the indexes of their leads; or those of leads that hold words. */
function foundBy($: Params<Asked>): Fragment {
  const soldLeads = (leads: Fragment) => sql`(select p.* from ${leads} sold cross join lateral (
      select * from projects where installer_id = ${$.installerId} and id = sold.project_id offset 0) p)`
  const ofRep = sql`(select project_id from leads l
    where l.installer_id = ${$.installerId} and ${isExactly('l.sales_rep_id', $.repId)})`
  const itsLead = sql`join leads lead on lead.installer_id = ${$.installerId} and lead.project_id = p.id`
  const projects = pick($.source, {
    ofMember: sql`${soldLeads(ownLeads($))} p ${when($.byLead, itsLead)}`,
    ofRep: sql`${soldLeads(ofRep)} p ${itsLead}`,
    ofWords: sql`projects p ${itsLead}`,
    ...{ board: empty, lookedAt: empty },
  })
  const isOn = when(
    $.memberId,
    sql`and ${$.memberId} in (p.project_manager_id, p.site_surveyor_id, p.subcontractor_id, lead.sales_rep_id,
      lead.setter_id)`,
  )
  return sql`select ${standing} from ${projects}
    where p.installer_id = ${$.installerId} and p.stage_id = any(${$.stageIds}::text[])
      ${pick($.source, { ofRep: isOn, ofWords: isOn, board: empty, ofMember: empty, lookedAt: empty })}
      ${when($.byLead, fitsLead($))}`
}

// The first of the conditions is that of an index of the dealers' projects.
const isOfDealer = (company: Param) => sql`and p.company_id <> p.installer_id and p.company_id = ${company}`
const isOfInstaller = ($: Params<Asked>) =>
  when($.soldByDealer, empty, when($.soldBy, sql`and p.company_id = ${$.soldBy}`))
const isOfDealers = ($: Params<Asked>) => sql`${when($.companyId, isOfDealer($.companyId))}
  ${when($.soldByDealer, isOfDealer($.soldBy))}`

/** Of the lead of one project at a time. Values rather than "exists", for which all leads of a member might be read first. */
const ofItsLead = ($: Params<Asked>, what: Fragment, condition = empty) =>
  sql`(select ${what} from leads lead where lead.installer_id = ${$.installerId} and lead.id = p.lead_id ${condition})`

/** Whether one project is asked for. */
const isLookedFor = ($: Params<Asked>) => sql`true ${isOfInstaller($)}
  ${when(
    $.memberId,
    sql`and (${$.memberId} in (p.project_manager_id, p.site_surveyor_id, p.subcontractor_id)
      or ${ofItsLead($, sql`${$.memberId} in (lead.sales_rep_id, lead.setter_id)`)})`,
  )}
  ${when($.byLead, sql`and ${ofItsLead($, sql`true`, fitsLead($))}`)}`

const latest = 100
const enoughOfLatest = 5

/** Whether there are many projects, and of the latest so many hold the words that a page is soon met along the index. */
const areCommon = scalar({ common: boolean }, ($: Params<Asked & { few: number }>) => {
  const projects = sql`projects p where p.installer_id = ${$.installerId} ${isOfDealers($)} ${isOfInstaller($)}`
  return sql`select exists (select from ${projects} order by p.updated_at offset ${$.few}) and (
      select count(*) from (select * from ${projects} order by p.updated_at desc limit ${raw(latest)}) p
      where ${ofItsLead($, sql`true`, holds(sql`lead.search`, $.words))}) >= ${raw(enoughOfLatest)} as common`
})

const hasSoldFew = scalar(
  { few: boolean },
  ($: Params<Asked & { few: number }>) => sql`select (select count(*) from (
      select from leads where installer_id = ${$.installerId} and ${isExactly('sales_rep_id', $.repId)}
      order by sales_rep_id limit ${$.few} + 1) sold) <= ${$.few} as few`,
)

/** Whether words that are common among the latest are in few leads after all. */
const areInFew = scalar(
  { few: boolean },
  ($: Params<Asked & { few: number }>) => sql`select (select count(*) from (
      select from leads lead where lead.installer_id = ${$.installerId} and lead.project_id is not null ${holds(sql`lead.search`, $.words)}
      limit ${$.few} + 1) found) <= ${$.few} as few`,
)

/** What stands before a statement, the projects in its `condition`, and those of them that are asked for. */
function projectsOf($: Params<Asked>) {
  const found = sql`with found as materialized (${foundBy($)})`
  const own = sql`p.installer_id = ${$.installerId} ${isOfDealers($)}`
  const ofBoard = (condition: Fragment) =>
    sql`from projects p where ${own} ${isOfInstaller($)} and ${condition}`
  const ofFound = (condition: Fragment) => sql`from found p where ${own} ${isOfInstaller($)} and ${condition}`
  const along = (condition: Fragment) =>
    sql`from projects p where ${own} and ${condition} order by ${orderOf($, 'p.')}`
  const bySource = (board: Fragment, ofFound: Fragment, lookedAt: Fragment) =>
    pick($.source, { board, ofMember: ofFound, ofRep: ofFound, ofWords: ofFound, lookedAt })
  return {
    bySource,
    along,
    before: bySource(empty, found, empty),
    rows: (condition: Fragment) =>
      bySource(
        ofBoard(condition),
        ofFound(condition),
        sql`from ${firstRows(along(condition), 'p')} where ${isLookedFor($)}`,
      ),
    figure: (condition: Fragment) =>
      bySource(
        figureOf(ofBoard(condition)),
        figureOf(ofFound(condition)),
        figureAmong(along(condition), 'p', isLookedFor($)),
      ),
    /** The last that is looked at; null where there are not so many. */
    end: (condition: Fragment) => {
      const last = sql`(select json_build_object('enteredAt', p.stage_entered_at, 'id', p.id)
        ${along(condition)} offset ${raw(lookedAtFirst - 1)} limit 1)`
      return bySource(sql`null::json`, sql`null::json`, last)
    },
  }
}

/** How many cards of each column are read at first. */
export type FirstCards = keyof typeof firstCards
export const firstCards = { board: 25, home: 6 }

type Place = { enteredAt: string | null; id: string }
const positionOf = (place: Place | null): CardPosition | null =>
  place && { id: place.id, enteredAt: place.enteredAt === null ? null : new Date(place.enteredAt) }

const columnsOf = many(
  row<Omit<ColumnRow, 'reached'> & { reached: Place | null }>({
    ...{ stageId: text, total: json, late: json, cards: json, reached: json },
  }),
  ($: Params<Asked & { limits: readonly (Date | null)[]; first: FirstCards }>) => {
    const { before, bySource, along, rows, figure, end } = projectsOf($)
    const isLate = sql`p.stage_entered_at < stage.late_before`
    const inStage = sql`p.stage_id = stage.id ${when($.lateOnly, sql`and ${isLate}`)}`
    // One more tells whether there are others. As a constant the planner knows how few they are.
    const limit = pick($.first, { board: raw(firstCards.board + 1), home: raw(firstCards.home + 1) })
    const inOrder = sql`select p.id, p.stage_entered_at ${rows(inStage)} order by ${orderOf($, 'p.')}`
    const first = sql`${inOrder} limit ${limit}`
    // Those that are looked at one by one are counted and shown by one look.
    const looked = sql`cross join lateral (
        select coalesce(array_agg(p.id order by ${orderOf($, 'p.')}), '{}') as ids
        from (${inOrder} limit ${raw(Math.max(lookedAtUpTo, firstCards.board) + 1)}) p) looked`
    const picked = bySource(first, first, sql`select unnest(looked.ids[:${limit}]) as id`)
    const counted = figure(inStage)
    const total = bySource(counted, counted, figureFound(sql`cardinality(looked.ids)`, along(inStage)))
    return sql`${before}
      select stage.id as "stageId", ${total} as total,
        ${when($.lateOnly, total, figure(sql`${inStage} and ${isLate}`))} as late, coalesce(shown.cards, '[]') as cards,
        case when shown.count < ${limit} then ${end(inStage)} end as reached
      from unnest(${$.stageIds}::text[], ${$.limits}::timestamptz[]) as stage(id, late_before)
      ${bySource(empty, empty, looked)} cross join lateral (select json_agg(card) as cards, count(*) from (${cardsOf($, picked)}) card) shown`
  },
)

/** Of each stage how many projects stand in it and how many of them are late, as far as is counted, and the first cards. */
export async function readColumns(
  db: Db,
  selection: BoardSelection,
  stages: readonly StageLimit[],
  first: FirstCards,
  { few, most } = { few: fewOnBoard, most: mostToFind },
): Promise<ColumnRow[]> {
  const asked = await askedOf(db, selection, stages, few)
  const limits = stages.map(({ lateBefore }) => lateBefore)
  const read = (source: Source) => columnsOf(db, { ...asked, source, limits, first })
  const columns = await read(asked.source)
  const isCutOff = columns.some(({ reached }) => reached)
  const other = isCutOff ? await sourceOfRest(db, asked, most) : null
  const all = other ? await read(other) : columns
  return all.map((column) => ({ ...column, reached: positionOf(column.reached) }))
}

/** The most cards that are read at once. */
export const maxCards = 200

/** So often as many are looked at for them as for the first cards. */
const looksForMore = 10

interface After extends Asked {
  /** Those whose time of entry is known, or those of which it is not. */
  part: 'dated' | 'undated'
  enteredAt: Date | null
  /** Null stands for the beginning of the part. */
  afterId: string | null
  lateBefore: Date | null
  limit: number
}

const cardsAfter = one(
  row<{ cards: CardRow[]; reached: Place | null }>({ cards: json, reached: json }),
  ($: Params<After>) => {
    const { before, rows, end } = projectsOf($)
    const isLate = when($.lateOnly, sql`and p.stage_entered_at < ${$.lateBefore}::timestamptz`)
    const place = sql`(coalesce(${$.enteredAt}::timestamptz, '-infinity'), coalesce(${$.afterId}, ''))`
    // Of two bounds on one side the index may begin at the wrong one: the most recent begin at a place that is late.
    const dated = pick($.order, {
      recent: sql`(p.stage_entered_at, p.id) < ${place}`,
      longest: sql`(p.stage_entered_at, p.id) > ${place} ${isLate}`,
    })
    const behind = pick($.order, { recent: sql`p.id < ${$.afterId}`, longest: sql`p.id > ${$.afterId}` })
    const undated = sql`p.stage_entered_at is null ${when($.afterId, sql`and ${behind}`)}`
    const inPart = sql`p.stage_id = (${$.stageIds}::text[])[1] and ${pick($.part, { dated, undated })}`
    // The inner limit is a constant, so that the planner knows how few they are.
    const picked = sql`select p.id from (select p.id, p.stage_entered_at ${rows(inPart)}
        order by ${orderOf($, 'p.')} limit ${raw(maxCards)}) p
      order by ${orderOf($, 'p.')} limit ${$.limit}`
    return sql`${before} select coalesce(json_agg(card), '[]') as cards,
        case when count(*) < ${$.limit} then ${end(inPart)} end as reached
      from (${cardsOf($, picked)}) card`
  },
)

/**
 * The cards of one stage that come after a position. Those whose time of entry is not known come last, or first where
 * the longest come first, and are read apart: as one condition with an "or" no index would serve them.
 */
export async function readCardsAfter(
  db: Db,
  selection: BoardSelection,
  stage: StageLimit,
  after: CardPosition,
  limit: number,
  { few, most, looks } = { ...fewForMore, looks: looksForMore },
): Promise<Pick<ColumnRow, 'cards' | 'reached'>> {
  const { lateOnly, order } = selection
  const { lateBefore } = stage
  if (lateOnly && lateBefore === null) return { cards: [], reached: null }
  const isOnTime = after.enteredAt !== null && lateBefore !== null && after.enteredAt >= lateBefore
  let asked = { ...(await askedOf(db, selection, [stage], few)), lateBefore }
  const parts = partsFrom(after, selection)
  let place: Beginning =
    lateOnly && order === 'recent' && isOnTime ? { enteredAt: lateBefore, id: null } : after
  const cards: CardRow[] = []
  for (let looked = 1; parts.length > 0; looked++) {
    const wanted = { enteredAt: place.enteredAt, afterId: place.id, limit: limit - cards.length }
    const found = await cardsAfter(db, { ...asked, ...wanted, part: parts[0]! })
    const reached = positionOf(found.reached)
    cards.push(...found.cards)
    if (cards.length === limit) break
    if (reached && looked >= looks) return { cards, reached }
    if (reached && looked === 1)
      asked = { ...asked, source: (await sourceOfRest(db, asked, most)) ?? asked.source }
    if (!reached) parts.shift()
    place = reached ?? { enteredAt: null, id: null }
  }
  return { cards, reached: null }
}

type Beginning = Pick<CardPosition, 'enteredAt'> & { id: string | null }

/** The parts of a column in their order, from that in which a position is. */
function partsFrom({ enteredAt }: CardPosition, { order, lateOnly }: BoardSelection): After['part'][] {
  if (lateOnly) return ['dated']
  if (order === 'recent') return enteredAt === null ? ['undated'] : ['dated', 'undated']
  return enteredAt === null ? ['undated', 'dated'] : ['dated']
}
