import Type from 'typebox'
import { DomainError } from '../../domain/kernel/domain-error.ts'
import { customerArchive } from '../../domain/operations/privacy/customer-archive.ts'
import { eraseCustomer } from '../../domain/operations/privacy/erase-customer.ts'
import { type ErasurePreview, previewErasure } from '../../domain/operations/privacy/preview-erasure.ts'
import { maxMonths, type RetentionRule } from '../../domain/operations/privacy/retention.ts'
import {
  maxCounted,
  previewRetention,
  type RetentionConcerned,
  readRetention,
  setRetention,
} from '../../domain/operations/privacy/set-retention.ts'
import { zipStream } from '../../platform/zip-stream.ts'
import type { Deps } from '../deps.ts'
import type { Routes } from '../http/routes.ts'
import { byId } from '../http/routes.ts'
import { Fields, IdParams, optional } from '../http/schema-words.ts'
import { sendJson } from '../http/send-json.ts'
import { contextOf } from './sessions.ts'

/** What is kept of a customer, as the card of their lead shows it. */
export interface PrivacyResponse extends Omit<ErasurePreview, 'erasedAt' | 'others'> {
  erasedAt: string | null
  others: (Omit<ErasurePreview['others'][number], 'createdAt'> & { createdAt: string })[]
}

export interface RetentionResponse extends RetentionRule {
  version: number
  lastRunAt: string | null
  leadsErased: number
  mailsCleared: number
}

export interface ConcernedResponse extends RetentionConcerned {
  /** Counting stops here. */
  max: number
}

const EraseBody = Fields({ name: Type.String({ maxLength: 500 }) })
const ArchiveQuery = Fields({ others: optional(Type.Literal('yes')) })

const months = Type.Unsafe<number | null>({ type: ['integer', 'null'], minimum: 1, maximum: maxMonths })
const days = Type.Unsafe<number | null>({ type: ['integer', 'null'], minimum: 1, maximum: 14 })
const RetentionBody = Fields({
  unsoldMonths: months,
  mailMonths: months,
  requestDays: days,
  keepInvoiceNames: Type.Boolean(),
  /** The one that was looked at; another one is not replaced. */
  version: optional(Type.Integer({ minimum: 0 })),
})
const PreviewBody = Fields({ unsoldMonths: months, mailMonths: months, requestDays: days })

/** What is kept of a customer: exports, erasure, and for how long it is kept. */
export function privacyRoutes(app: Routes, deps: Deps): void {
  const erasing = () => ({
    store: deps.copying.store,
    note: deps.noteErased,
  })

  app.get('/leads/:id/privacy', byId, async (request, reply) =>
    sendJson(reply, JSON.stringify(await previewErasure(contextOf(deps, request), request.params.id))),
  )

  app.get(
    '/leads/:id/privacy/archive',
    { schema: { params: IdParams, querystring: ArchiveQuery } },
    async (request, reply) => {
      const { entries } = await customerArchive(
        contextOf(deps, request),
        deps.copying.store,
        request.params.id,
        { baseUrl: deps.addresses.baseUrl, others: request.query.others === 'yes' },
      )
      return reply
        .header('content-type', 'application/zip')
        .header('content-disposition', 'attachment; filename="customer.zip"')
        .header('x-content-type-options', 'nosniff')
        .send(zipStream(entries))
    },
  )

  app.post('/leads/:id/erase', { schema: { params: IdParams, body: EraseBody } }, async (request, reply) => {
    const ctx = contextOf(deps, request)
    const { name } = await previewErasure(ctx, request.params.id)
    if (name.toLowerCase() !== request.body.name.trim().toLowerCase())
      throw new DomainError('invalid', 'name: type the customer’s name as it stands on the lead.')
    await eraseCustomer(ctx, erasing(), request.params.id)
    return sendJson(reply, '{}')
  })

  app.get('/retention', async (request, reply) =>
    sendJson(reply, JSON.stringify(await readRetention(contextOf(deps, request)))),
  )

  app.put('/retention', { schema: { body: RetentionBody } }, async (request, reply) => {
    const { version, ...rule } = request.body
    await setRetention(contextOf(deps, request), rule, version)
    return sendJson(reply, '{}')
  })

  app.post('/retention/preview', { schema: { body: PreviewBody } }, async (request, reply) => {
    const concerned = await previewRetention(contextOf(deps, request), request.body)
    const response: ConcernedResponse = { ...concerned, max: maxCounted }
    return sendJson(reply, JSON.stringify(response))
  })
}
