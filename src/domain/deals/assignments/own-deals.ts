import type { Db } from '../../../platform/db.ts'
import { isExactly } from '../../../platform/sql/is-exactly.ts'
import { boolean, row } from '../../../platform/sql/row.ts'
import { type Fragment, join, type Params, raw, sql } from '../../../platform/sql/sql.ts'
import { one } from '../../../platform/sql/statements.ts'
import type { Scope } from '../../kernel/context.ts'

/** A member who is on no more than this in each role has all of it found at once, by the roles' indexes. */
const fewDeals = 2_000
/** Where the alternative is to read everything, it is worth it for more. */
export const fewToFind = 5_000

/**
 * What a reader sees: all that their company does, or what they are on, which is little; or they are on many leads, or on
 * many projects too.
 */
export type Whose = 'all' | 'few' | 'manyLeads' | 'many'

export const leadRoles = ['sales_rep_id', 'setter_id']
export const projectRoles = ['project_manager_id', 'site_surveyor_id', 'subcontractor_id']

interface OfMember {
  installerId: string
  memberId?: string | null
}

const inRole = ($: Params<OfMember>, table: string, role: string, columns: Fragment): Fragment =>
  sql`select ${columns} from ${raw(table)} where installer_id = ${$.installerId} and ${isExactly(role, $.memberId)}`

/** The leads of the projects that a member works on; some are there twice. */
export const leadsOfOwnProjects = ($: Params<OfMember>): Fragment =>
  join(
    projectRoles.map((role) => inRole($, 'projects', role, sql`lead_id as id`)),
    ' union all ',
  )

/** All leads that a member is on, or on whose project, each looked up by its key and in no other way. */
export const ownLeads = ($: Params<OfMember>): Fragment => sql`(
  select l.* from (${join(
    [...leadRoles.map((role) => inRole($, 'leads', role, sql`id`)), sql`(${leadsOfOwnProjects($)})`],
    ' union ',
  )}) own cross join lateral (
    select * from leads where installer_id = ${$.installerId} and id = own.id offset 0
  ) l)`

const countOwn = one(
  row<{ manyLeads: boolean; manyProjects: boolean }>({ manyLeads: boolean, manyProjects: boolean }),
  ($: Params<OfMember & { few: number }>) => {
    const are = (table: string, role: string) => sql`(select count(*) from (
      ${inRole($, table, role, sql``)} order by ${raw(role)} limit ${$.few} + 1) own) > ${$.few}`
    const any = (table: string, roles: string[]) =>
      join(
        roles.map((role) => are(table, role)),
        ' or ',
      )
    return sql`select ${any('leads', leadRoles)} as "manyLeads", ${any('projects', projectRoles)} as "manyProjects"`
  },
)

export async function findWhose(
  db: Db,
  { installerId, memberId }: Pick<Scope, 'installerId' | 'memberId'>,
  few = fewDeals,
): Promise<Whose> {
  if (!memberId) return 'all'
  const { manyLeads, manyProjects } = await countOwn(db, { installerId, memberId, few })
  if (manyProjects) return 'many'
  return manyLeads ? 'manyLeads' : 'few'
}
