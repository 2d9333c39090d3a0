import type { Db } from '../../../platform/db.ts'
import { newId } from '../../../platform/ids.ts'
import { messageRow } from '../../journal/events/messages.ts'
import type { Context } from '../../kernel/context.ts'
import { DomainError } from '../../kernel/domain-error.ts'
import { directoryVersion, lockTenant } from '../../kernel/tenant/clock-queries.ts'
import type { Directory } from '../../kernel/tenant/directory.ts'
import { installationRow, panelRow } from '../../sites/installations/rows.ts'
import type { NewActivity } from '../activities/activity.ts'
import { leadColumns } from '../leads/columns.ts'
import { renderLead } from '../leads/render.ts'
import { projectColumns } from '../projects/columns.ts'
import { followProject, movesInstallation } from '../projects/follow-project.ts'
import { renderProject } from '../projects/render.ts'
import { renderLegacyProject } from '../projects/render-legacy.ts'
import { updatedAtMark } from '../renderings/rendering.ts'
import { requireRoom } from '../storage/require-room.ts'
import type { Effects } from './change.ts'
import { type Column, changedColumns } from './column.ts'
import type { Deal } from './deal.ts'
import { refuseErased } from './refuse-erased.ts'
import { changeStatement, type Shape, type Write } from './statement.ts'
import { type Rendered, tellChange } from './tell-change.ts'

/** What was read has changed before it could be written. */
export class Conflict extends Error {
  override name = 'Conflict'
}

/** One run of a change: where it reads and writes, and the directory it goes by. */
export interface Attempt {
  db: Db
  directory: Directory
  /** A write was accepted, which proves that the directory was current. */
  proven: boolean
}

/**
 * Runs a change: `work` reads, decides and commits, and is run again where someone else was faster.
 * The second time it holds the tenant's lock from the start, so it does not fail for that again.
 */
export async function change<T>(ctx: Context, work: (attempt: Attempt) => Promise<T>): Promise<T> {
  const { installerId } = ctx.actor
  const attempt = { db: ctx.db, directory: await ctx.directories.get(ctx.db, installerId), proven: false }
  try {
    const result = await work(attempt)
    if (await isCurrent(attempt)) return result
  } catch (error) {
    const refused = error instanceof DomainError && !(await isCurrent(attempt))
    if (!(error instanceof Conflict) && !refused) throw error
  }
  return changeLocked(ctx, work)
}

/** Runs a change that holds the tenant's lock from the start: for several commits that stand or fall together. */
export async function changeLocked<T>(ctx: Context, work: (attempt: Attempt) => Promise<T>): Promise<T> {
  const { installerId } = ctx.actor
  return ctx.db.transaction(async (tx) => {
    await lockTenant(tx, installerId)
    return work({ db: tx, directory: await ctx.directories.refresh(tx, installerId), proven: false })
  })
}

/** What a remembered directory refused, or found nothing to do in, counts only if it still holds. */
async function isCurrent({ db, directory, proven }: Attempt): Promise<boolean> {
  return proven || (await directoryVersion(db, directory.installerId)) === directory.version
}

/**
 * Writes what `after` has that `before` has not, with its effects, in one durable statement, and
 * answers the time it stands in the tenant's order. Throws Conflict where `before` is out of date.
 */
