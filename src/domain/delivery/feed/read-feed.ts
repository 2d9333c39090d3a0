import { type Position, placeOfEvent } from '../../journal/events/event-id.ts'
import { type EventName, eventNames } from '../../journal/events/event-names.ts'
import { type Context, confinedTo } from '../../kernel/context.ts'
import { DomainError } from '../../kernel/domain-error.ts'
import { listing } from '../../kernel/listing.ts'
import { hasEvent, readEvents } from './queries.ts'

/** Where to go on from: after a place, after an event, at the oldest that is kept, or at the end. */
export type FeedStart = Position | { eventId: string } | 'oldest' | 'now'

export interface FeedPage {
  /** The events, joined by commas. */
  rows: Buffer
  /** What comes is after this, whatever is being written meanwhile. */
  next: Position
}

/** Behind all events of one time. */
export const lastOrdinal = 32_767
const none = Buffer.alloc(0)

/**
 * What happened in the tenant, or to a dealer's records, from the oldest. Every change has a time of the tenant's clock, which is
 * the tenant's lock too: what is read later was written later, so nothing ever comes up behind a reader's place.
 */
export const readFeed = listing(
  'anything',
  async (
    ctx: Context,
    { start, types, limit }: { start: FeedStart; types?: readonly EventName[] | undefined; limit: number },
  ): Promise<FeedPage> => {
    const { installerId } = ctx.actor
    const feed = { installerId, companyId: confinedTo(ctx.actor) }
    const after = start === 'oldest' || start === 'now' ? null : await placeOf(ctx, feed, start)
    const page = await readEvents(ctx.db, {
      ...feed,
      at: after?.at.toISOString() ?? (start === 'now' ? 'infinity' : '-infinity'),
      ordinal: after?.ordinal ?? lastOrdinal,
      type: types?.[0],
      moreTypes: types?.slice(1) ?? [],
      limit,
    })
    if (after && page.gone && isBefore(after, { at: page.gone, ordinal: lastOrdinal })) throw tooOld()
    const next =
      page.count === limit ? { at: page.at!, ordinal: page.ordinal! } : { at: page.end, ordinal: lastOrdinal }
    return { rows: page.rows ?? none, next }
  },
)

async function placeOf(
  { db }: Pick<Context, 'db'>,
  feed: { installerId: string; companyId: string | null },
  start: Position | { eventId: string },
): Promise<Position> {
  if ('at' in start) return start
  const place = placeOfEvent(feed.installerId, start.eventId)
  if (place && (await hasEvent(db, { ...feed, ...place }))) return place
  throw new DomainError(
    'invalid',
    'after: there is no such event, or it is no longer kept. Leave it out to begin with the oldest event, and read the records anew.',
  )
}

function isBefore(a: Position, b: Position): boolean {
  return a.at < b.at || (a.at.getTime() === b.at.getTime() && a.ordinal < b.ordinal)
}

function tooOld(): DomainError {
  return new DomainError(
    'invalid',
    'after: this place is older than the oldest event that is kept, so events are missing in between. Read the records anew, and leave it out to begin with the oldest event.',
  )
}

/** The types that a list of names stands for, where `lead.*` is all of leads; undefined for all there are. */
export function eventTypes(list: string): EventName[] | undefined {
  const wanted = list.split(',').map((name) => name.trim())
  const found = wanted.flatMap((name) => {
    const types = eventNames.filter(
      (known) => known === name || (name.endsWith('.*') && known.startsWith(name.slice(0, -1))),
    )
    if (types.length === 0 && name !== '*')
      throw new DomainError(
        'invalid',
        `types: there is no event "${name.slice(0, 100)}". There are ${eventNames.join(', ')}; lead.* stands for all of leads.`,
      )
    return name === '*' ? eventNames : types
  })
  const types = [...new Set(found)]
  return types.length === eventNames.length ? undefined : types
}
