import type { Db } from '../../../platform/db.ts'
import { type Params, sql } from '../../../platform/sql/sql.ts'
import { run } from '../../../platform/sql/statements.ts'
import type { Stage } from '../../kernel/tenant/stage.ts'

type Written = Omit<Stage, 'messages'> & { installerId: string; messages: string }

const insertWritten = run(
  ($: Params<Written>) => sql`
    insert into stages
      (installer_id, id, product_line, position, name, milestone, days_allowed, checklist, alerts, messages)
    values (${$.installerId}, ${$.id}, ${$.productLine}, ${$.position}, ${$.name}, ${$.milestone}, ${$.daysAllowed},
      ${$.checklist}, ${$.alerts}, ${$.messages})`,
)

export const insertStage = (tx: Db, installerId: string, stage: Stage): Promise<void> =>
  insertWritten(tx, asWritten(installerId, stage))

const updateWritten = run(
  ($: Params<Written>) => sql`
    update stages set name = ${$.name}, milestone = ${$.milestone}, days_allowed = ${$.daysAllowed},
      checklist = ${$.checklist}, alerts = ${$.alerts}, messages = ${$.messages}, version = version + 1
    where installer_id = ${$.installerId} and id = ${$.id}`,
)

export const updateStageRow = (tx: Db, installerId: string, stage: Stage): Promise<void> =>
  updateWritten(tx, asWritten(installerId, stage))

const asWritten = (installerId: string, stage: Stage): Written => ({
  ...stage,
  installerId,
  messages: JSON.stringify(stage.messages),
})
