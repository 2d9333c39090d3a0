import type { NewEvent } from '../../journal/events/deal-event.ts'
import { isPublished } from '../../journal/events/event-names.ts'
import type { NewMessage } from '../../journal/events/messages.ts'
import { previousOf, snapshotText } from '../../journal/events/previous.ts'
import type { Actor } from '../../kernel/context.ts'
import { type Directory, installerOf } from '../../kernel/tenant/directory.ts'
import type { NewActivity } from '../activities/activity.ts'
import { filePath } from '../files/file.ts'
import { renderLead } from '../leads/render.ts'
import { type ProjectRenderings, renderProject } from '../projects/render.ts'
import { baseUrlMark, updatedAtMark, versionMark } from '../renderings/rendering.ts'
import type { Effects } from './change.ts'
import type { Deal } from './deal.ts'

/** What the change renders anyway; null where a record is not written. */
export interface Rendered {
  lead: string | null
  project: ProjectRenderings | null
}

/** A message of a change. Its time is the statement's, and where two records change, the project's comes after the lead's. */
type ChangeMessage = NewMessage & { ofProject: boolean }

type Written = Pick<NewActivity, 'type' | 'body' | 'internal' | 'customerFacing' | 'replyTo'> & { id: string }

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
  effects: Pick<Effects, 'events' | 'files'>,
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
    const add = (data: string, forDealer: boolean, toDealers: boolean) =>
      messages.push({ ...shared, ordinal, type, subjectId, ofProject, data, forDealer, toDealers })
    if (type.startsWith('lead.')) add(views.lead(), false, true)
    else if (ofProject) {
      const { all, dealer } = views.project()
      add(all, false, dealer === null)
      if (dealer !== null) add(dealer, true, false)
    } else if (type === 'file.added') {
      const file = effects.files!.find(({ id }) => id === subjectId)!
      add(fileText(file, directory, project!.id), false, file.folder !== 'internal')
    } else add(recordText(event), false, true)
  }
  // No event of the log: the feed itself says it. Internal ones are for the company alone that wrote them.
  const notes = activities.filter(({ type }) => type === 'note')
  for (const [i, note] of notes.entries()) {
    messages.push({
      ...shared,
      ordinal: effects.events.length + i,
      type: 'note.created',
      subjectId: note.id,
      ofProject: false,
      data: noteText(note, actor, after),
      forDealer: note.internal === true && actor.companyId !== actor.installerId,
      toDealers: note.internal !== true,
    })
  }
  return messages
}

/** Renderings with version and previous, made when the first event asks for them. */
function createViews(directory: Directory, before: Deal | null, after: Deal, rendered: Rendered) {
  // What was erased is not told once more as what it was.
  const erasing = after.lead.erasedAt !== null && before?.lead.erasedAt === null
  const was = erasing ? null : before
  const text = (now: string, then: string | null) =>
    snapshotText(now, then, versionMark, after.lead.erasedAt !== null)
  const leadOf = ({ lead, project }: Deal) =>
    renderLead(lead, project?.reference ?? null, directory, updatedAtMark)
  const projectOf = ({ lead, project, files }: Deal) =>
    project && renderProject(project, lead, files, directory, updatedAtMark)
  let lead: string | null = null
  let project: { all: string; dealer: string | null } | null = null
  return {
    lead: () => (lead ??= text(rendered.lead ?? leadOf(after), was && leadOf(was))),
    project() {
      if (project) return project
      // What is gone is told as it was.
      const now = rendered.project ?? projectOf(after) ?? projectOf(before!)!
      const then = was && after.project && projectOf(was)
      const differs = now.dealer !== null || (then?.dealer ?? null) !== null
      project = {
        all: text(now.full, then?.full ?? null),
        dealer: differs ? text(now.dealer ?? now.full, then && (then.dealer ?? then.full)) : null,
      }
      return project
    },
  }
}

function recordText({ data = {}, before }: NewEvent): string {
  return JSON.stringify({ ...data, previous: previousOf(before ?? null, data) })
}

function fileText(
  file: NonNullable<Effects['files']>[number],
  directory: Directory,
  projectId: string,
): string {
  const { id, name, folder } = file
  const url = `"${baseUrlMark}${filePath(installerOf(directory).number, file)}"`
  const head = JSON.stringify({ id, name, folder }).slice(0, -1)
  return `${head},"url":${url},"project_id":"${projectId}","version":${versionMark},"previous":{}}`
}

/** As the feed of the company-key API reads it, and whose it is. */
function noteText(note: Written, { name }: Actor, { lead, project }: Deal): string {
  const head = JSON.stringify({
    id: note.id,
    type: note.type,
    body: note.body,
    internal: note.internal ?? false,
    customerFacing: note.customerFacing ?? false,
    replyTo: note.replyTo ?? null,
    author: name,
  }).slice(0, -1)
  const ids = `"leadId":"${lead.id}","projectId":${project ? `"${project.id}"` : 'null'}`
  return `${head},"createdAt":"${updatedAtMark}",${ids},"version":${versionMark},"previous":{}}`
}
