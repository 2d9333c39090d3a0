import type { FastifyInstance } from 'fastify'
import { renderedBytes } from '../../domain/deals/renderings/rendered-bytes.ts'
import { eventTypes, type FeedStart, readFeed } from '../../domain/delivery/feed/read-feed.ts'
import { isEventId } from '../../domain/journal/events/event-id.ts'
import type { Deps } from '../deps.ts'
import { answers } from '../http/answers.ts'
import { contextOf } from '../http/authenticate.ts'
import { sendPage } from '../http/send-json.ts'
import { visibleTo } from '../http/visible-events.ts'
import { EventsQuery } from './event-schemas.ts'

const defaultLimit = 50
const badPlace =
  'after: send the "next" of the page before or the "id" of an event as it is, or "now"; or leave it out to begin with the oldest event.'

/** The feed of everything. */
export function eventRoutes(app: FastifyInstance, deps: Deps): void {
  const { cursors } = deps

  app.get<{ Querystring: EventsQuery }>(
    '/events',
    {
      schema: {
        operationId: 'listEvents',
        tags: ['Events'],
        summary: 'Read what happened',
        description: [
          'Everything that happened, from the oldest, each with the record as it was then: an installer’s whole tenant, a dealer’s own records as a dealer sees them. Webhooks tell the same, under the same ids.',
          'Send `next` as `after` to go on. It is there on every page, also on an empty one: keep it, and nothing is missed, whatever is written meanwhile, and however long you are away, up to 90 days.',
          'To keep a copy of all records: read the feed with `after=now` and keep its `next`, read the lists, then go on from the `next`. Of two events of one record the one with the greater `version` is the newer.',
        ].join('\n\n'),
        querystring: EventsQuery,
        response: answers({ 200: ['EventPage', 'A page of the feed'] }, [400, 403]),
      },
    },
    async (request, reply) => {
      const { after, types, limit = defaultLimit } = request.query
      const ctx = contextOf(deps, request)
      // Not bound to the other fields: a place in the feed is one for any types.
      const binding = ['events', ctx.actor.companyId]
      const page = await readFeed(ctx, {
        start: startOf(after, (cursor) => cursors.read(cursor, binding, badPlace)),
        types: visibleTo(request.caller!, types === undefined ? undefined : eventTypes(types)),
        limit,
      })
      const next = cursors.write(page.next, binding)
      const events = renderedBytes(page.rows, deps.addresses.baseUrl)
      return sendPage(reply, ['{"data":[', events, `],"next":"${next}"}`])
    },
  )
}

function startOf(after: string | undefined, read: (cursor: string) => FeedStart): FeedStart {
  if (after === undefined) return 'oldest'
  if (after === 'now') return after
  return isEventId(after) ? { eventId: after } : read(after)
}
