import type { Db } from '../../../platform/db.ts'
import { newId } from '../../../platform/ids.ts'
import { actorText, messageRows } from '../../journal/events/messages.ts'
import type { Context } from '../../kernel/context.ts'
import { DomainError } from '../../kernel/domain-error.ts'
import { directoryVersion, lockTenant } from '../../kernel/tenant/clock-queries.ts'
import type { Directory } from '../../kernel/tenant/directory.ts'
import { namingAgent } from '../activities/activity.ts'
import { leadColumns } from '../leads/columns.ts'
import { renderLead } from '../leads/render.ts'
import { projectColumns } from '../projects/columns.ts'
import { followProject, movesInstallation } from '../projects/follow-project.ts'
import { renderProject } from '../projects/render.ts'
import { renderLegacyProject } from '../projects/render-legacy.ts'
import { updatedAtMark } from '../renderings/rendering.ts'
import { requireQuota } from '../storage/require-quota.ts'
import type { Effects } from './change.ts'
import { changeMessages, type Rendered } from './change-messages.ts'
import { changedColumns } from './column.ts'
import type { Deal } from './deal.ts'
import { effectParts } from './effect-parts.ts'
import { refuseErased } from './refuse-erased.ts'
import { writeChange } from './statement.ts'
import {
  messagesPart,
  type Part,
  recordPart,
  type Shared,
  type Source,
  wakingPart,
} from './statement-parts.ts'

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
export async function runChange<T>(ctx: Context, work: (attempt: Attempt) => Promise<T>): Promise<T> {
  const { installerId } = ctx.actor
  const attempt = { db: ctx.db, directory: await ctx.directories.get(ctx.db, installerId), proven: false }
  try {
    const result = await work(attempt)
    if (await isCurrent(attempt)) return result
  } catch (error) {
    const refused = error instanceof DomainError && !(await isCurrent(attempt))
    if (!(error instanceof Conflict) && !refused) throw error
  }
  return runLockedChange(ctx, work)
}

/** Runs a change that holds the tenant's lock from the start: for several commits that stand or fall together. */
export async function runLockedChange<T>(ctx: Context, work: (attempt: Attempt) => Promise<T>): Promise<T> {
  const { installerId } = ctx.actor
  return ctx.db.transaction(async (tx) => {
    await lockTenant(tx, installerId)
    return work({ db: tx, directory: await ctx.directories.refresh(tx, installerId), proven: false })
  })
}

/** What a remembered directory refused, or found nothing to do in, counts only if it still holds. */
async function isCurrent({ db, directory, proven }: Attempt): Promise<boolean> {
  return proven || (await directoryVersion(db, { installerId: directory.installerId })) === directory.version
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
  const activities = namingAgent(effects.activities, ctx.actor).map((activity) => ({
    id: newId('act'),
    ...activity,
  }))
  const rendered: Rendered = { lead: null, project: null }
  const parts: Part[] = []
  if (lead !== before?.lead) {
    rendered.lead = renderLead(lead, project?.reference ?? null, directory, updatedAtMark)
    const columns = before ? changedColumns(leadColumns, before.lead, lead) : leadColumns
    // Looking whether a key is taken has its price: only a lead that brings one can find it taken.
    const skipsExisting = Boolean(lead.externalId || lead.reference)
    parts.push(
      recordPart('lead', columns, before?.lead ?? null, lead, { rendering: rendered.lead }, skipsExisting),
    )
  }
  // A project shows its lead, so it changes with it.
  if (project && (rendered.lead || project !== before?.project || after.files !== before.files)) {
    rendered.project = renderProject(project, lead, after.files, directory, updatedAtMark)
    const { row, full, dealer } = rendered.project
    const legacy = renderLegacyProject({ ...after, project }, directory)
    const renderings = {
      row_rendering: row,
      rendering: full,
      dealer_rendering: dealer,
      legacy_rendering: legacy,
    }
    const was = before?.project ?? null
    const columns = was ? changedColumns(projectColumns, was, project) : projectColumns
    parts.push(recordPart('project', columns, was, project, renderings))
  }
  parts.push(...effectParts(ctx, effects, activities))
  const messages = changeMessages(ctx.actor, directory, before, after, rendered, effects, activities)
  if (messages.length > 0) {
    const rows = messageRows(messages, ({ ofProject, rendering }) => {
      const source = sourceOf(rendered, rendering)
      return { of_project: ofProject, ...(source ? { source, fields: undefined } : {}) }
    })
    parts.push(messagesPart(rows, messages.length, actorText(ctx.actor)))
    if (directory.webhooks) parts.push(wakingPart)
  }
  const shared: Shared = {
    installerId: ctx.actor.installerId,
    now: ctx.now.toISOString(),
    directoryVersion: directory.version,
    leadId: lead.id,
    projectId: project?.id ?? null,
    companyId: lead.companyId,
    actorKind: ctx.actor.kind,
    actorId: ctx.actor.id,
    actorName: ctx.actor.name,
    actorCompanyId: ctx.actor.companyId,
  }

  if (effects.files?.length) {
    const bytes = effects.files.reduce((sum, { size }) => sum + size, 0)
    await requireQuota(db, { installerId: ctx.actor.installerId, companyId: lead.companyId }, bytes)
  }
  try {
    const row = await writeChange(db, shared, parts)
    attempt.proven = row !== null
    if (row && effects.idempotency) effects.idempotency.call.kept = true
    if (row && moves) await followProject(db, ctx.actor, ctx.now, before, after)
    if (row) return row.at
  } catch (error) {
    if (!conflictStates.includes((error as { code?: string }).code ?? '')) throw error
  }
  throw new Conflict()
}

/** Which text of the statement a message is made of; null where it brings its own. */
function sourceOf({ lead, project }: Rendered, rendering: string | undefined): Source | null {
  if (rendering === undefined) return null
  if (rendering === lead) return 'lead'
  if (rendering === project?.full) return 'project'
  return rendering === project?.dealer ? 'dealer' : null
}

// Division by zero: one of two records has changed, the call was made before, or the room was just taken. Lock not available: the tenant is locked for long, so
// this one waits on a connection of its own.
const conflictStates = ['22012', '55P03']
