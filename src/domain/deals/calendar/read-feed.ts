import type { Database } from '../../../platform/db.ts'
import type { Context } from '../../kernel/context.ts'
import { notFound } from '../../kernel/domain-error.ts'
import type { Directories } from '../../kernel/tenant/directories.ts'
import type { CalendarEntry } from './calendar.ts'
import { feedHash } from './feed-address.ts'
import { findFeedOwner } from './queries.ts'
import { readCalendar } from './read-calendar.ts'

const daysBack = 90
const daysAhead = 365
const maxEntries = 5_000

export interface Feed {
  /** Whose calendar it is, as a list of calendars shows it. */
  name: string
  entries: CalendarEntry[]
}

/** What the owner of a secret address sees: from 90 days ago to a year ahead. */
export async function readFeed(
  { db, directories }: { db: Database; directories: Directories },
  now: Date,
  token: string,
): Promise<Feed> {
  const owner = await findFeedOwner(db, { tokenHash: feedHash(token) })
  if (!owner) throw notFound('calendar')
  const { memberId: id, name, role, installerId, companyId, companyKind, companyName } = owner
  const ctx: Context = {
    db,
    directories,
    now,
    actor: { kind: 'member', id, name, role, installerId, companyId, companyKind, canWrite: false },
  }
  const directory = await directories.current(db, installerId)
  const today = Temporal.Instant.fromEpochMilliseconds(now.getTime())
    .toZonedDateTimeISO(directory.companies.get(companyId)!.timezone)
    .toPlainDate()
  const span = {
    from: today.subtract({ days: daysBack }).toString(),
    to: today.add({ days: daysAhead }).toString(),
    kind: null,
  }
  const { entries } = await readCalendar(ctx, span, maxEntries)
  return { name: `${companyName}: surveys and installs`, entries }
}
