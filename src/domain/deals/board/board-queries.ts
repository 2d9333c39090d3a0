import type { Db, Statement } from '../../../platform/db.ts'
import type { Decimal } from '../../kernel/money.ts'
import type { ProductLine } from '../../kernel/tenant/stage.ts'
import { holdsWords, type SearchWords, wordsShape } from '../leads/search-words.ts'

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

const orders: Record<BoardOrder, string> = {
  recent: 'stage_entered_at desc nulls last, id desc',
  longest: 'stage_entered_at nulls first, id',
}

const cardColumns = `project.id, project.lead_id as "leadId", project.stage_id as "stageId", project.company_id as "companyId",
  project.product_line as "productLine", lead.first_name as "firstName", lead.last_name as "lastName", lead.city,
  lead.sales_rep_id as "salesRepId", project.system ->> 'sizeKw' as "sizeKw",
  (select json_agg(sold ->> 'name') from jsonb_array_elements(project.products) sold) as products,
  project.contract_price::text as price, project.stage_entered_at as "enteredAt",
  project.milestones ->> 'installScheduled' as "installDay"`

const cardsOf = (picked: string, order: string) => `select ${cardColumns}
  from (${picked}) picked
    join projects project on project.installer_id = $1 and project.id = picked.id
    join leads lead on lead.installer_id = $1 and lead.id = project.lead_id
  order by ${order.replaceAll(/stage_entered_at|\bid\b/g, 'project.$&')}`

const standing = 'p.installer_id, p.id, p.stage_id, p.stage_entered_at, p.company_id'
const soldLead =
  'leads l join projects p on p.installer_id = $1 and p.lead_id = l.id where l.installer_id = $1'

/** The projects that a member is on, from the index of each of the places. */
const projectsOf = (member: string) => `(
  select ${standing} from ${soldLead} and l.sales_rep_id = ${member}
  union select ${standing} from ${soldLead} and l.setter_id = ${member}
  union select ${standing} from projects p where p.installer_id = $1 and p.project_manager_id = ${member}
  union select ${standing} from projects p where p.installer_id = $1 and p.site_surveyor_id = ${member}
  union select ${standing} from projects p where p.installer_id = $1 and p.subcontractor_id = ${member})`

interface Source {
  /** Comes before the statement. */
  before: string
  table: string
  /** What holds of every project of the table that is asked for; the first parameters are installer, stages, limits. */
  where: string
  values: unknown[]
  shape: string
}

/**
 * Where the projects come from: straight from the board's index, which also knows their company, or, where people or
 * words are asked for, from what is found by those.
 */
function sourceOf(selection: BoardSelection, parameters: number): Source {
  const { companyId, memberId, soldBy, repId, words } = selection
  const values: unknown[] = []
  const next = () => `$${parameters + values.length}`
  const add = (value: unknown) => {
    values.push(value)
    return next()
  }
  const where = ['p.installer_id = $1']
  if (companyId) where.push(`p.company_id = ${add(companyId)}`)
  if (soldBy) where.push(`p.company_id = ${add(soldBy)}`)
  const given = [companyId && 'confined', soldBy && 'company', repId && 'rep', memberId && 'own']
  const shape = [...given, words.length > 0 && `words${wordsShape(words)}`].filter(Boolean).join('-')
  if (!repId && !memberId && words.length === 0) {
    return { before: '', table: 'projects', where: where.join(' and '), values, shape }
  }
  const found = ['p.installer_id = $1', 'p.stage_id = any($2)']
  let from = `${memberId ? projectsOf(add(memberId)) : 'projects'} p`
  if (repId || words.length > 0) {
    from += ' join leads lead on lead.installer_id = $1 and lead.project_id = p.id'
    if (repId) found.push(`lead.sales_rep_id = ${add(repId)}`)
    const patterns = words.flat()
    if (patterns.length > 0) found.push(holdsWords(words, () => add(patterns.shift())))
  }
  const before = `with found as materialized (select ${standing} from ${from} where ${found.join(' and ')})`
  return { before, table: 'found', where: where.join(' and '), values, shape }
}

