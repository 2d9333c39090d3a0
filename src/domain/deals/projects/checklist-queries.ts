import type { Db, Statement } from '../../../platform/db.ts'

export interface ChecklistItem {
  stageId: string
  label: string
  doneAt: Date | null
  /** The member who ticked it off. */
  doneBy: string | null
}

const columns = 'stage_id as "stageId", label, done_at as "doneAt", done_by as "doneBy"'

const checklistStatement: Statement = {
  name: 'checklist-of-project',
  text: `select ${columns} from checklist_items where installer_id = $1 and project_id = $2 order by stage_id, ordinal`,
}

/** Every item of a project, those of a stage together and in their order. */
export function listChecklist(db: Db, installerId: string, projectId: string): Promise<ChecklistItem[]> {
  return db.query<ChecklistItem>(checklistStatement, [installerId, projectId])
}

const checklistItemStatement: Statement = {
  name: 'checklist-item',
  text: `select ${columns} from checklist_items
    where installer_id = $1 and project_id = $2 and stage_id = $3 and label = $4`,
}

export async function findChecklistItem(
  db: Db,
  installerId: string,
  projectId: string,
  stageId: string,
  label: string,
): Promise<ChecklistItem | null> {
  const [row] = await db.query<ChecklistItem>(checklistItemStatement, [
    installerId,
    projectId,
    stageId,
    label,
  ])
  return row ?? null
}
