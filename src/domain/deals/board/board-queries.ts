import type { Db } from '../../../platform/db.ts'
import { isExactly } from '../../../platform/sql/is-exactly.ts'
import { boolean, integer, json, row, text } from '../../../platform/sql/row.ts'
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
import { many, scalar } from '../../../platform/sql/statements.ts'
import { countedUpTo, countUpTo, lookedAtUpTo } from '../../kernel/counted.ts'
import type { Decimal } from '../../kernel/money.ts'
import type { ProductLine } from '../../kernel/tenant/stage.ts'
import { findWhose, ownLeads, type Whose } from '../assignments/own-deals.ts'
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
  total: number
  late: number
  cards: CardRow[]
}

export interface Columns {
  columns: ColumnRow[]
  /** One more than this stands for any number above it. */
  countedUpTo: number
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
  whose: Whose
  /** Whether the company that is asked for is a dealer. */
  soldByDealer: boolean
  /** Whether the rep that is asked for has few leads, which are then found first. */
  fewOfRep: boolean
  /** Whether what their leads say is asked for. */
  byLead: boolean
  source: Source
}

/**
 * The projects stand in the board's index; or are found by the people or words that are asked for; or are looked at one by
 * one, along the index: what very many have soon fills a page.
 */
type Source = 'board' | 'found' | 'lookedAt'

/** Up to so many of a person or a company are found and counted; beyond, that would take longer than anybody waits. */
const fewOnBoard = 20_000

