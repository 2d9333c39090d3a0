import type { Db } from '../../../platform/db.ts'
import { isExactly } from '../../../platform/sql/is-exactly.ts'
import { boolean } from '../../../platform/sql/row.ts'
import { type Fragment, join, type Params, raw, sql, when } from '../../../platform/sql/sql.ts'
import { scalar } from '../../../platform/sql/statements.ts'
import { isOnDeal, type Scope } from '../../kernel/context.ts'

type Own = Params<{ installerId: string; memberId: string | null | undefined }>

/** Whether a member is on the project of an installation, whose columns are named `i`. */
export const isOnItsProject = ({ installerId, memberId }: Own): Fragment => sql`exists (
    select 1 from projects project join leads lead on lead.installer_id = ${installerId} and lead.id = project.lead_id
    where project.installer_id = ${installerId} and project.id = i.project_id and ${isOnDeal(memberId)})`

const inRole = (table: string, role: string, columns: Fragment, { installerId, memberId }: Own) =>
  sql`select ${columns} from ${raw(table)} where installer_id = ${installerId} and ${isExactly(role, memberId)}`
const roles: [table: string, role: string, project: Fragment][] = [
  ['leads', 'sales_rep_id', sql`project_id`],
  ['leads', 'setter_id', sql`project_id`],
  ['projects', 'project_manager_id', sql`id`],
  ['projects', 'site_surveyor_id', sql`id`],
  ['projects', 'subcontractor_id', sql`id`],
]

/** The installations of the projects that a member is on, from the index of each of the roles. */
export const installationsOf = ($: Own): Fragment => sql`(
    select found.* from (
      ${join(
        roles.map(([table, role, project]) => inRole(table, role, project, $)),
        ' union ',
      )}
    ) as own(project_id) cross join lateral (
      select * from installations where installer_id = ${$.installerId} and project_id = own.project_id offset 0
    ) found)`

const looked = 100
const enoughOfLooked = 3
/** Up to so many in each role are found; beyond, that would take longer than anybody waits. */
const mostToFind = 30_000

type Seen = Pick<Scope, 'installerId' | 'companyId' | 'memberId'>

const isOnMore = ($: Params<Seen & { few: number }>) =>
  join(
    roles.map(
      ([table, role]) => sql`(select count(*) from (
        ${inRole(table, role, sql``, $)} order by ${raw(role)} limit ${$.few} + 1) own) > ${$.few}`,
    ),
    ' or ',
  )

const areMore = scalar(
  { more: boolean },
  ($: Params<Seen & { few: number }>) => sql`select ${isOnMore($)} as more`,
)

/** Whether a member is on so many that all of them are too many to find. */
export const isOnMany = (db: Db, scope: Seen, most = mostToFind): Promise<boolean> =>
  areMore(db, { ...scope, few: most })

const areCommon = scalar(
  { common: boolean },
  ($: Params<Seen & { few: number }>) => sql`select (${isOnMore($)}) and (select count(*) from (
      select project_id from installations where installer_id = ${$.installerId} and deleted_at is null
        ${when($.companyId, sql`and company_id = ${$.companyId}`)} order by name, id limit ${raw(looked)}
    ) i where (select ${isOnItsProject($)})) >= ${raw(enoughOfLooked)} as common`,
)

/**
 * Whether a page of a member's is looked for along its order: they are on many, some of which are met there; or on so many that
 * finding all of them would take longer still.
 */
export const areLookedFor = async (db: Db, scope: Seen, few: number, most?: number): Promise<boolean> =>
  (await areCommon(db, { ...scope, few })) || isOnMany(db, scope, most)
