import { createHash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { readFeed } from '../../domain/deals/calendar/read-feed.ts'
import { notFound } from '../../domain/kernel/domain-error.ts'
import { currentTime } from '../../platform/clock.ts'
import type { Deps } from '../deps.ts'
import { isKnown } from '../http/etag.ts'
import { icalendarOf } from './icalendar.ts'

const nameForm = /^([\w-]{20,64})\.ics$/

/** Calendars that other programs subscribe: whoever has the address may read. */
export async function calendarFeeds(app: FastifyInstance, deps: Deps): Promise<void> {
  app.get<{ Params: { name: string } }>('/calendar/:name', async (request, reply) => {
    const token = nameForm.exec(request.params.name)?.[1]
    if (!token) throw notFound('calendar')
    const body = icalendarOf(await readFeed(deps, currentTime(), token), deps.addresses.baseUrl)
    const etag = `"${createHash('sha256').update(body).digest('base64url')}"`
    reply
      .header('content-type', 'text/calendar; charset=utf-8')
      .header('content-disposition', 'inline; filename="sunstead.ics"')
      .header('cache-control', 'private, no-cache')
      .header('etag', etag)
    if (isKnown(request.headers['if-none-match'], etag)) return reply.code(304).send()
    return reply.send(body)
  })
}
