import { boolean, instant, integer, row, select, text, texts } from '../../../platform/sql/row.ts'
import { type Params, sql } from '../../../platform/sql/sql.ts'
import { maybeOne, run, scalar, scalars } from '../../../platform/sql/statements.ts'
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

const lastMove = row<LastMove>({
  id: text,
  at: instant,
  fromStageId: text,
  leadStatus: text,
  toStageId: text,
  enteredAt: instant,
  milestone: text,
  installationId: text,
  checklist: texts,
  undoUntil: instant,
})

interface OfProject {
  installerId: string
  projectId: string
}

export const findLastMove = maybeOne(
  lastMove,
  ($: Params<OfProject>) => sql`
    select ${select(lastMove)} from stage_moves
    where installer_id = ${$.installerId} and project_id = ${$.projectId}`,
)

/**
 * Takes back the mails of a move; answers how many have gone out or are going. Those that a sender holds have a lease,
 * and perhaps have gone out.
 */
export const takeBackMails = scalar(
  { left: integer },
  ($: Params<{ installerId: string; moveId: string }>) => sql`with gone as (
      delete from mails
      where installer_id = ${$.installerId} and move_id = ${$.moveId}
        and state = 'queued' and lease is null and attempts = 0
      returning id
    )
    select (select count(*)::int from mails where installer_id = ${$.installerId} and move_id = ${$.moveId})
      - (select count(*)::int from gone) as left`,
)

interface SaidThen extends OfProject {
  leadId: string
  at: Date
}

const isUnanswered = ($: Params<Omit<SaidThen, 'projectId'>>) => sql`not exists (
  select from activities r
  where r.installer_id = ${$.installerId} and r.lead_id = ${$.leadId} and r.reply_to = a.id)`

/** The entries of the feed that go when a move or a sale is taken back, and that endpoints heard of. */
export const listWithdrawn = scalars(
  { id: text },
  ($: Params<Omit<SaidThen, 'projectId'>>) => sql`
    select a.id from activities a
    where a.installer_id = ${$.installerId} and a.lead_id = ${$.leadId} and a.at = ${$.at}
      and a.type in ('alert', 'message') and ${isUnanswered($)} order by a.ordinal`,
)

/** Takes back what a move said to people and put on the project, and that it can be undone. What was ticked off stays. */
export const takeBackMove = run(
  ($: Params<SaidThen & Pick<LastMove, 'toStageId' | 'checklist'>>) => sql`with notices as (
      delete from notifications
      where installer_id = ${$.installerId} and project_id = ${$.projectId} and at = ${$.at}
    ), feed as (
      delete from activities a
      where a.installer_id = ${$.installerId} and a.lead_id = ${$.leadId} and a.at = ${$.at}
        and a.type in ('alert', 'message') and ${isUnanswered($)}
    ), items as (
      delete from checklist_items
      where installer_id = ${$.installerId} and project_id = ${$.projectId} and stage_id = ${$.toStageId}
        and label = any(${$.checklist}::text[]) and done_at is null
    )
    delete from stage_moves where installer_id = ${$.installerId} and project_id = ${$.projectId}`,
)

/**
 * Removes a project that was made by a sale just now, with what the sale said to people. Another sale or move of it
 * cannot be under way: the tenant is locked.
 */
export const deleteProject = run(
  ($: Params<SaidThen>) => sql`with notices as (
      delete from notifications where installer_id = ${$.installerId} and project_id = ${$.projectId}
    ), feed as (
      delete from activities a
      where a.installer_id = ${$.installerId} and a.lead_id = ${$.leadId} and a.at = ${$.at}
        and a.type in ('alert', 'message', 'projectCreated') and ${isUnanswered($)}
    ), items as (
      delete from checklist_items where installer_id = ${$.installerId} and project_id = ${$.projectId}
    ), entries as (
      delete from calendar_entries where installer_id = ${$.installerId} and project_id = ${$.projectId}
    ), moves as (
      delete from stage_moves where installer_id = ${$.installerId} and project_id = ${$.projectId}
    ), gone as (
      delete from projects where installer_id = ${$.installerId} and id = ${$.projectId}
      returning company_id, product_line
    )
    update project_counts c set projects = c.projects - 1 from gone g
    where c.installer_id = ${$.installerId} and c.company_id = g.company_id and c.product_line = g.product_line`,
)

/** Whether anybody has done something for a project that its own record does not show. */
export const isWorkedOn = scalar(
  { isWorkedOn: boolean },
  ($: Params<OfProject>) => sql`
    select exists (
        select from checklist_items
        where installer_id = ${$.installerId} and project_id = ${$.projectId} and done_at is not null)
      or exists (select from files where installer_id = ${$.installerId} and project_id = ${$.projectId})
      or exists (select from shared_links where installer_id = ${$.installerId} and project_id = ${$.projectId})
      as "isWorkedOn"`,
)
