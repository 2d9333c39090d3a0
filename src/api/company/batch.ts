import type { ErrorObject } from 'ajv'
import type { FastifyInstance, FastifyRequest, FastifySchemaValidationError } from 'fastify'
import type { TSchema } from 'typebox'
import { createLead, type LeadCreated } from '../../domain/deals/leads/create-lead.ts'
import { AnsweredBefore, type Call } from '../../domain/journal/idempotency/call.ts'
import { type Context, shareOf } from '../../domain/kernel/context.ts'
import { DomainError } from '../../domain/kernel/domain-error.ts'
import { authorize } from '../../domain/kernel/policy.ts'
import { createFairQueue } from '../../platform/fair-queue.ts'
import type { Deps } from '../deps.ts'
import { answers } from '../http/answers.ts'
import { contextOf, requireGoodKey } from '../http/authenticate.ts'
import { fieldsOf } from '../http/error-fields.ts'
import { errorBody, errorCodes } from '../http/errors.ts'
import { acceptJson, cleaned } from '../http/json-body.ts'
import type { JsonBounds } from '../http/json-meter.ts'
import { sendJson } from '../http/send-json.ts'
import { compileSchema, validationError } from '../http/validation.ts'
import { BatchBody, BatchShell, LeadChange, maxItems } from './batch-schemas.ts'
import { changeLead } from './lead-change.ts'
import { newLeadOf } from './new-lead.ts'
import { NewLeadBody, NoQuery } from './request-schemas.ts'

// A lead with all its fields is 40 values, so there is room for some that it has not.
const bounds: JsonBounds = { maxValues: maxItems * 60, maxDepth: 16 }

/**
 * One batch of a company at a time, two of an installer with its dealers: however many it sends, another's is done
 * beside. Each item commits by itself, so that nobody waits for the tenant's lock for longer than for a call.
 */
const batchLine = () =>
  createFairQueue({
    atOnce: { all: 4, group: 2, owner: 1 },
    waiting: { all: 100, group: 20, owner: 10 },
    maxWaitMs: 30_000,
    maxWorkMs: 60_000,
  })

interface Done {
  status: number
  leadId: string
  created?: boolean
  unassigned?: string[]
}

export function batchRoute(app: FastifyInstance, deps: Deps): void {
  const line = batchLine()
  const asNewLead = checker<NewLeadBody>(NewLeadBody)
  const asChange = checker<LeadChange>(LeadChange)

  app.register(async (scope) => {
    // A text that no item can hold refuses its item alone.
    acceptJson(scope, { bounds, uncleaned: true })

    scope.post<{ Body: BatchShell }>(
      '/batch/leads',
      {
        config: { repeats: { kept: 'claimed' } },
        schema: {
          operationId: 'batchLeads',
          tags: ['Leads'],
          summary: 'Create and change many leads',
          description: [
            `Up to ${maxItems} items in at most 1 MiB, done one after the other. One with an \`id\` changes that lead, as \`PATCH /v1/leads/{id}\` does; one without creates a lead, as \`POST /v1/leads\` does.`,
            'Each item stands by itself: what is refused hinders no other, and says why in its result. The call answers 200 when all were tried, and counts as one call.',
            'A call that was broken off may be sent again: a change that was made changes nothing, and a create with an `externalId` finds its lead.',
          ].join('\n\n'),
          body: BatchBody,
          querystring: NoQuery,
          response: answers({ 200: ['BatchResults', 'What became of each item'] }, [400, 403]),
        },
        validatorCompiler: (part) =>
          compileSchema(part.httpPart === 'body' ? { ...part, schema: BatchShell } : part),
      },
      async (request, reply) => {
        const { actor } = request.caller!
        authorize(actor, 'leads.change')
        const work = async () => {
          const results: object[] = []
          for (const [index, item] of request.body.items.entries()) {
            await requireGoodKey(deps, request, reply)
            results.push({ index, ...(await outcomeOf(request, index, item)) })
          }
          return results
        }
        // Not given up where the caller hangs up: whoever sends it again is to find it done.
        const results = await line.run(shareOf(actor), work, new AbortController().signal)
        return sendJson(reply, JSON.stringify({ results }))
      },
    )
  })

  async function outcomeOf(request: FastifyRequest, index: number, item: unknown): Promise<object> {
    try {
      return await perform(request, index, cleaned(item))
    } catch (error) {
      // What is wrong on our side fails the call: it may be sent again.
      if (!(error instanceof DomainError) || errorCodes[error.code].status >= 500) throw error
      const { code, message } = error
      return {
        status: errorCodes[code].status,
        ...JSON.parse(errorBody(code, message, deps.addresses.baseUrl, fieldsOf(error))),
      }
    }
  }

  async function perform(request: FastifyRequest, index: number, item: unknown): Promise<Done> {
    const ctx = contextOf(deps, request)
    if (typeof item === 'object' && item !== null && 'id' in item) {
      const { id, ...change } = asChange(item)
      const { deal } = await changeLead(ctx, id, change)
      return { status: 200, leadId: deal.lead.id }
    }
    const made = await createOnce(ctx, asNewLead(item), request.repeatable, index)
    return { status: made.created ? 201 : 200, ...made }
  }
}

/**
 * Of a batch that may be sent again each create that names no `externalId` is a call of its own, so that one that was
 * broken off half-way makes no lead twice. No key that a caller can send has a space.
 */
async function createOnce(
  ctx: Context,
  body: NewLeadBody,
  batch: Call | null,
  index: number,
): Promise<LeadCreated> {
  const call = batch && !body.externalId ? { ...batch, key: `${batch.key} ${index}`, claim: null } : null
  const kept = call && {
    call,
    answerOf: (made: LeadCreated) => ({ status: 201, body: JSON.stringify(made) }),
  }
  try {
    return await createLead(ctx, newLeadOf(body), kept)
  } catch (error) {
    if (error instanceof AnsweredBefore) return JSON.parse(error.kept.answer.body!)
    throw error
  }
}

/** Holds an item against a schema, as a body is. */
function checker<Body>(schema: TSchema): (item: unknown) => Body {
  const validate = compileSchema({ schema, method: 'POST', url: '/batch/leads', httpPart: 'body' })
  return (item) => {
    const { error } = validate(item) as { error?: FastifySchemaValidationError[] }
    if (error) throw validationError(error as unknown as ErrorObject[], 'item')
    return item as Body
  }
}
