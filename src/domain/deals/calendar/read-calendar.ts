import { type Context, scopeOf } from '../../kernel/context.ts'
import { listing } from '../../kernel/listing.ts'
import type { CalendarEntry, CalendarRole } from './calendar.ts'
import { listCalendarRows, type Span } from './queries.ts'

const roles: readonly CalendarRole[] = ['salesRep', 'projectManager', 'siteSurveyor', 'subcontractor']

/** What the actor sees of the days from one to another, in their order; `complete` where that is all of it. */
export const readCalendar = listing(
  'clocked',
  async (
    ctx: Context,
    span: Span,
    limit: number,
  ): Promise<{ entries: CalendarEntry[]; complete: boolean }> => {
    const [rows, { members, stages }] = await Promise.all([
      listCalendarRows(ctx.db, { ...scopeOf(ctx), ...span, limit: limit + 1 }),
      ctx.directories.current(ctx.db, ctx.actor.installerId),
    ])
    const entries = rows.slice(0, limit).map(({ stageId, ...row }) => ({
      ...row,
      stage: stages.get(stageId)?.name ?? '',
      people: roles.flatMap((role) => {
        const member = row[role] && members.get(row[role])
        return member ? [{ role, name: member.name }] : []
      }),
    }))
    return { entries, complete: rows.length <= limit }
  },
)
