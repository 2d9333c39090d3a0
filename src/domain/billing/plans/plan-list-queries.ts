import type { Db } from '../../../platform/db.ts'
import { boolean, day, instant, integer, type Row, row, select, text } from '../../../platform/sql/row.ts'
import { type Fragment, type Params, pick, raw, sql, when } from '../../../platform/sql/sql.ts'
import { many, one, scalar } from '../../../platform/sql/statements.ts'
import type { Scope } from '../../kernel/context.ts'
import { countedUpTo, countUpTo, type Figure, figureUpTo } from '../../kernel/counted.ts'
import { anywhere, anywhereLongest, searchForm } from '../../kernel/search-form.ts'
import { isInFew } from '../../sites/monitoring/fleet-queries.ts'
import type { BillingPlan } from './plan.ts'
import { billingPlan } from './plan-queries.ts'

export const planStates = ['with', 'without', 'ended'] as const
/** Whether an installation has a plan, never had one, or has one no more. */
export type PlanState = (typeof planStates)[number]

type Terms = Omit<BillingPlan, 'installerId' | 'installationId'>

export interface InstallationPlan {
  id: string
  companyId: string
  name: string
  address: string
  plan: Terms | null
  unbilled: number
}

export interface PlanFilters {
  state?: PlanState | undefined
  /** Part of a name, an address or a customer's name. */
  search?: string | undefined
}

type RecordScope = Pick<Scope, 'installerId' | 'companyId'>

/** So many of the first in the order are looked through, and a company of so few installations is known by these. */
const few = 1_000

type PlanWay = 'running' | 'ended'

interface Asked extends RecordScope {
  state: PlanState | 'any'
  pattern: string | undefined
  /** What holds the longest word of the pattern. */
  word: string | undefined
  after: string | null
  limit: number
}

interface Wanted extends Asked {
  /** Along the order, of all or of those that never had a plan; among its first; or by putting in order what has a word or such a plan. */
  way: 'order' | 'without' | 'first' | 'words' | PlanWay
}

type BilledInstallation = Omit<InstallationPlan, 'plan' | 'unbilled'>
const installation = row<BilledInstallation>({ id: text, companyId: text, name: text, address: text })
const { installerId: _installer, installationId: _installation, ...ofPlan } = billingPlan.columns
const terms: Row<Terms> = { columns: ofPlan }
const listed: Row<BilledInstallation & { unbilled: number } & { [K in keyof Terms]: Terms[K] | null }> = {
  columns: { ...installation.columns, ...terms.columns, unbilled: integer },
}

const isAlong = ($: Params<Asked>) => sql`i.installer_id = ${$.installerId} and i.deleted_at is null
  ${when($.companyId, sql`and i.company_id = ${$.companyId}`)}
  ${when(
    $.after,
    sql`and (i.name, i.id) > ((select n.name from installations n
      where n.installer_id = ${$.installerId} and n.id = ${$.after}), ${$.after})`,
  )}`

/** Both kinds have an index of their own. */
const plansThat = ($: Params<Pick<Wanted, 'installerId'>>): Record<PlanWay, Fragment> => ({
  running: sql`from billing_plans b where b.installer_id = ${$.installerId} and b.ended_at is null`,
  ended: sql`from billing_plans b where b.installer_id = ${$.installerId} and b.ended_at is not null`,
})

const firstAlong = ($: Params<Asked>) =>
  sql`(select * from installations i where ${isAlong($)} order by i.name, i.id limit ${raw(few)})`