export async function commitChange(
  ctx: Context,
  attempt: Attempt,
  before: Deal | null,
  after: Deal,
  effects: Effects,
): Promise<Date> {
  if (before) refuseErased(before, after, effects)
  const { db, directory } = attempt
  const { lead, project } = after
  const moves = before !== null && movesInstallation(before, after)
  // The installation changes in the same transaction, which the first attempt has not got.
  if (moves && db === ctx.db) throw new Conflict()
  const { calendar = [], tick } = effects
  const values: unknown[] = [ctx.actor.installerId, ctx.now.toISOString(), directory.version]

  /** Which columns of a record are written; their values join the statement's. */
  const write = <R extends { id: string; updatedAt: Date }>(
    all: readonly Column<R>[],
    from: R | null,
    to: R,
    renderings: (string | null)[],
    making: Write['mode'],
  ): Write => {
    const columns = from ? changedColumns(all, from, to) : all
    for (const [, , , value] of columns) values.push(value(to))
    values.push(...renderings)
    if (from) values.push(to.id, from.updatedAt.toISOString())
    return { mode: from ? 'update' : making, columns: columns.map(([name, type]) => ({ name, type })) }
  }

  const rendered: Rendered = { lead: null, project: null }
  let leadWrite: Write | null = null
  if (lead !== before?.lead) {
    const rendering = renderLead(lead, project?.reference ?? null, directory, updatedAtMark)
    // Looking whether a key is taken has its price: only a lead that brings one can find it taken.
    const making = lead.externalId || lead.reference ? 'insert once' : 'insert'
    rendered.lead = rendering
    leadWrite = write(leadColumns, before?.lead ?? null, lead, [rendering], making)
  }
  // A project shows its lead, so it changes with it.
  let projectWrite: Write | null = null
  if (project && (leadWrite || project !== before?.project || after.files !== before.files)) {
    rendered.project = renderProject(project, lead, after.files, directory, updatedAtMark)
    const { row, full, dealer } = rendered.project
    const legacy = renderLegacyProject({ ...after, project }, directory)
    const renderings = [row, full, dealer, legacy]
    projectWrite = write(projectColumns, before?.project ?? null, project, renderings, 'insert')
  }
  if (tick) {
    const [at, by] = tick.done ? [ctx.now.toISOString(), ctx.actor.id] : [null, null]
    values.push(at, by, project?.id, tick.stageId, tick.label, tick.done)
  }
  const activities = effects.activities.map((activity) => ({ ...activity, id: newId('act') }))
  const messages = directory.webhooks
    ? tellChange(ctx.actor, directory, before, after, rendered, effects, activities)
    : []
  const shape: Shape = {
    lead: leadWrite,
    project: projectWrite,
    files: Boolean(effects.files?.length),
    fileRemoval: effects.removedFileId !== undefined,
    fileTokens: Boolean(effects.fileTokens?.length),
    checklist: Boolean(effects.checklist?.labels.length),
    notifications: Boolean(effects.notifications?.length),
    mails: Boolean(effects.mails?.length),
    move: effects.move !== undefined,
    installation: effects.installation !== undefined,
    once: effects.once !== undefined,
    tick: tick !== undefined,
    calendar: calendar.map(({ day }) => (day === null ? 'clear' : 'set')),
    told: messages.length > 0,
  }

  values.push(lead.id, project?.id ?? null, lead.companyId)
  values.push(ctx.actor.kind, ctx.actor.id, ctx.actor.name, ctx.actor.companyId)
  values.push(JSON.stringify(activities.map(activityRow)))
  values.push(
    JSON.stringify(
      effects.events.map((e, ordinal) => ({
        ordinal,
        type: e.type,
        subject_id: e.subjectId,
        changes: e.changes ?? {},
        data: e.data,
      })),
    ),
  )
  if (shape.files) values.push(JSON.stringify(effects.files!.map(fileRow)))
  if (effects.removedFileId !== undefined) values.push(effects.removedFileId)
  if (shape.fileTokens) values.push(JSON.stringify(effects.fileTokens))
  if (shape.checklist) values.push(effects.checklist!.stageId, effects.checklist!.labels)
  if (shape.notifications) {
    values.push(
      JSON.stringify(
        effects.notifications!.map((n) => ({ id: newId('ntf'), member_id: n.memberId, text: n.text })),
      ),
    )
  }
  if (shape.mails) {
    values.push(
      JSON.stringify(
        effects.mails!.map((m) => ({
          id: newId('mail'),
          to_address: m.to,
          subject: m.subject,
          body: m.body,
          at: effects.move?.mailsAt,
          move_id: effects.move?.id,
        })),
      ),
    )
  }
  if (effects.move) {
    const { id, fromStageId, toStageId, enteredAt, milestone, installationId, undoUntil } = effects.move
    values.push(id, fromStageId, toStageId, enteredAt.toISOString(), milestone, installationId)
    values.push(undoUntil.toISOString(), effects.move.leadStatus)
  }
  if (effects.installation) {
    const { installation, panels } = effects.installation
    values.push(JSON.stringify(installationRow(installation)), JSON.stringify(panels.map(panelRow)))
  }
  if (effects.once) {
    const { key, requestHash, answer } = effects.once
    values.push(key, requestHash, JSON.stringify(answer))
  }
  for (const { kind, day } of calendar) values.push(...(day === null ? [kind] : [kind, day]))
  if (shape.told) {
    values.push(
      JSON.stringify(messages.map((m) => ({ ...messageRow(m), of_project: m.ofProject, data: m.data }))),
    )
  }

  if (effects.files?.length) {
    const bytes = effects.files.reduce((sum, { size }) => sum + size, 0)
    await requireRoom(db, { installerId: ctx.actor.installerId, companyId: lead.companyId }, bytes)
  }
  try {
    const [row] = await db.query<{ at: Date }>(changeStatement(shape), values)
    attempt.proven = row !== undefined
    if (row && moves) await followProject(db, ctx.actor, ctx.now, before, after)
    if (row) return row.at
  } catch (error) {
    if (!conflictStates.includes((error as { code?: string }).code ?? '')) throw error
  }
  throw new Conflict()
}

// Division by zero: one of two records has changed, the call was made before, or the room was just taken. Lock not available: the tenant is locked for long, so
// this one waits on a connection of its own.
const conflictStates = ['22012', '55P03']

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
