import type { NewEvent } from '../../journal/events/deal-event.ts'
import { type EventName, isPublished } from '../../journal/events/event-names.ts'
import type { NewMessage } from '../../journal/events/messages.ts'
import { type Snapshot, snapshotOf, snapshotOfRecord } from '../../journal/events/previous.ts'
import type { Actor } from '../../kernel/context.ts'
import { type Directory, installerOf } from '../../kernel/tenant/directory.ts'
import type { ActivityType, NewActivity } from '../activities/activity.ts'
import { type FileEntry, filePath } from '../files/file.ts'
import { renderLead } from '../leads/render.ts'
import { type ProjectRenderings, renderProject } from '../projects/render.ts'
import { baseUrlMark, members, updatedAtMark } from '../renderings/rendering.ts'
import type { Effects } from './change.ts'
import type { Deal } from './deal.ts'

/** What the change renders anyway; null where a record is not written. */
export interface Rendered {
  lead: string | null
  project: ProjectRenderings | null
}

/** A message of a change. Its time is the statement's, and where two records change, the project's comes after the lead's. */
type ChangeMessage = NewMessage & { ofProject: boolean }

/** With the version of a record that counts its own. */
type Told = Snapshot & Pick<NewMessage, 'version'>

type Written = Pick<
  NewActivity,
  'type' | 'body' | 'internal' | 'customerFacing' | 'replyTo' | 'publishedAs'
> & { id: string }

/** Entries of the feed that no event of the log stands for: the feed itself says them. */
const ofActivities: Partial<Record<ActivityType, EventName>> = {
  note: 'note.created',
  message: 'message.queued',
  alert: 'team.alerted',
  checklistDone: 'checklist.updated',
}

/**
 * What is told of a change: of each event its record as the change leaves it, in each view that differs, with what it was
 * before. The time of the change and the version are left open for the writing statement.
 */
export function changeMessages(
  actor: Actor,
  directory: Directory,
  before: Deal | null,
  after: Deal,
  rendered: Rendered,
  effects: Pick<Effects, 'events' | 'files' | 'removedFileId' | 'tick' | 'withdrawn'>,
  activities: readonly Written[],
): ChangeMessage[] {
  const views = createViews(directory, before, after, rendered)
  const { lead, project } = after
  const shared = { leadId: lead.id, companyId: lead.companyId }
  const messages: ChangeMessage[] = []
  for (const [ordinal, event] of effects.events.entries()) {
    const { type, subjectId } = event
    if (!isPublished(type)) continue
    const ofProject = type.startsWith('project.')
    const add = (told: Told, forDealer: boolean, toDealers: boolean) =>
      messages.push({ ...shared, ordinal, type, subjectId, ofProject, ...told, forDealer, toDealers })
    if (type.startsWith('lead.')) add(views.lead(), false, true)
    else if (ofProject) {
      const { all, dealer } = views.project()
      add(all, false, dealer === null)
      if (dealer !== null) add(dealer, true, false)
    } else if (type === 'file.added') {
      const file = effects.files!.find(({ id }) => id === subjectId)!
      add(fileSnapshot(file, directory, project!.id), false, file.folder !== 'internal')
    } else add(recordSnapshot(event), false, true)
  }
  let ordinal = effects.events.length
  const removed = before?.files.find(({ id }) => id === effects.removedFileId)
  if (removed)
    messages.push({
      ...shared,
      ordinal: ordinal++,
      type: 'file.deleted',
      subjectId: removed.id,
      ofProject: false,
      ...fileSnapshot(removed, directory, project!.id),
      forDealer: false,
      toDealers: removed.folder !== 'internal',
    })
  for (const id of effects.withdrawn ?? [])
    messages.push({
      ...shared,
      ordinal: ordinal++,
      type: 'activity.deleted',
      subjectId: id,
      ofProject: false,
      fields: members({ id, leadId: lead.id, projectId: (project ?? before?.project)?.id ?? null }),
      previous: nothingBefore,
      forDealer: false,
      toDealers: true,
    })
  for (const entry of activities) {
    const type = entry.publishedAs ?? ofActivities[entry.type]
    if (!type) continue
    const item = entry.type === 'checklistDone' ? effects.tick : undefined
    // Internal ones are for the company alone that wrote them.
    messages.push({
      ...shared,
      ordinal: ordinal++,
      type,
      subjectId: entry.id,
      ofProject: false,
      ...activitySnapshot(entry, actor, after, item && { item: itemOf(item, directory) }),
      forDealer: entry.internal === true && actor.companyId !== actor.installerId,
      toDealers: entry.internal !== true,
    })
  }
  return messages
}

