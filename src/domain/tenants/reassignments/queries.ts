import type { Db } from '../../../platform/db.ts'
import { isExactly } from '../../../platform/sql/is-exactly.ts'
import { integer, text } from '../../../platform/sql/row.ts'
import { type Fragment, join, type Params, raw, sql, when } from '../../../platform/sql/sql.ts'
import { scalar, scalars } from '../../../platform/sql/statements.ts'
import {
  fewToFind,
  findWhose,
  leadRoles,
  leadsOfOwnProjects,
  ownLeads,
  projectRoles,
} from '../../deals/assignments/own-deals.ts'
import { countedUpTo, countUpTo } from '../../kernel/counted.ts'

interface OfMember {
  installerId: string
  memberId: string
  /** Whether they are on little, so that it is found by their roles' indexes. */
  few: boolean
}

/** What is open: leads that may still be sold, and projects that are not built yet, as the leads they came from. */
const isOpen = (isNotBuilt: Fragment) => sql`not lead.archived and case when lead.project_id is null
  then lead.status not in ('lost', 'unqualified') else ${isNotBuilt} end`

function openWork($: Params<OfMember>): Fragment {
  const open = isOpen(sql`not exists (
    select from projects built
    where built.installer_id = ${$.installerId} and built.id = lead.project_id and built.installation_id is not null)`)
  const ofLeads = leadRoles.map(
    (role) => sql`select lead.id from leads lead
      where lead.installer_id = ${$.installerId} and lead.${raw(role)} = ${$.memberId} and ${open}`,
  )
  return when(
    $.few,
    sql`select lead.id from ${ownLeads($)} lead where ${open}`,
    sql`${join(ofLeads, ' union ')} union select lead.id from (${leadsOfOwnProjects($)}) own
      join leads lead on lead.installer_id = ${$.installerId} and lead.id = own.id where ${open}`,
  )
}

const workAfter = scalars(
  { id: text },
  ($: Params<OfMember & { afterId: string; limit: number }>) => sql`
    select id from (${openWork($)}) work where id > ${$.afterId} order by id limit ${$.limit}`,
)

const isOnFew = async (db: Db, member: Omit<OfMember, 'few'>) =>
  (await findWhose(db, member, fewToFind)) === 'few'

/** The leads, sold or not, whose open work the member is on. */
export const listOpenWork = async (
  db: Db,
  wanted: Omit<OfMember, 'few'> & { afterId: string; limit: number },
): Promise<string[]> => workAfter(db, { ...wanted, few: await isOnFew(db, wanted) })

const countWork = scalar(
  { count: integer },
  ($: Params<OfMember>) => sql`select count(*)::int as count from (${openWork($)}) work`,
)

export const countOpenWork = async (db: Db, member: Omit<OfMember, 'few'>): Promise<number> =>
  countWork(db, { ...member, few: await isOnFew(db, member) })

// Of each role no more are read than are counted, along its index; and of each whether it is built, by its key.
const countSomeWork = scalar({ count: integer }, ($: Params<OfMember>) => {
  const most = raw(countedUpTo + 1)
  const open = isOpen(sql`(select installation_id is null from projects
    where installer_id = ${$.installerId} and id = lead.project_id)`)
  const ofLeads = leadRoles.map(
    (role) => sql`(select lead.id from leads lead
      where lead.installer_id = ${$.installerId} and ${isExactly(`lead.${role}`, $.memberId)} and ${open}
      order by lead.${raw(role)} limit ${most})`,
  )
  const ofProjects = projectRoles.map(
    (role) => sql`(select lead.id from projects p cross join lateral (
        select * from leads where installer_id = ${$.installerId} and id = p.lead_id offset 0) lead
      where p.installer_id = ${$.installerId} and ${isExactly(`p.${role}`, $.memberId)} and ${open}
      order by p.${raw(role)} limit ${most})`,
  )
  const some = when(
    $.few,
    sql`select lead.id from ${ownLeads($)} lead where ${open}`,
    join([...ofLeads, ...ofProjects], ' union '),
  )
  return sql`select ${countUpTo(sql`from (${some}) work`)} as count`
})

/** As far as is counted. */
export const countSomeOpenWork = async (db: Db, member: Omit<OfMember, 'few'>): Promise<number> =>
  countSomeWork(db, { ...member, few: await isOnFew(db, member) })
