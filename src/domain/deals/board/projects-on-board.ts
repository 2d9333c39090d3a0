import type { Db } from '../../../platform/db.ts'
import { isExactly } from '../../../platform/sql/is-exactly.ts'
import { boolean } from '../../../platform/sql/row.ts'
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
import { scalar } from '../../../platform/sql/statements.ts'
import { figureAmong, figureOf, firstRows, lookedAtFirst } from '../../kernel/counted.ts'
import { isCounted } from '../../kernel/tenant/clock-queries.ts'
import { findWhose, ownLeads } from '../assignments/own-deals.ts'
import { areTelling, holds, type SearchWords } from '../leads/search-words.ts'

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
export interface Asked extends BoardSelection {
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
export type Source = 'board' | 'ofMember' | 'ofRep' | 'ofWords' | 'lookedAt'

/** Up to so many of a person are found and counted. */
export const fewOnBoard = 20_000
/** And up to so many where few of them are met by looking; beyond, that would take longer than anybody waits. */
export const mostToFind = 30_000
/** For more cards of one stage, of which few are asked for, looking is quicker for fewer, and finding is worth less. */
export const fewForMore = { few: 5_000, most: 20_000 }

export async function askedOf(
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
export async function sourceOfRest(db: Db, asked: Asked, most: number): Promise<Source | null> {
  const ofPeople = await sourceOfFew(db, asked, most)
  if (ofPeople || asked.words.length === 0) return ofPeople
  return (await areInFew(db, { ...asked, few: Math.min(most, fewOnBoard) })) ? 'ofWords' : null
}

export const orderOf = ({ order }: Pick<Params<Asked>, 'order'>, alias = '') =>
  pick(order, {
    recent: raw(`${alias}stage_entered_at desc nulls last, ${alias}id desc`),
    longest: raw(`${alias}stage_entered_at nulls first, ${alias}id`),
  })

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
  const those = sql`p.installer_id = ${$.installerId} ${isOfDealers($)} ${isOfInstaller($)}`
  return sql`select case when ${isCounted($)}
        then (select coalesce(sum(p.projects), 0) > ${$.few} from project_counts p where ${those})
        else exists (select from projects p where ${those} order by p.updated_at offset ${$.few}) end and (
      select count(*) from (select * from projects p where ${those} order by p.updated_at desc limit ${raw(latest)}) p
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
export function projectsOf($: Params<Asked>) {
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