/** Renderings with what they were before, made when the first event asks for them. */
function createViews(directory: Directory, before: Deal | null, after: Deal, rendered: Rendered) {
  // What was erased is not told once more as what it was.
  const erasing = after.lead.erasedAt !== null && before?.lead.erasedAt === null
  const was = erasing ? null : before
  const snapshot = (now: string, then: string | null) => snapshotOf(now, then, after.lead.erasedAt !== null)
  const leadOf = ({ lead, project }: Deal) =>
    renderLead(lead, project?.reference ?? null, directory, updatedAtMark)
  const projectOf = ({ lead, project, files }: Deal) =>
    project && renderProject(project, lead, files, directory, updatedAtMark)
  let lead: Snapshot | null = null
  let project: { all: Snapshot; dealer: Snapshot | null } | null = null
  return {
    lead: () => (lead ??= snapshot(rendered.lead ?? leadOf(after), was && leadOf(was))),
    project() {
      if (project) return project
      // What is gone is told as it was.
      const now = rendered.project ?? projectOf(after) ?? projectOf(before!)!
      const then = was && after.project && projectOf(was)
      const differs = now.dealer !== null || (then?.dealer ?? null) !== null
      project = {
        all: snapshot(now.full, then?.full ?? null),
        dealer: differs ? snapshot(now.dealer ?? now.full, then && (then.dealer ?? then.full)) : null,
      }
      return project
    },
  }
}

/** Records other than leads and projects change at the time of the statement. */
function recordSnapshot({ data = {}, before }: NewEvent): Told {
  const { version, updated_at: changed, ...record } = data as { version?: number; updated_at?: string }
  const { fields, previous } = snapshotOfRecord(record, before ?? null)
  return { version, fields: changed ? `${fields},"updated_at":"${updatedAtMark}"` : fields, previous }
}

const nothingBefore = '{}'

function fileSnapshot(
  file: Pick<FileEntry, 'id' | 'name' | 'folder' | 'token'>,
  directory: Directory,
  projectId: string,
): Snapshot {
  const { id, name, folder } = file
  const url = `"${baseUrlMark}${filePath(installerOf(directory).number, file)}"`
  return {
    fields: `${members({ id, name, folder })},"url":${url},"project_id":"${projectId}"`,
    previous: nothingBefore,
  }
}

function itemOf({ stageId, label, done }: NonNullable<Effects['tick']>, { stages }: Directory) {
  return { stage: stages.get(stageId)?.name ?? null, label, done }
}

/** As the feed of the company-key API reads it, and whose it is. */
function activitySnapshot(
  entry: Written,
  { name }: Actor,
  { lead, project }: Deal,
  more: object = {},
): Snapshot {
  const head = members({
    id: entry.id,
    type: entry.type,
    body: entry.body,
    internal: entry.internal ?? false,
    customerFacing: entry.customerFacing ?? false,
    replyTo: entry.replyTo ?? null,
    author: name,
  })
  const ids = members({ leadId: lead.id, projectId: project?.id ?? null, ...more })
  return { fields: `${head},"createdAt":"${updatedAtMark}",${ids}`, previous: nothingBefore }
}
