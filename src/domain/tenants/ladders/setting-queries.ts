import { boolean, integer, json, row, select, text, texts } from '../../../platform/sql/row.ts'
import { type Params, sql } from '../../../platform/sql/sql.ts'
import { exists, many, run, scalars } from '../../../platform/sql/statements.ts'
import type { Emptying, StageSetting } from './stage-setting.ts'

const stageSetting = row<StageSetting>({
  id: text,
  productLine: text,
  position: integer,
  name: text,
  milestone: text,
  daysAllowed: integer,
  checklist: texts,
  alerts: texts,
  messages: json,
  retired: boolean,
  version: integer,
  emptying: json,
  projects: integer,
})

/** The stages of both ladders, in order, with those that are being emptied. */
export const listStages = many(
  stageSetting,
  ($: Params<{ installerId: string }>) => sql`
    select ${select(stageSetting, 's', {
      retired: sql`s.retired_at is not null`,
      projects: sql`(select count(*) from projects p where p.installer_id = ${$.installerId} and p.stage_id = s.id)`,
    })}
    from stages s where s.installer_id = ${$.installerId} and (s.retired_at is null or s.emptying is not null)
    order by s.product_line desc, s.position, s.id`,
)

export const placeStages = run(
  ($: Params<{ installerId: string; ids: readonly string[] }>) => sql`
    update stages s set position = o.position
    from unnest(${$.ids}::text[]) with ordinality as o(id, position)
    where s.installer_id = ${$.installerId} and s.id = o.id`,
)

/** `emptying` as JSON. */
export const retireStageRow = run(
  ($: Params<{ installerId: string; id: string; now: Date; emptying: string | null }>) => sql`
    update stages set retired_at = ${$.now}, emptying = ${$.emptying}, version = version + 1
    where installer_id = ${$.installerId} and id = ${$.id}`,
)

export interface StageToEmpty {
  installerId: string
  id: string
  name: string
  emptying: Emptying
}

const stageToEmpty = row<StageToEmpty>({ installerId: text, id: text, name: text, emptying: json })

export const listStagesToEmpty = many(
  stageToEmpty,
  () => sql`
    select ${select(stageToEmpty)} from stages
    where emptying is not null order by installer_id, id limit 100`,
  { across: 'the leader empties the stages of every tenant' },
)

type StageId = Pick<StageToEmpty, 'installerId' | 'id'>

export const listProjectsIn = scalars(
  { id: text },
  ($: Params<StageId & { limit: number }>) => sql`
    select id from projects where installer_id = ${$.installerId} and stage_id = ${$.id} limit ${$.limit}`,
)

/** False where another was faster. */
export const markEmptied = exists(
  ($: Params<StageId>) => sql`
    update stages set emptying = null, version = version + 1
    where installer_id = ${$.installerId} and id = ${$.id} and emptying is not null returning id`,
)