const statements = new Map<string, Statement>()

function statementOf(name: string, text: () => string): Statement {
  const known = statements.get(name)
  if (known) return known
  // Names are cut off at 63 bytes, so the statements are numbered.
  const statement = { name: `board-${statements.size + 1}`, text: text() }
  statements.set(name, statement)
  return statement
}

/** Of each stage how many projects stand in it, how many of them are late, and the first cards. */
export function readColumns(
  db: Db,
  selection: BoardSelection,
  stages: readonly StageLimit[],
  limit: number,
): Promise<ColumnRow[]> {
  const { lateOnly, order } = selection
  const { before, table, where, values, shape } = sourceOf(selection, 3)
  const statement = statementOf(`columns ${shape} ${lateOnly} ${order} ${limit}`, () => {
    const inStage = `${where} and p.stage_id = stage.id${lateOnly ? ' and p.stage_entered_at < stage.late_before' : ''}`
    const picked = `select p.id from ${table} p where ${inStage} order by ${ofTable(order)} limit ${limit}`
    return `${before}
      select stage.id as "stageId", counts.total, counts.late, coalesce(shown.cards, '[]') as cards
      from unnest($2::text[], $3::timestamptz[]) as stage(id, late_before)
      cross join lateral (
        select count(*)::int as total, (count(*) filter (where p.stage_entered_at < stage.late_before))::int as late
        from ${table} p where ${inStage}
      ) counts
      cross join lateral (select json_agg(card) as cards from (${cardsOf(picked, orders[order])}) card) shown`
  })
  const ids = stages.map((stage) => stage.id)
  const limits = stages.map((stage) => stage.lateBefore?.toISOString() ?? null)
  return db.query<ColumnRow>(statement, [selection.installerId, ids, limits, ...values])
}

const ofTable = (order: BoardOrder) => orders[order].replaceAll(/stage_entered_at|\bid\b/g, 'p.$&')

/** The place of a card in its column. */
export interface CardPosition {
  enteredAt: Date | null
  id: string
}

/** The most cards that are read at once. */
export const mostCards = 200

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
): Promise<CardRow[]> {
  const { lateOnly, order } = selection
  const { before, table, where, values, shape } = sourceOf(selection, 5)
  const statement = statementOf(`after ${shape} ${lateOnly} ${order}`, () => {
    const inStage = `${where} and p.stage_id = ($2::text[])[1]${lateOnly ? ` and p.stage_entered_at < $${values.length + 6}::timestamptz` : ''}`
    const part = (condition: string) =>
      `(select p.id, p.stage_entered_at from ${table} p where ${inStage} and ${condition} order by ${ofTable(order)} limit ${mostCards})`
    const [dated, undated] = conditionsAfter[order]
    const picked = `select id from (${part(dated)} union all ${part(undated)}) either order by ${orders[order]} limit $5`
    return `${before} select coalesce(json_agg(card), '[]') as cards from (${cardsOf(picked, orders[order])}) card`
  })
  const [row] = await db.query<{ cards: CardRow[] }>(statement, [
    selection.installerId,
    [stage.id],
    after.enteredAt?.toISOString() ?? null,
    after.id,
    limit,
    ...values,
    ...(lateOnly ? [stage.lateBefore?.toISOString() ?? null] : []),
  ])
  return row!.cards
}

const conditionsAfter: Record<BoardOrder, [dated: string, undated: string]> = {
  recent: [
    '(p.stage_entered_at, p.id) < ($3::timestamptz, $4::text)',
    'p.stage_entered_at is null and ($3::timestamptz is not null or p.id < $4::text)',
  ],
  longest: [
    `(p.stage_entered_at, p.id) > (coalesce($3::timestamptz, '-infinity'), $4::text)`,
    'p.stage_entered_at is null and $3::timestamptz is null and p.id > $4::text',
  ],
}