// A word is in what an installation is called and where it is, or in its customer's name: never in both together.
const foundBy = ($: Params<Wanted>) => {
  const each = (ids: Fragment) => sql`(select s.* from (${ids}) as k(id) cross join lateral (
      select * from installations o where o.installer_id = ${$.installerId} and o.id = k.id offset 0
    ) s)`
  return pick($.way, {
    order: sql`installations`,
    first: firstAlong($),
    words: each(sql`select i.id from installations i
        where i.installer_id = ${$.installerId} and search_form(i.name || ' ' || i.address) like ${$.word}
      union select b.installation_id from billing_plans b
        where b.installer_id = ${$.installerId} and search_form(coalesce(b.customer->>'name', '')) like ${$.word}`),
    running: each(sql`select b.installation_id ${plansThat($).running}`),
    ended: each(sql`select b.installation_id ${plansThat($).ended}`),
    // Some that have one may not be marked yet.
    without: sql`(select * from installations n where n.installer_id = ${$.installerId} and not n.planned)`,
  })
}

const pageOfInstallations = many(
  listed,
  ($: Params<Wanted>) => sql`
    select ${select(installation, 'i')}, ${select(terms, 'p')}, (select count(*)::int from billing_months m
        where m.installer_id = ${$.installerId} and m.installation_id = i.id and m.state <> 'drafted') as unbilled
    from ${foundBy($)} i left join lateral (
      select * from billing_plans b where b.installer_id = ${$.installerId} and b.installation_id = i.id offset 0
    ) p on true
    where ${isAlong($)}
      ${pick($.state, {
        any: sql``,
        with: sql`and p.kind is not null and p.ended_at is null`,
        without: sql`and p.kind is null`,
        ended: sql`and p.ended_at is not null`,
      })}
      ${when(
        $.pattern,
        sql`and search_form(i.name || ' ' || i.address || ' ' || coalesce(p.customer->>'name', '')) like ${$.pattern}`,
      )}
    order by i.name, i.id limit ${$.limit}`,
)

/** Whether there are more in the order than are looked through. */
const goesOn = one(
  row<{ further: boolean }>({ further: boolean }),
  ($: Params<Asked>) => sql`select exists (
      select from installations i where ${isAlong($)} order by i.name, i.id offset ${raw(few)}) as further`,
)

/** So many plans are put in order by their installations; of more, some are met along the order. */
const fewPlans = 5_000

const areFewPlans = scalar(
  { few: boolean },
  ($: Params<{ installerId: string; way: PlanWay }>) =>
    sql`select ${countUpTo(pick($.way, plansThat($)), fewPlans)} <= ${raw(fewPlans)} as few`,
)

/** A word that so many of the first hold is held by many: all of these would be gone through to find them by the word. */
const heldByMany = 20

const isCommon = scalar(
  { common: boolean },
  ($: Params<Asked>) =>
    sql`select ${countUpTo(
      sql`from ${firstAlong($)} i where search_form(i.name || ' ' || i.address) like ${$.word}`,
      heldByMany,
    )} >= ${raw(heldByMany)} as common`,
)

/** Where the first of the order do not fill a page, what leaves the fewest is gone through. */
async function findPage(db: Db, asked: Asked) {
  const page = (way: Wanted['way']) => pageOfInstallations(db, { ...asked, way })
  const { state, word, limit } = asked
  const along = state === 'without' ? 'without' : 'order'
  const ofPlans = state === 'with' ? 'running' : state === 'ended' ? 'ended' : null
  if (!ofPlans && word === undefined) return page(along)
  const found = await page('first')
  if (found.length === limit || !(await goesOn(db, asked)).further) return found
  if (ofPlans && (await areFewPlans(db, { ...asked, way: ofPlans }))) return page(ofPlans)
  if (word === undefined || (await isCommon(db, asked))) return page(along)
  return page(state === 'without' && !(await isInFew(db, asked)) ? 'without' : 'words')
}

/** Installations by name, with their plans, from behind one of them on. */
export async function listInstallationPlans(
  db: Db,
  wanted: RecordScope & PlanFilters & { after: string | null; limit: number },
): Promise<InstallationPlan[]> {
  const { state = 'any', search } = wanted
  const form = search === undefined ? undefined : searchForm(search)
  const pattern = form === undefined ? undefined : anywhere(form)
  const word = form === undefined ? undefined : anywhereLongest(form)
  const found = await findPage(db, { ...wanted, state, pattern, word })
  return found.map(({ id, companyId, name, address, unbilled, ...plan }) => ({
    ...{ id, companyId, name, address, unbilled },
    plan: plan.kind === null ? null : (plan as Terms),
  }))
}

