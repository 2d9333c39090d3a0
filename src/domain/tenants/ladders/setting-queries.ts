import { boolean, integer, json, row, select, text, texts } from '../../../platform/sql/row.ts'
import { type Params, raw, sql } from '../../../platform/sql/sql.ts'
import { many, run, scalars } from '../../../platform/sql/statements.ts'
import { emptyingKind, type StageSetting } from './stage-setting.ts'

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
      emptying: sql`j.input`,
      projects: sql`(select count(*) from projects p where p.installer_id = ${$.installerId} and p.stage_id = s.id)`,
    })}
    from stages s left join long_jobs j on j.installer_id = ${$.installerId}
      and j.kind = '${raw(emptyingKind)}' and j.subject_id = s.id and j.state = 'running'
    where s.installer_id = ${$.installerId} and (s.retired_at is null or j.id is not null)
    order by s.product_line desc, s.position, s.id`,
)

export const placeStages = run(
  ($: Params<{ installerId: string; ids: readonly string[] }>) => sql`
    update stages s set position = o.position
    from unnest(${$.ids}::text[]) with ordinality as o(id, position)
    where s.installer_id = ${$.installerId} and s.id = o.id`,
)

export const retireStageRow = run(
  ($: Params<{ installerId: string; id: string; now: Date }>) => sql`
    update stages set retired_at = ${$.now}, version = version + 1
    where installer_id = ${$.installerId} and id = ${$.id}`,
)

export const listProjectsIn = scalars(
  { id: text },
  ($: Params<{ installerId: string; stageId: string; limit: number }>) => sql`
    select id from projects where installer_id = ${$.installerId} and stage_id = ${$.stageId} limit ${$.limit}`,
)
