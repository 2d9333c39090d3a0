import Type from 'typebox'
import { withBaseUrl } from '../../../domain/deals/renderings/rendering.ts'
import { eventTypes, type FeedStart, lastOrdinal, readFeed } from '../../../domain/delivery/feed/read-feed.ts'
import { isEventId } from '../../../domain/journal/events/event-id.ts'
import { DomainError } from '../../../domain/kernel/domain-error.ts'
import { parseInstant } from '../../../platform/iso-8601.ts'
import { instant } from '../../http/instant.ts'
import { Fields, optional } from '../../http/schema-words.ts'
import { visibleTo } from '../../http/visible-events.ts'
import { readingTool } from '../tool.ts'
import { Holds, maxRows, records, said } from '../words.ts'

const badPlace =
  'after: send a day such as 2026-03-04, a time such as 2026-03-04T08:00:00Z, the "next" of the answer before, the "id" of an event, or "now".'

export const listChanges = readingTool({
  name: 'list_changes',
  title: 'What changed since',
  description:
    'What happened, the oldest first: which record, how, and what it was before. Begin with a day or a time in `after`, such as yesterday’s. Keep `next`: sent as `after` later, it tells exactly what has happened since. With after "now" one is told only of what is to come.',
  of: 'company',
  input: Fields({
    after: optional(
      said(
        200,
        'From when on: a day (YYYY-MM-DD, from its begin where the company is) or a time with its offset; the `next` of the answer before; an event’s id; or "now". The oldest that is kept when absent',
      ),
    ),
    types: optional(said(500, 'Names of events with commas between them, such as lead.created,project.*')),
    limit: optional(
      Type.Integer({ minimum: 1, maximum: maxRows, default: 20, description: 'How many at most' }),
    ),
  }),
  output: Holds({
    events: records(
      'id, type, at, actor, record, version, stage or status as of then; what it was before under `untrusted`',
    ),
    next: Type.String({ description: 'Send it as `after` to go on; it is there also where nothing is new' }),
  }),
  async read({ deps, ctx, caller }, { after, types, limit = 20 }) {
    const binding = ['mcp', 'events', ctx.actor.companyId]
    const start =
      after === undefined
        ? 'oldest'
        : after === 'now'
          ? after
          : isEventId(after)
            ? { eventId: after }
            : (sinceTime(after, caller.timezone) ?? deps.cursors.read(after, binding, badPlace))
    const wanted = visibleTo(caller, types === undefined ? undefined : eventTypes(types))
    const page = await readFeed(ctx, { start, types: wanted, limit })
    const events = JSON.parse(`[${withBaseUrl(page.rows.toString(), deps.addresses.baseUrl)}]`) as Event[]
    return { events: events.map(shortEvent), next: deps.cursors.write(page.next, binding) }
  },
})

const dayForm = /^\d{4}-\d\d-\d\d$/

/** The place before all that happened from a day or time on; null where the text is neither. */
function sinceTime(text: string, timezone: string): FeedStart | null {
  const from = dayForm.test(text)
    ? beginOf(text, timezone)
    : parseInstant(text) === null
      ? null
      : instant(text)
  return from && { at: new Date(from.getTime() - 1), ordinal: lastOrdinal }
}

function beginOf(day: string, timezone: string): Date {
  try {
    return new Date(Temporal.PlainDate.from(day).toZonedDateTime(timezone).epochMilliseconds)
  } catch {
    throw new DomainError('invalid', badPlace)
  }
}

interface Event {
  id: string
  version: number
  type: string
  at: string
  actor: object
  record: object
  previous: object
  data: { stage?: unknown; status?: unknown }
}

/** Without the record itself: whoever wants it reads it as it is now. */
function shortEvent({
  id,
  type,
  at,
  actor,
  record,
  version,
  previous,
  data: { stage, status },
}: Event): object {
  return { id, type, at, actor, record, version, now: { stage, status }, untrusted: { previous } }
}
