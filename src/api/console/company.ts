import type { Readable } from 'node:stream'
import Type from 'typebox'
import type { Company } from '../../domain/kernel/tenant/company.ts'
import { addDealer, listDealers } from '../../domain/tenants/companies/dealers.ts'
import { readCompany } from '../../domain/tenants/companies/read-company.ts'
import { updateSecondFactorRule } from '../../domain/tenants/companies/second-factor-rule.ts'
import { maxLogoBytes, updateLogo } from '../../domain/tenants/companies/update-logo.ts'
import { updateOwnCompany } from '../../domain/tenants/companies/update-own-company.ts'
import type { Deps } from '../deps.ts'
import type { Routes } from '../http/routes.ts'
import { byId } from '../http/routes.ts'
import { Fields, IdParams, limitTo, optional } from '../http/schema-words.ts'
import { sendJson } from '../http/send-json.ts'
import { inTurn } from '../http/upload-turns.ts'
import { Seen } from './seen.ts'
import { contextOf } from './sessions.ts'

export interface CompanyResponse
  extends Pick<Company, 'id' | 'kind' | 'number' | 'name' | 'timezone' | 'country' | 'status'> {
  /** The picture itself, as an address of the kind `data:`. */
  logo: string | null
  /** Of owners and admins. */
  secondFactorRequired: boolean
  /** What it keeps in bytes, and how much it may; null where there is no limit. */
  storage: { usedBytes: number; limitBytes: number | null }
}

export interface DealersResponse {
  dealers: (Pick<Company, 'id' | 'number' | 'name' | 'timezone' | 'status'> & { people: number })[]
  /** The number after which the next page begins; null on the last one. */
  next: number | null
}

const name = Type.String({ minLength: 1, maxLength: 200 })
const timezone = Type.String({ minLength: 1, maxLength: 64 })

const CompanyBody = Fields(
  {
    seen: optional(Seen),
    name: optional(name),
    timezone: optional(timezone),
    country: optional(
      Type.String({ pattern: '^[A-Z]{2}$', 'x-message': 'must be two capital letters, such as US' }),
    ),
  },
  { minProperties: 1 },
)

const DealerBody = Fields({ name, timezone: optional(timezone) })

const SecondFactorBody = Fields({ required: Type.Boolean() })

const DealersQuery = Fields({
  after: optional(Type.Integer({ minimum: 0, maximum: 2_147_483_647 })),
  limit: limitTo(200),
})

const pageSize = 100

/** A company's own matters, and for installers those of their dealers. */
export function companyRoutes(app: Routes, deps: Deps): void {
  app.get('/companies/:id', byId, async (request, reply) => {
    const { company, logo, secondFactorRequired, storage } = await readCompany(
      contextOf(deps, request),
      request.params.id,
    )
    const { id, kind, number, name, timezone, country, status } = company
    const response: CompanyResponse = {
      ...{ id, kind, number, name, timezone, country, status },
      logo: logo && `data:image/png;base64,${logo.png.toString('base64')}`,
      secondFactorRequired,
      storage: { usedBytes: storage.bytes, limitBytes: storage.limitBytes },
    }
    return sendJson(reply, JSON.stringify(response))
  })

  app.patch('/companies/:id', { schema: { params: IdParams, body: CompanyBody } }, async (request, reply) => {
    const { seen, ...patch } = request.body
    await updateOwnCompany(contextOf(deps, request), request.params.id, patch, seen)
    return sendJson(reply, '{}')
  })

  app.put('/company/second-factor', { schema: { body: SecondFactorBody } }, async (request, reply) => {
    await updateSecondFactorRule(contextOf(deps, request), request.body.required)
    return sendJson(reply, '{}')
  })

  const moves = { suspend: 'suspended', resume: 'active' } as const
  for (const [word, status] of Object.entries(moves)) {
    app.post(`/companies/:id/${word}`, byId, async (request, reply) => {
      await updateOwnCompany(contextOf(deps, request), request.params.id, { status })
      return sendJson(reply, '{}')
    })
  }

  app.delete('/companies/:id/logo', byId, async (request, reply) => {
    await updateLogo(contextOf(deps, request), request.params.id, null)
    return sendJson(reply, '{}')
  })

  app.get('/dealers', { schema: { querystring: DealersQuery } }, async (request, reply) => {
    const { after: afterNumber = 0, limit = pageSize } = request.query
    const found = await listDealers(contextOf(deps, request), { afterNumber, limit: limit + 1 })
    const page = found.slice(0, limit)
    const response: DealersResponse = {
      dealers: page.map(({ id, number, name, timezone, status, people }) => ({
        ...{ id, number, name, timezone, status, people },
      })),
      next: found.length > limit ? page.at(-1)!.number : null,
    }
    return sendJson(reply, JSON.stringify(response))
  })

  app.post('/dealers', { schema: { body: DealerBody } }, async (request, reply) => {
    const { id } = await addDealer(contextOf(deps, request), request.body)
    return sendJson(reply.code(201), JSON.stringify({ id }))
  })

  logoUploadRoute(app, deps)
}

/** The body is the picture, whatever type it is said to be. */
function logoUploadRoute(app: Routes, deps: Deps): void {
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, payload, done) => done(null, payload))

    scope.put<{ Params: { id: string }; Body: Readable | undefined }>(
      '/companies/:id/logo',
      { config: { streamed: '', isFile: true }, ...byId },
      async (request, reply) => {
        const contents = request.body
        const ctx = contextOf(deps, request)
        await inTurn(deps, ctx.actor, request, reply, async () => {
          const picture = contents ? await startOf(contents, maxLogoBytes + 1) : Buffer.alloc(0)
          await updateLogo(ctx, request.params.id, picture)
        })
        return sendJson(reply, '{}')
      },
    )
  })
}

/** What is left of it is let go unread: cut off, its sender would never read why. */
async function startOf(contents: Readable, bytes: number): Promise<Buffer> {
  // Into one buffer: kept as they come, a million chunks of a byte would take a hundred times as much.
  const start = Buffer.allocUnsafe(bytes)
  let length = 0
  for await (const chunk of contents.iterator({ destroyOnReturn: false })) {
    length += (chunk as Buffer).copy(start, length)
    if (length === bytes) break
  }
  contents.resume()
  return start.subarray(0, length)
}
