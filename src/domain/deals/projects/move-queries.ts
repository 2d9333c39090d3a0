import type { Db, Statement } from '../../../platform/db.ts'
import type { MilestoneKey } from '../../kernel/tenant/stage.ts'
import type { LeadStatus } from '../leads/lead.ts'

/** The last move of a project in the console. */
export interface LastMove {
  id: string
  at: Date
  /** Null: it is the sale itself. */
  fromStageId: string | null
  leadStatus: LeadStatus | null
  toStageId: string
  enteredAt: Date
  milestone: MilestoneKey | null
  installationId: string | null
  checklist: string[]
  undoUntil: Date
}

const findStatement: Statement = {
  name: 'find-last-move',
  text: `select id, at, from_stage_id as "fromStageId", to_stage_id as "toStageId", entered_at as "enteredAt", milestone,
      installation_id as "installationId", checklist, undo_until as "undoUntil", lead_status as "leadStatus"
    from stage_moves where installer_id = $1 and project_id = $2`,
}

export async function findLastMove(db: Db, installerId: string, projectId: string): Promise<LastMove | null> {
  const [row] = await db.query<LastMove>(findStatement, [installerId, projectId])
  return row ?? null
}

// Those that a sender holds have a lease, and perhaps have gone out.
const takeBackMailsStatement: Statement = {
  name: 'take-back-mails',
  text: `with gone as (
      delete from mails where installer_id = $1 and move_id = $2 and state = 'queued' and lease is null and attempts = 0
      returning id
    )
    select (select count(*)::int from mails where installer_id = $1 and move_id = $2) - (select count(*)::int from gone) as left`,
}

/** Takes back the mails of a move; answers how many have gone out or are going. */
export async function takeBackMails(tx: Db, installerId: string, moveId: string): Promise<number> {
  const [row] = await tx.query<{ left: number }>(takeBackMailsStatement, [installerId, moveId])
  return row!.left
}

const takeBackStatement: Statement = {
  name: 'take-back-move',
  text: `with notices as (
      delete from notifications where installer_id = $1 and project_id = $3 and at = $4
    ), feed as (
      delete from activities a where a.installer_id = $1 and a.lead_id = $2 and a.at = $4 and a.type in ('alert', 'message')
        and not exists (select from activities r where r.installer_id = $1 and r.lead_id = $2 and r.reply_to = a.id)
    ), items as (
      delete from checklist_items where installer_id = $1 and project_id = $3 and stage_id = $5 and label = any($6)
        and done_at is null
    )
    delete from stage_moves where installer_id = $1 and project_id = $3`,
}

/** Takes back what a move said to people and put on the project, and that it can be undone. What was ticked off stays. */
export async function takeBackMove(
  tx: Db,
  installerId: string,
  { leadId, projectId }: { leadId: string; projectId: string },
  { at, toStageId, checklist }: LastMove,
): Promise<void> {
  await tx.query(takeBackStatement, [installerId, leadId, projectId, at.toISOString(), toStageId, checklist])
}

// Another sale or move of it cannot be under way: the tenant is locked.
const removeStatement: Statement = {
  name: 'remove-project',
  text: `with notices as (
      delete from notifications where installer_id = $1 and project_id = $3
    ), feed as (
      delete from activities a where a.installer_id = $1 and a.lead_id = $2 and a.at = $4
        and a.type in ('alert', 'message', 'projectCreated')
        and not exists (select from activities r where r.installer_id = $1 and r.lead_id = $2 and r.reply_to = a.id)
    ), items as (
      delete from checklist_items where installer_id = $1 and project_id = $3
    ), entries as (
      delete from calendar_entries where installer_id = $1 and project_id = $3
    ), moves as (
      delete from stage_moves where installer_id = $1 and project_id = $3
    )
    delete from projects where installer_id = $1 and id = $3`,
}

/** Removes a project that was made by a sale just now, with what the sale said to people. */
export async function removeProject(
  tx: Db,
  installerId: string,
  { leadId, projectId }: { leadId: string; projectId: string },
  { at }: LastMove,
): Promise<void> {
  await tx.query(removeStatement, [installerId, leadId, projectId, at.toISOString()])
}

const workedOnStatement: Statement = {
  name: 'project-is-worked-on',
  text: `select exists (select from checklist_items where installer_id = $1 and project_id = $2 and done_at is not null)
      or exists (select from files where installer_id = $1 and project_id = $2)
      or exists (select from shared_links where installer_id = $1 and project_id = $2) as "isWorkedOn"`,
}

/** Whether anybody has done something for a project that its own record does not show. */
export async function isWorkedOn(tx: Db, installerId: string, projectId: string): Promise<boolean> {
  const [row] = await tx.query<{ isWorkedOn: boolean }>(workedOnStatement, [installerId, projectId])
  return row!.isWorkedOn
}