async function askedOf(
  db: Db,
  selection: BoardSelection,
  stages: readonly StageLimit[],
  few: number,
): Promise<Asked> {
  const { installerId, memberId, repId, soldBy, words } = selection
  const whose = await findWhose(db, selection, few)
  const asked: Asked = {
    ...selection,
    stageIds: stages.map(({ id }) => id),
    whose,
    soldByDealer: soldBy !== null && soldBy !== installerId,
    fewOfRep: (await findWhose(db, { installerId, memberId: repId }, few)) === 'few',
    byLead: Boolean(repId) || words.length > 0,
    source: 'board',
  }
  if (!memberId && !asked.byLead) return asked
  if (whose === 'few' || asked.fewOfRep || areTelling(words)) return { ...asked, source: 'found' }
  return { ...asked, source: (await isCommon(db, { ...asked, few })) ? 'lookedAt' : 'found' }
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

/** The projects that a member is on, or that a rep has sold, from the index of each of the places. */
function projectsOfMember($: Params<Asked>): Fragment {
  const soldLead = sql`leads l join projects p on p.installer_id = ${$.installerId} and p.lead_id = l.id
    where l.installer_id = ${$.installerId}`
  const ofTenant = sql`projects p where p.installer_id = ${$.installerId}`
  const many = sql`(
    select ${standing} from ${soldLead} and l.sales_rep_id = ${$.memberId}
    union select ${standing} from ${soldLead} and l.setter_id = ${$.memberId}
    union select ${standing} from ${ofTenant} and p.project_manager_id = ${$.memberId}
    union select ${standing} from ${ofTenant} and p.site_surveyor_id = ${$.memberId}
    union select ${standing} from ${ofTenant} and p.subcontractor_id = ${$.memberId})`
  const soldBy = (leads: Fragment) => sql`(select ${standing} from ${leads} sold cross join lateral (
      select * from projects where installer_id = ${$.installerId} and id = sold.project_id offset 0) p)`
  const ofRep = sql`(select project_id from leads l
    where l.installer_id = ${$.installerId} and ${isExactly('l.sales_rep_id', $.repId)})`
  return pick($.whose, {
    all: when($.fewOfRep, soldBy(ofRep), sql`projects`),
    few: soldBy(ownLeads($)),
    manyLeads: many,
    many,
  })
}

/** Whether a project's lead is the rep's and holds the words that are asked for. */
const fitsLead = ($: Params<Asked>) =>
  sql`${when($.repId, sql`and lead.sales_rep_id = ${$.repId}`)} ${holds(sql`lead.search`, $.words)}`

// The first of the conditions is that of an index of the dealers' projects.
const isOfDealer = (company: Param) => sql`and p.company_id <> p.installer_id and p.company_id = ${company}`

const isOfCompanies = ($: Params<Asked>) => sql`${when($.companyId, isOfDealer($.companyId))}
  ${when($.soldByDealer, isOfDealer($.soldBy), when($.soldBy, sql`and p.company_id = ${$.soldBy}`))}`

/** Of one project at a time. Values rather than "exists", for which all leads of a member might be read first. */
const isLookedFor = ($: Params<Asked>) => sql`
  ${when(
    $.memberId,
    sql`and (${$.memberId} in (p.project_manager_id, p.site_surveyor_id, p.subcontractor_id) or (
      select ${$.memberId} in (l.sales_rep_id, l.setter_id) from leads l
      where l.installer_id = ${$.installerId} and l.id = p.lead_id))`,
  )}
  ${when(
    $.byLead,
    sql`and (select true from leads lead where lead.installer_id = ${$.installerId} and lead.id = p.lead_id ${fitsLead($)})`,
  )}`

const latest = 100
const enoughOfLatest = 5

/** Whether there are many projects, and of the latest so many are looked for that a page is soon met along the index. */
const isCommon = scalar(
  { common: boolean },
  ($: Params<Asked & { few: number }>) => sql`select exists (
      select from projects where installer_id = ${$.installerId} order by updated_at offset ${$.few}
    ) and (select count(*) from (
      select * from projects p where p.installer_id = ${$.installerId} ${isOfCompanies($)}
      order by p.updated_at desc limit ${raw(latest)}
    ) p where true ${isLookedFor($)}) >= ${raw(enoughOfLatest)} as common`,
)

/**
 * Where the projects come from: straight from the board's index, which also knows their company, or, where people or
 * words are asked for, from what is found by those.
 */
function sourceOf($: Params<Asked>): { before: Fragment; table: Fragment; where: Fragment } {
  const found = sql`with found as materialized (
      select ${standing} from ${projectsOfMember($)} p
        ${when($.byLead, sql`join leads lead on lead.installer_id = ${$.installerId} and lead.project_id = p.id`)}
      where p.installer_id = ${$.installerId} and p.stage_id = any(${$.stageIds}::text[]) ${when($.byLead, fitsLead($))})`
  const where = sql`p.installer_id = ${$.installerId} ${isOfCompanies($)}
    ${pick($.source, { board: empty, found: empty, lookedAt: isLookedFor($) })}`
  return {
    before: pick($.source, { board: empty, found, lookedAt: empty }),
    table: pick($.source, { board: sql`projects`, found: sql`found`, lookedAt: sql`projects` }),
    where,
  }
}

/** How many cards of each column are read at first. */
export type FirstCards = keyof typeof firstCards
export const firstCards = { board: 25, home: 6 }

const columnsOf = many(
  row<ColumnRow>({ stageId: text, total: integer, late: integer, cards: json }),
  ($: Params<Asked & { limits: readonly (Date | null)[]; first: FirstCards }>) => {
    const { before, table, where } = sourceOf($)
    const inStage = sql`${where} and p.stage_id = stage.id
      ${when($.lateOnly, sql`and p.stage_entered_at < stage.late_before`)}`
    // One more tells whether there are others. As a constant the planner knows how few they are.
    const limit = pick($.first, { board: raw(firstCards.board + 1), home: raw(firstCards.home + 1) })
    const picked = sql`
      select p.id from ${table} p where ${inStage} order by ${orderOf($, 'p.')} limit ${limit}`
    const counted = (where: Fragment) => {
      const rows = sql`from ${table} p where ${where}`
      const all = countUpTo(rows)
      return pick($.source, { board: all, found: all, lookedAt: countUpTo(rows, lookedAtUpTo) })
    }
    return sql`${before}
      select stage.id as "stageId", counts.total, counts.late, coalesce(shown.cards, '[]') as cards
      from unnest(${$.stageIds}::text[], ${$.limits}::timestamptz[]) as stage(id, late_before)
      cross join lateral (
        select ${counted(inStage)} as total,
          ${counted(sql`${inStage} and p.stage_entered_at < stage.late_before`)} as late
      ) counts
      cross join lateral (select json_agg(card) as cards from (${cardsOf($, picked)}) card) shown`
  },
)

/** Of each stage how many projects stand in it and how many of them are late, as far as is counted, and the first cards. */
export async function readColumns(
  db: Db,
  selection: BoardSelection,
  stages: readonly StageLimit[],
  first: FirstCards,
  few = fewOnBoard,
): Promise<Columns> {
  const asked = await askedOf(db, selection, stages, few)
  const limits = stages.map(({ lateBefore }) => lateBefore)
  const columns = await columnsOf(db, { ...asked, limits, first })
  return { columns, countedUpTo: asked.source === 'lookedAt' ? lookedAtUpTo : countedUpTo }
}

/** The place of a card in its column. */
export interface CardPosition {
  enteredAt: Date | null
  id: string
}

/** The most cards that are read at once. */
export const maxCards = 200

interface After extends Asked {
  enteredAt: Date | null
  afterId: string
  lateBefore: Date | null
  limit: number
}

const cardsAfter = scalar({ cards: json }, ($: Params<After>) => {
  const { before, table, where } = sourceOf($)
  const part = (condition: Fragment) => sql`(
    select p.id, p.stage_entered_at from ${table} p
    where ${where} and p.stage_id = (${$.stageIds}::text[])[1] and ${condition}
    order by ${orderOf($, 'p.')} limit ${raw(maxCards)})`
  const enteredAt = sql`${$.enteredAt}::timestamptz`
  const afterId = sql`${$.afterId}::text`
  const isLate = when($.lateOnly, sql`and p.stage_entered_at < ${$.lateBefore}::timestamptz`)
  // Of two bounds on one side the index may begin at the wrong one: the most recent begin at a place that is late.
  const dated = pick($.order, {
    recent: sql`(p.stage_entered_at, p.id) < (${enteredAt}, ${afterId})`,
    longest: sql`(p.stage_entered_at, p.id) > (coalesce(${enteredAt}, '-infinity'), ${afterId}) ${isLate}`,
  })
  const undated = pick($.order, {
    recent: sql`p.stage_entered_at is null and (${enteredAt} is not null or p.id < ${afterId})`,
    longest: sql`p.stage_entered_at is null and ${enteredAt} is null and p.id > ${afterId}`,
  })
  const either = when($.lateOnly, part(dated), sql`${part(dated)} union all ${part(undated)}`)
  const picked = sql`select id from (${either}) either
    order by ${orderOf($)} limit ${$.limit}`
  return sql`${before} select coalesce(json_agg(card), '[]') as cards from (${cardsOf($, picked)}) card`
})

/**
 * The cards of one stage that come after a position. Those whose time of entry is not known come last, or first where
 * the longest come first, and are read apart: as one condition with an "or" no index would serve them. The inner limit
 * is a constant, so that the planner knows how few they are.
 */
export async function readCardsAfter(
  db: Db,
  selection: BoardSelection,
  stage: StageLimit,
  after: CardPosition,
  limit: number,
  few = fewOnBoard,
): Promise<CardRow[]> {
  const { lateOnly, order } = selection
  const { lateBefore } = stage
  if (lateOnly && lateBefore === null) return []
  const isOnTime = after.enteredAt !== null && lateBefore !== null && after.enteredAt >= lateBefore
  const place = lateOnly && order === 'recent' && isOnTime ? { enteredAt: lateBefore, id: '' } : after
  return cardsAfter(db, {
    ...(await askedOf(db, selection, [stage], few)),
    enteredAt: place.enteredAt,
    afterId: place.id,
    lateBefore,
    limit,
  })
}
