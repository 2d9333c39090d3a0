import { type Context, confinedTo } from '../../kernel/context.ts'
import { notFound } from '../../kernel/domain-error.ts'
import { type Directory, ladderOf } from '../../kernel/tenant/directory.ts'
import type { MilestoneKey, ProductLine, Stage } from '../../kernel/tenant/stage.ts'
import { daysLate } from '../board/board.ts'
import { withBaseUrl } from '../renderings/rendering.ts'
import { type ListedItem, readProjectWithChecklist } from './queries.ts'
import { cutBefore, type Members } from './rendered-members.ts'

/** The Project of the company-key API, as far as its progress is read from it. */
export interface ProjectRecord {
  productLine: ProductLine
  stage: { id: string; name: string | null; enteredAt: string | null }
  ntpGranted: boolean
  milestones: Partial<Record<MilestoneKey, string>>
  files: Record<string, string[]>
}

/** Those that are looked at, moved or left out, in the order of a rendering; stage and product line stay with the id. */
const membersOf = cutBefore([
  'id',
  'customer',
  'address',
  'coBorrower',
  'notes',
  'company',
  'contract',
  'financing',
  'system',
  'milestones',
  'files',
  'links',
])

/** Why a project does not go on. */
export interface Blocker {
  kind: 'checklist' | 'late' | 'ntp' | 'installDate'
  /** In a sentence, with what to do. */
  text: string
}

export interface Progress {
  record: ProjectRecord
  /** All of it, as the API reads it. */
  members: Members
  /** The names of its ladder's stages, in order. */
  ladder: string[]
  /** The stage after the one that it stands in; null at the end. */
  next: string | null
  daysInStage: number | null
  daysLate: number
  /** Of its present stage, in order. */
  checklist: { label: string; done: boolean }[]
  /** What is open of the stages it has been in before, in the order of the ladder. */
  openElsewhere: { stage: string; label: string }[]
  /** Items of all the stages it has entered. */
  items: { done: number; open: number }
  blockers: Blocker[]
}

const dayMs = 86_400_000

/** A project with where it stands on its ladder and what keeps it there. */
export async function readProgress(ctx: Context, key: string, baseUrl: string): Promise<Progress> {
  const { db, actor, now } = ctx
  const { installerId } = actor
  const found = await readProjectWithChecklist(db, installerId, confinedTo(actor), key)
  if (found === null) throw notFound('project')
  const known = await ctx.directories.get(db, installerId)
  const isCurrent = known.version === found.directoryVersion
  const directory = isCurrent ? known : await ctx.directories.refresh(db, installerId)
  const members = membersOf(withBaseUrl(found.rendering, baseUrl))
  const record = JSON.parse(
    `{"id":${members.get('id')},"milestones":${members.get('milestones')},"files":${members.get('files')}}`,
  ) as ProjectRecord
  return { ...progressOf(record, found.items, directory, now), members }
}

function progressOf(
  record: ProjectRecord,
  items: readonly ListedItem[],
  directory: Directory,
  now: Date,
): Omit<Progress, 'members'> {
  const ladder = ladderOf(directory, record.productLine)
  const stage = directory.stages.get(record.stage.id)
  // From a stage that is no longer in use there is no next one.
  const at = ladder.findIndex(({ id }) => id === record.stage.id)
  const next = at === -1 ? undefined : ladder[at + 1]
  const enteredAt = record.stage.enteredAt === null ? null : new Date(record.stage.enteredAt)
  const late = stage ? daysLate({ enteredAt }, stage, now) : 0
  const checklist = items
    .filter(({ stageId }) => stageId === record.stage.id)
    .map(({ label, done }) => ({ label, done }))
  const placeOf = (id: string) => directory.stages.get(id)?.position ?? 0
  const openElsewhere = items
    .filter((item) => !item.done && item.stageId !== record.stage.id)
    .toSorted((a, b) => placeOf(a.stageId) - placeOf(b.stageId))
    .map(({ stageId, label }) => ({ stage: directory.stages.get(stageId)?.name ?? stageId, label }))
  const done = items.filter((item) => item.done).length
  return {
    record,
    ladder: ladder.map(({ name }) => name),
    next: next?.name ?? null,
    daysInStage: enteredAt && Math.max(0, Math.floor((now.getTime() - enteredAt.getTime()) / dayMs)),
    daysLate: late,
    checklist,
    openElsewhere,
    items: { done, open: items.length - done },
    blockers: stage && next ? blockersOf(record, stage, ladder.slice(at + 1), checklist, late) : [],
  }
}

/** So many stages before its install a project needs its notice to proceed and a day. */
const stagesBefore = 2

function blockersOf(
  { ntpGranted, milestones, productLine }: ProjectRecord,
  stage: Stage,
  ahead: readonly Stage[],
  checklist: Progress['checklist'],
  late: number,
): Blocker[] {
  const blockers: Blocker[] = checklist
    .filter(({ done }) => !done)
    .map(({ label }) => ({ kind: 'checklist', text: `Not ticked off yet: ${label}.` }))
  const installs = ahead.slice(0, stagesBefore).some(({ milestone }) => milestone === 'installCompleted')
  if (installs && productLine === 'solar' && !ntpGranted)
    blockers.push({ kind: 'ntp', text: 'Notice to proceed is not granted.' })
  if (installs && milestones.installScheduled === undefined)
    blockers.push({ kind: 'installDate', text: 'No day is set for the install. Schedule it.' })
  if (late > 0) {
    const days = late === 1 ? 'a day' : `${late} days`
    blockers.push({ kind: 'late', text: `It has stood in ${stage.name} for ${days} longer than allowed.` })
  }
  return blockers
}
