import { newId } from '../../../platform/ids.ts'
import type { Context } from '../../kernel/context.ts'
import { installationRow, panelRow } from '../../sites/installations/rows.ts'
import type { NewActivity } from '../activities/activity.ts'
import type { Effects } from './change.ts'
import { calendarPart, idempotencyPart, installationPart, movePart } from './move-parts.ts'
import {
  activitiesPart,
  checklistPart,
  eventsPart,
  fileRemovalPart,
  filesPart,
  fileTokensPart,
  mailsPart,
  notificationsPart,
  type Part,
  tickPart,
} from './statement-parts.ts'

/** What is written beside the records, in the same statement. */
export function effectParts(
  { actor, now }: Context,
  effects: Effects,
  activities: readonly (NewActivity & { id: string })[],
): Part[] {
  const { tick, files, removedFileId, fileTokens, checklist, notifications, mails, move } = effects
  const parts: Part[] = []
  if (tick)
    parts.push(
      tickPart({
        ticked_at: tick.done ? now.toISOString() : null,
        ticked_by: tick.done ? actor.id : null,
        ticked_stage: tick.stageId,
        ticked_label: tick.label,
        ticked: tick.done,
      }),
    )
  parts.push(activitiesPart(activities.map(activityRow)), eventsPart(effects.events.map(eventRow)))
  if (files?.length) parts.push(filesPart(files.map(fileRow)))
  if (removedFileId !== undefined) parts.push(fileRemovalPart(removedFileId))
  if (fileTokens?.length) parts.push(fileTokensPart(fileTokens))
  if (checklist?.labels.length) parts.push(checklistPart(checklist.stageId, checklist.labels))
  if (notifications?.length)
    parts.push(
      notificationsPart(
        notifications.map(({ memberId, text }) => ({ id: newId('ntf'), member_id: memberId, text })),
      ),
    )
  if (mails?.length)
    parts.push(
      mailsPart(
        mails.map(({ to, subject, body }) => ({
          id: newId('mail'),
          to_address: to,
          subject,
          body,
          at: move?.mailsAt,
          move_id: move?.id,
        })),
      ),
    )
  if (move) parts.push(movePart(move))
  if (effects.installation) {
    const { installation, panels } = effects.installation
    parts.push(installationPart(installationRow(installation), panels.map(panelRow)))
  }
  if (effects.idempotency) parts.push(idempotencyPart(effects.idempotency, now))
  return [...parts, ...(effects.calendar ?? []).map(calendarPart)]
}

function eventRow({ type, subjectId, changes = {}, data }: Effects['events'][number], ordinal: number) {
  return { ordinal, type, subject_id: subjectId, changes, data }
}

function activityRow(activity: NewActivity & { id: string }, ordinal: number) {
  return {
    id: activity.id,
    ordinal,
    type: activity.type,
    body: activity.body,
    internal: activity.internal ?? false,
    customer_facing: activity.customerFacing ?? false,
    reply_to: activity.replyTo ?? null,
    about: activity.about ?? null,
  }
}

function fileRow(file: NonNullable<Effects['files']>[number], ordinal: number) {
  return {
    ordinal,
    id: file.id,
    folder: file.folder,
    name: file.name,
    source_url: file.sourceUrl,
    source_hash: file.sourceHash,
    store_key: file.storeKey,
    token: file.token,
    type: file.type,
    extension: file.extension,
    inline: file.inline,
    size: file.size,
    sha256: file.sha256,
  }
}