const count = row<{ count: number }>({ count: integer })

const countInstallations = one(
  count,
  (
    $: Params<RecordScope>,
  ) => sql`select coalesce(sum(installations), 0)::int as count from installation_counts
    where installer_id = ${$.installerId} and company_id = ${$.companyId}`,
)

/** Whether what a company has is found by its installations sooner than among all that there is. */
const hasFew = async (db: Db, { installerId, companyId }: RecordScope) =>
  companyId !== null && (await countInstallations(db, { installerId, companyId })).count <= few

/** The rows of a table by installation that are of the company, where it has few: the limit tells the planner so. */
const ofFew = (table: string, condition: string, $: Params<RecordScope>) => sql`(
    select t.* from (
      select i.id from installations i where i.installer_id = ${$.installerId} and i.company_id = ${$.companyId}
      order by i.id limit ${raw(few)}
    ) own cross join lateral (
      select * from ${raw(table)} r
      where r.installer_id = ${$.installerId} and r.installation_id = own.id and ${raw(condition)} offset 0
    ) t)`

const isUnbilled = `state <> 'drafted'`

/** Whose months are looked for among all that there are, one by one, hears of no more than so many. */
const countedOneByOne = 100

const countOfUnbilled = one(count, ($: Params<RecordScope & { few: boolean; oneByOne: boolean }>) => {
  const months = sql`from ${when($.few, ofFew('billing_months', isUnbilled, $), sql`billing_months`)} t
    where t.installer_id = ${$.installerId} and ${raw(isUnbilled)} ${when(
      $.companyId,
      sql`and (select true from installations i where i.installer_id = ${$.installerId} and i.id = t.installation_id
        and i.company_id = ${$.companyId})`,
    )}`
  return sql`select ${when($.oneByOne, countUpTo(months, countedOneByOne), countUpTo(months))} as count`
})

/** As far as is counted. */
export async function countUnbilled(db: Db, scope: RecordScope): Promise<Figure> {
  const few = await hasFew(db, scope)
  const oneByOne = scope.companyId !== null && !few
  const { count } = await countOfUnbilled(db, { ...scope, few, oneByOne })
  return figureUpTo(oneByOne ? countedOneByOne : countedUpTo, count)
}

/** A month of an installation that is not billed, and why. */
export interface UnbilledMonth {
  installationId: string
  installationName: string
  /** Its first day. */
  month: string
  state: 'held' | 'released'
  reason: string | null
  at: Date
}

const unbilledMonth = row<UnbilledMonth>({
  installationId: text,
  installationName: text,
  month: day,
  state: text,
  reason: text,
  at: instant,
})

interface UnbilledWanted extends RecordScope {
  afterMonth: string | null
  afterId: string | null
  limit: number
}

const pageOfUnbilled = many(
  unbilledMonth,
  ($: Params<UnbilledWanted & { few: boolean }>) => sql`
    select ${select(unbilledMonth, 'm', { installationName: sql`i.name` })}
    from ${when($.few, ofFew('billing_months', isUnbilled, $), sql`billing_months`)} m cross join lateral (
      select s.name, s.company_id from installations s
      where s.installer_id = ${$.installerId} and s.id = m.installation_id offset 0
    ) i
    where m.installer_id = ${$.installerId} and m.state <> 'drafted'
      ${when($.afterId, sql`and (m.month, m.installation_id) < (${$.afterMonth}, ${$.afterId})`)}
      ${when($.companyId, sql`and i.company_id = ${$.companyId}`)}
    order by m.month desc, m.installation_id desc limit ${$.limit}`,
)

/** The newest months first, from behind one of them on. */
export const listUnbilledMonths = async (db: Db, wanted: UnbilledWanted): Promise<UnbilledMonth[]> =>
  pageOfUnbilled(db, { ...wanted, few: await hasFew(db, wanted) })
