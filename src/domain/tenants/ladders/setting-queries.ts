import type { Db, Statement } from '../../../platform/db.ts'
import type { Emptying, StageSetting } from './stage-setting.ts'

const listStagesStatement: Statement = {
  name: 'list-stage-settings',
  text: `select s.id, s.product_line as "productLine", s.position, s.name, s.milestone, s.days_allowed as "daysAllowed",
      s.checklist, s.alerts, s.messages, s.retired_at is not null as retired, s.version, s.emptying,
      (select count(*) from projects p where p.installer_id = $1 and p.stage_id = s.id) as projects
    from stages s where s.installer_id = $1 and (s.retired_at is null or s.emptying is not null)
    order by s.product_line desc, s.position, s.id`,
}

/** The stages of both ladders, in order, with those that are being emptied. */
export function listStages(db: Db, installerId: string): Promise<StageSetting[]> {
  return db.query<StageSetting>(listStagesStatement, [installerId])
}

const placeStagesStatement: Statement = {
  name: 'place-stages',
  text: `update stages s set position = o.position
    from unnest($2::text[]) with ordinality as o(id, position)
    where s.installer_id = $1 and s.id = o.id`,
}

export async function placeStages(tx: Db, installerId: string, ids: readonly string[]): Promise<void> {
  await tx.query(placeStagesStatement, [installerId, ids])
}

const retireStageStatement: Statement = {
  name: 'retire-stage',
  text: `update stages set retired_at = $3, emptying = $4, version = version + 1
    where installer_id = $1 and id = $2`,
}

export async function retireStageRow(
  tx: Db,
  installerId: string,
  id: string,
  now: Date,
  emptying: Emptying | null,
): Promise<void> {
  const values = [installerId, id, now.toISOString(), emptying && JSON.stringify(emptying)]
  await tx.query(retireStageStatement, values)
}

export interface StageToEmpty {
  installerId: string
  id: string
  name: string
  emptying: Emptying
}

const stagesToEmpty: Statement = {
  name: 'stages-to-empty',
  text: `select installer_id as "installerId", id, name, emptying from stages
    where emptying is not null order by installer_id, id limit 100`,
}

/** Of all tenants. */
export function listStagesToEmpty(db: Db): Promise<StageToEmpty[]> {
  return db.query<StageToEmpty>(stagesToEmpty, [])
}

const projectsInStage: Statement = {
  name: 'projects-in-stage',
  text: 'select id from projects where installer_id = $1 and stage_id = $2 limit $3',
}

export async function listProjectsIn(
  db: Db,
  { installerId, id }: Pick<StageToEmpty, 'installerId' | 'id'>,
  limit: number,
): Promise<string[]> {
  const rows = await db.query<{ id: string }>(projectsInStage, [installerId, id, limit])
  return rows.map((row) => row.id)
}

const stageEmptied: Statement = {
  name: 'stage-emptied',
  text: `update stages set emptying = null, version = version + 1
    where installer_id = $1 and id = $2 and emptying is not null returning id`,
}

/** False where another was faster. */
export async function markEmptied(
  tx: Db,
  { installerId, id }: Pick<StageToEmpty, 'installerId' | 'id'>,
): Promise<boolean> {
  return (await tx.query(stageEmptied, [installerId, id])).length > 0
}
