import type { Db, Statement } from '../../../platform/db.ts'
import type { Stage } from '../../kernel/tenant/stage.ts'

const insertStageStatement: Statement = {
  name: 'insert-stage',
  text: `insert into stages (installer_id, id, product_line, position, name, milestone, days_allowed, checklist, alerts, messages)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
}

export async function insertStage(db: Db, installerId: string, stage: Stage): Promise<void> {
  await db.query(insertStageStatement, [
    installerId,
    stage.id,
    stage.productLine,
    stage.position,
    stage.name,
    stage.milestone,
    stage.daysAllowed,
    stage.checklist,
    stage.alerts,
    JSON.stringify(stage.messages),
  ])
}

const updateStageStatement: Statement = {
  name: 'update-stage',
  text: `update stages set name = $3, milestone = $4, days_allowed = $5, checklist = $6, alerts = $7, messages = $8,
      version = version + 1
    where installer_id = $1 and id = $2`,
}

export async function updateStage(db: Db, installerId: string, stage: Stage): Promise<void> {
  await db.query(updateStageStatement, [
    installerId,
    stage.id,
    stage.name,
    stage.milestone,
    stage.daysAllowed,
    stage.checklist,
    stage.alerts,
    JSON.stringify(stage.messages),
  ])
}
