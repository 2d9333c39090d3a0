import { instant, row, select, text } from '../../../platform/sql/row.ts'
import { type Params, sql } from '../../../platform/sql/sql.ts'
import { many, maybeOne } from '../../../platform/sql/statements.ts'

export interface ChecklistItem {
  stageId: string
  label: string
  doneAt: Date | null
  /** The member who ticked it off. */
  doneBy: string | null
}

const item = row<ChecklistItem>({ stageId: text, label: text, doneAt: instant, doneBy: text })

interface OfProject {
  installerId: string
  projectId: string
}

/** Every item of a project, those of a stage together and in their order. */
export const listChecklist = many(
  item,
  ($: Params<OfProject>) => sql`
    select ${select(item)} from checklist_items
    where installer_id = ${$.installerId} and project_id = ${$.projectId} order by stage_id, ordinal`,
)

export const findChecklistItem = maybeOne(
  item,
  ($: Params<OfProject & { stageId: string; label: string }>) => sql`
    select ${select(item)} from checklist_items
    where installer_id = ${$.installerId} and project_id = ${$.projectId} and stage_id = ${$.stageId}
      and label = ${$.label}`,
)
