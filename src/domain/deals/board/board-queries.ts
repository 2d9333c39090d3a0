import type { Db } from '../../../platform/db.ts'
import { json, row, text } from '../../../platform/sql/row.ts'
import { empty, type Fragment, type Params, pick, raw, sql, when } from '../../../platform/sql/sql.ts'
import { many, one } from '../../../platform/sql/statements.ts'
import { type Figure, figureFound, lookedAtUpTo } from '../../kernel/counted.ts'
import type { Decimal } from '../../kernel/money.ts'
import type { ProductLine } from '../../kernel/tenant/stage.ts'
import {
  type Asked,
  askedOf,
  type BoardSelection,
  fewForMore,
  fewOnBoard,
  mostToFind,
  orderOf,
  projectsOf,
  type Source,
  type StageLimit,
  sourceOfRest,
} from './projects-on-board.ts'

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
