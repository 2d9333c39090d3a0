import { isDeepStrictEqual } from 'node:util'
import { isId, isReference } from '../../../platform/ids.ts'
import { findLeadDeal, findProjectDeal } from '../../deals/changes/deal.ts'
import { type Context, confinedTo, scopeOf } from '../../kernel/context.ts'
import { listing } from '../../kernel/listing.ts'
import { authorize } from '../../kernel/policy.ts'
import type { Directory } from '../../kernel/tenant/directory.ts'
import { type LoggedEvent, type LogPosition, listLog, securityKind } from './queries.ts'

export interface LogAsked {
  /** The id of anything, or the reference of a lead or project. */
  record?: string | undefined
  actorId?: string | undefined
  kind?: string | undefined
  from?: Date | undefined
  to?: Date | undefined
}

export interface LogPage {
  entries: LoggedEvent[]
  next: LogPosition | null
}

const beginning = new Date(0)
// Later than anything that has happened.
const end = new Date('9999-01-01T00:00:00Z')

/** Who changed what, from what to what, who came in and what was opened, the newest first. A dealer's people see what belongs to their company. */
export const readLog = listing(
  'anything',
  async (ctx: Context, asked: LogAsked, before: LogPosition | null, limit: number): Promise<LogPage> => {
    const { db, directories, actor } = ctx
    authorize(actor, 'audit.read')
    const recordId = asked.record === undefined ? undefined : await recordNamed(ctx, asked.record)
    if (recordId === null) return { entries: [], next: null }
    const companyId = confinedTo(actor)
    const { actorId, kind, from = beginning, to = end } = asked
    const start = before && before.at < to ? before : { at: to, ordinal: 0 }
    const { installerId } = actor
    const filter = { installerId, companyId, recordId, actorId, kind, from }
    const found = await listLog(db, { ...filter, ...start, limit: limit + 1 })
    const page = found.slice(0, limit)
    const directory = await directories.current(db, installerId)
    const entries = withoutEchoes(page)
      .filter((entry) => companyId === null || !isInternal(entry))
      .map((entry) => ({
        ...entry,
        ...(isSeenFrom(entry, directory, companyId) ? {} : { address: null, device: null }),
        changes: withNames(entry.changes, directory, companyId),
      }))
    const last = page.at(-1)
    return { entries, next: found.length > limit && last ? { at: last.at, ordinal: last.ordinal } : null }
  },
)

/** What a record's entries are kept under: those of a project under its lead. Null where there is none. */
async function recordNamed(ctx: Context, text: string): Promise<string | null> {
  if (isId(text, 'proj')) return (await findProjectDeal(ctx.db, scopeOf(ctx), text))?.lead.id ?? null
  if (!isReference(text)) return text
  const deal =
    (await findLeadDeal(ctx.db, scopeOf(ctx), text)) ?? (await findProjectDeal(ctx.db, scopeOf(ctx), text))
  return deal?.lead.id ?? null
}

const isOfTrail = ({ type }: LoggedEvent) => type.startsWith(`${securityKind}.`)

/** What a project shows of its lead, stage and files changes with them: that is told once. */
function withoutEchoes(events: readonly LoggedEvent[]): LoggedEvent[] {
  const together = Map.groupBy(events, ({ at }) => at.getTime())
  return events.filter((event) => {
    const others = together.get(event.at.getTime())!.filter((other) => other !== event && !isOfTrail(other))
    if (event.type === 'project.updated')
      return !others.some(({ changes }) => isDeepStrictEqual(changes, event.changes))
    return event.type !== 'file.added' || !others.some(({ type }) => type === 'project.updated')
  })
}

/** Where the installer's people sit is not for its dealers. */
function isSeenFrom({ actorKind, actorId }: LoggedEvent, { members }: Directory, confined: string | null) {
  return confined === null || actorKind !== 'member' || members.get(actorId ?? '')?.companyId === confined
}

/** What the installer keeps to itself of a dealer's project. */
function isInternal({ changes }: LoggedEvent): boolean {
  return Object.hasOwn(changes, 'files.internal') || changes['folder']?.[1] === 'internal'
}

/** Ids of people, stages and companies as they are called now, as far as the reader knows them. */
function withNames(
  changes: LoggedEvent['changes'],
  { members, stages, companies }: Directory,
  confined: string | null,
): LoggedEvent['changes'] {
  const nameOf = (value: unknown): unknown => {
    if (typeof value !== 'string') return value
    if (confined !== null && companies.has(value) && value !== confined) return value
    return (members.get(value) ?? stages.get(value) ?? companies.get(value))?.name ?? value
  }
  return Object.fromEntries(
    Object.entries(changes).map(([field, [from, to]]) => [field, [nameOf(from), nameOf(to)]]),
  )
}
