import Type from 'typebox'
import { type MailSample, mailSamples } from '../../domain/delivery/mails/mail-samples.ts'
import { type MailState, mailStates, type OutboxMail } from '../../domain/delivery/mails/outbox-queries.ts'
import { readMail, readOutbox } from '../../domain/delivery/mails/read-mail.ts'
import { sendAgain } from '../../domain/delivery/mails/send-again.ts'
import type { Deps } from '../deps.ts'
import type { Routes } from '../http/routes.ts'
import { byId } from '../http/routes.ts'
import { Fields, limitTo, nextPage, oneOf, optional } from '../http/schema-words.ts'
import { sendJson } from '../http/send-json.ts'
import { contextOf } from './sessions.ts'

export type { MailSample } from '../../domain/delivery/mails/mail-samples.ts'

export interface MailRow {
  id: string
  companyId: string
  to: string
  subject: string
  state: MailState
  attempts: number
  createdAt: string
  sentAt: string | null
  /** When it is tried again, while it is queued. */
  nextAttemptAt: string
  lastError: string | null
}

export interface OutboxResponse {
  mails: MailRow[]
  next: string | null
  /** Whether mail is sent from here; where not, it is only kept. */
  sendsMail: boolean
}

export interface MailResponse extends MailRow {
  body: string
  /** It has an address that lets its reader in, which is not shown here. */
  hidesLink: boolean
}

export interface SamplesResponse {
  samples: MailSample[]
}

const OutboxQuery = Fields({
  state: optional(oneOf<MailState>(mailStates)),
  to: optional(Type.String({ minLength: 1, maxLength: 320 })),
  after: nextPage('^\\d{1,13}-mail_[0-9a-z_]{10,50}$'),
  limit: limitTo(200),
})

const pageSize = 50

/** The outbox, and how each kind of mail reads: for owners and admins. */
export function mailRoutes(app: Routes, deps: Deps): void {
  app.get('/mails', { schema: { querystring: OutboxQuery } }, async (request, reply) => {
    const { state, to, after, limit = pageSize } = request.query
    const before = after ? positionOf(after) : null
    const found = await readOutbox(contextOf(deps, request), { state, to }, before, limit + 1)
    const page = found.slice(0, limit)
    const last = page.at(-1)
    const response: OutboxResponse = {
      mails: page.map(mailRow),
      next: found.length > limit ? `${last!.createdAt.getTime()}-${last!.id}` : null,
      sendsMail: deps.sendsMail,
    }
    return sendJson(reply, JSON.stringify(response))
  })

  app.get('/mails/samples', async (request, reply) => {
    const samples = await mailSamples(contextOf(deps, request), deps.addresses.baseUrl)
    const response: SamplesResponse = { samples }
    return sendJson(reply, JSON.stringify(response))
  })

  app.get('/mails/:id', byId, async (request, reply) => {
    const { mail, body, hidesLink } = await readMail(contextOf(deps, request), request.params.id, deps)
    const response: MailResponse = { ...mailRow(mail), body, hidesLink }
    return sendJson(reply, JSON.stringify(response))
  })

  app.post('/mails/:id/again', byId, async (request, reply) => {
    await sendAgain(contextOf(deps, request), request.params.id)
    return sendJson(reply, '{}')
  })
}

function positionOf(after: string) {
  const [ms = '', id = ''] = after.split('-')
  return { at: new Date(Number(ms)), id }
}

function mailRow({ createdAt, sentAt, nextAttemptAt, ...same }: OutboxMail): MailRow {
  return {
    ...same,
    createdAt: createdAt.toISOString(),
    sentAt: sentAt?.toISOString() ?? null,
    nextAttemptAt: nextAttemptAt.toISOString(),
  }
}
