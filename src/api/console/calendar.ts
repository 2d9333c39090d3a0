import { Type } from 'typebox'
import { type CalendarKind, type CalendarRole, calendarKinds } from '../../domain/deals/calendar/calendar.ts'
import { createFeedAddress, endFeedAddress } from '../../domain/deals/calendar/feed-address.ts'
import { findFeed } from '../../domain/deals/calendar/queries.ts'
import { readCalendar } from '../../domain/deals/calendar/read-calendar.ts'
import { DomainError } from '../../domain/kernel/domain-error.ts'
import type { ProductLine } from '../../domain/kernel/tenant/stage.ts'
import type { Deps } from '../deps.ts'
import type { Routes } from '../http/routes.ts'
import { Fields, oneOf, optional } from '../http/schema-words.ts'
import { sendJson } from '../http/send-json.ts'
import { contextOf } from './sessions.ts'

export interface CalendarEntryResponse {
  projectId: string
  kind: CalendarKind
  /** Such as 2026-03-01. */
  day: string
  productLine: ProductLine
  customer: string
  city: string | null
  stage: string
  people: { role: CalendarRole; name: string }[]
}

export interface CalendarResponse {
  entries: CalendarEntryResponse[]
  /** False where there are more than are shown: a shorter span shows all. */
  complete: boolean
}

/** Since when the member's calendar can be subscribed; null where it cannot. */
export interface FeedResponse {
  since: string | null
}

/** The address, this one time: only a hash of it is kept. */
export interface NewFeedResponse {
  address: string
}

const day = () => Type.String({ format: 'date' })
const CalendarQuery = Fields({ from: day(), to: day(), kind: optional(oneOf(calendarKinds)) })

const maxDays = 100
const maxEntries = 2_000

export function calendarRoutes(app: Routes, deps: Deps): void {
  app.get('/calendar', { schema: { querystring: CalendarQuery } }, async (request, reply) => {
    const { from, to, kind } = request.query
    requireSpan(from, to)
    const { entries, complete } = await readCalendar(
      contextOf(deps, request),
      { from, to, kind: (kind as CalendarKind | undefined) ?? null },
      maxEntries,
    )
    const calendar: CalendarResponse = {
      entries: entries.map(
        ({ projectId, kind, day, productLine, customer, city, stage, people }): CalendarEntryResponse => ({
          projectId,
          kind,
          day,
          productLine,
          customer,
          city,
          stage,
          people,
        }),
      ),
      complete,
    }
    return sendJson(reply, JSON.stringify(calendar))
  })

  app.get('/calendar/feed', async (request, reply) => {
    const { installerId, memberId } = request.visitor!.current
    const feed: FeedResponse = {
      since: (await findFeed(deps.db, { installerId, memberId }))?.toISOString() ?? null,
    }
    return sendJson(reply, JSON.stringify(feed))
  })

  app.post('/calendar/feed', async (request, reply) => {
    const made: NewFeedResponse = {
      address: await createFeedAddress(contextOf(deps, request), deps.addresses.baseUrl),
    }
    return sendJson(reply.code(201), JSON.stringify(made))
  })

  app.delete('/calendar/feed', async (request, reply) => {
    await endFeedAddress(contextOf(deps, request))
    return sendJson(reply, '{}')
  })
}

function requireSpan(from: string, to: string): void {
  const days = (Date.parse(to) - Date.parse(from)) / 86_400_000 + 1
  if (days < 1) throw new DomainError('invalid', 'The last day must not be before the first.')
  if (days > maxDays) throw new DomainError('invalid', `The days may span at most ${maxDays} days.`)
}
