import Type from 'typebox'
import type { Interface } from '../../domain/kernel/context.ts'
import { maxGraceHours } from '../../domain/tenants/keys/end-key.ts'
import {
  type Access,
  type ApiKey,
  accesses,
  interfaces,
  type KeyState,
  stateOf,
} from '../../domain/tenants/keys/key.ts'
import {
  createOwnKey,
  listOwnKeys,
  readKey,
  revokeOwnKey,
  rollOwnKey,
} from '../../domain/tenants/keys/own-keys.ts'
import type { Deps } from '../deps.ts'
import { instant } from '../http/instant.ts'
import type { Routes } from '../http/routes.ts'
import { Fields, IdParams, limitTo, nextPage, oneOf, optional } from '../http/schema-words.ts'
import { sendJson } from '../http/send-json.ts'
import { firstAddress } from './first-address.ts'
import { contextOf } from './sessions.ts'

export interface KeyResponse {
  id: string
  companyId: string
  name: string
  prefix: string
  access: Access
  interfaces: Interface[]
  /** Of the agent that it was made for. */
  agentName: string | null
  /** Whether the agent may only propose to move stages, sell and bill. */
  proposes: boolean
  state: KeyState
  createdAt: string
  lastUsedAt: string | null
  expiresAt: string | null
  revokedAt: string | null
  replacedBy: string | null
}

export interface KeysResponse {
  keys: KeyResponse[]
  next: string | null
}

/** The only answer that ever holds a key itself. */
export interface KeyMade {
  key: KeyResponse
  secret: string
  /** What a first call with it may ask for. */
  tryAddress: string
}

export interface KeyRead {
  key: KeyResponse
  /** The last 48, the one under way last. */
  hours: { hour: string; calls: number; failures: number }[]
}

const id = Type.String({ minLength: 1, maxLength: 64 })

const KeysQuery = Fields({
  company: optional(id),
  after: nextPage('^\\d{1,13}-key_[0-9a-z]{10,40}$'),
  limit: limitTo(200),
})

const KeyBody = Fields({
  name: Type.String({ minLength: 1, maxLength: 100 }),
  access: optional(oneOf<Access>(accesses)),
  /** The only one that it works on; all of them where it is absent. */
  interface: optional(oneOf<Interface>(interfaces)),
  agentName: optional(Type.String({ minLength: 1, maxLength: 60 })),
  proposes: optional(Type.Boolean()),
  expiresAt: optional(
    Type.String({
      format: 'date-time',
      pattern: '^[^,]{1,30}Z$',
      'x-message': 'must be a timestamp in UTC, such as 2027-01-31T00:00:00Z',
    }),
  ),
  company: optional(id),
})

const RollBody = Fields({ graceHours: Type.Number({ minimum: 0, maximum: maxGraceHours }) })

const pageSize = 50

/** API keys, for owners and admins. A key itself is in the answer that makes it, and in no other. */
export function keyRoutes(app: Routes, deps: Deps): void {
  const { db, directories } = deps

  app.get('/keys', { schema: { querystring: KeysQuery } }, async (request, reply) => {
    const { company, after, limit = pageSize } = request.query
    const ctx = contextOf(deps, request)
    const before = after ? positionOf(after) : null
    const found = await listOwnKeys(ctx, { company, before, limit: limit + 1 })
    const keys = found.slice(0, limit)
    const last = keys.at(-1)
    const response: KeysResponse = {
      keys: keys.map((key) => keyResponse(key, ctx.now)),
      next: found.length > limit ? `${last!.createdAt.getTime()}-${last!.id}` : null,
    }
    return sendJson(reply, JSON.stringify(response))
  })

  app.get('/keys/:id', { schema: { params: IdParams } }, async (request, reply) => {
    const ctx = contextOf(deps, request)
    const { key, hours } = await readKey(ctx, request.params.id)
    return sendJson(reply, JSON.stringify({ key: keyResponse(key, ctx.now), hours }))
  })

  app.post('/keys', { schema: { body: KeyBody } }, async (request, reply) => {
    const ctx = contextOf(deps, request)
    const { interface: only, expiresAt, ...body } = request.body
    const made = await createOwnKey(ctx, {
      ...body,
      interfaces: only ? [only] : [...interfaces],
      expiresAt: expiresAt ? instant(expiresAt) : null,
    })
    return sendJson(reply.code(201), JSON.stringify(await madeResponse(ctx.now, ctx.actor.installerId, made)))
  })

  app.post('/keys/:id/roll', { schema: { params: IdParams, body: RollBody } }, async (request, reply) => {
    const ctx = contextOf(deps, request)
    const made = await rollOwnKey(ctx, request.params.id, request.body.graceHours)
    return sendJson(reply.code(201), JSON.stringify(await madeResponse(ctx.now, ctx.actor.installerId, made)))
  })

  app.post('/keys/:id/revoke', { schema: { params: IdParams } }, async (request, reply) => {
    const ctx = contextOf(deps, request)
    const key = await revokeOwnKey(ctx, request.params.id)
    return sendJson(reply, JSON.stringify(keyResponse(key, ctx.now)))
  })

  async function madeResponse(
    now: Date,
    installerId: string,
    { key, secret }: { key: ApiKey; secret: string },
  ): Promise<KeyMade> {
    const { companies } = await directories.current(db, installerId)
    const { number } = companies.get(key.companyId)!
    const tryAddress = firstAddress(deps.addresses, key.interfaces, number)
    return { key: keyResponse(key, now), secret, tryAddress }
  }
}

function positionOf(after: string) {
  const [ms = '', id = ''] = after.split('-')
  return { at: new Date(Number(ms)), id }
}

function keyResponse(key: ApiKey, now: Date): KeyResponse {
  const { createdAt, lastUsedAt, expiresAt, revokedAt, ...same } = key
  return {
    ...same,
    state: stateOf(key, now),
    createdAt: createdAt.toISOString(),
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
    expiresAt: expiresAt?.toISOString() ?? null,
    revokedAt: revokedAt?.toISOString() ?? null,
  }
}
