import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import type { ErrorObject } from 'ajv'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type Context, shareOf } from '../../domain/kernel/context.ts'
import { DomainError } from '../../domain/kernel/domain-error.ts'
import { authorize } from '../../domain/kernel/policy.ts'
import { createSentReadings } from '../../domain/sites/energy/sent-readings.ts'
import { batchSize, type Taken, takeReadings, takeSent } from '../../domain/sites/energy/take-readings.ts'
import { currentTime } from '../../platform/clock.ts'
import { createTurns } from '../../platform/wait-queue.ts'
import type { Deps } from '../deps.ts'
import { answers } from '../http/answers.ts'
import { contextOf, requireGoodKey } from '../http/authenticate.ts'
import { hangUp } from '../http/hang-up.ts'
import type { JsonBounds } from '../http/json-meter.ts'
import { NoQuery } from '../http/schema-words.ts'
import { sendJson } from '../http/send-json.ts'
import { compileSchema, maxWorded, validationError } from '../http/validation.ts'
import { ReadingLines, ReadingsBody, ReadingsShell } from './energy-schemas.ts'
import { type HeldBody, holdBody } from './held-body.ts'
import { type Line, linesOf, maxLineBytes } from './reading-lines.ts'

const bodyLimitBytes = 8 * 1_048_576
// 10,000 readings are 40,000 values. One with a field too many is rejected by itself, so there is room for some.
const bounds: JsonBounds = { maxValues: 60_000, maxDepth: 16 }
const maxRejectedShown = 1_000
const json = 'application/json'
const ndjson = 'application/x-ndjson'
const tooLarge = `The body is larger than 8 MiB. Send less at once, or a reading a line as ${ndjson}.`

type Body = HeldBody | Readable | undefined
type InTurn = ReturnType<typeof createTurns>

const atOnce = 2
const maxWaiting = 200

export function readingRoutes(app: FastifyInstance, deps: Deps): void {
  // A tenant's batches wait for each other here and not in the database, where what waits for an installation would keep
  // the connections that other tenants need.
  const inTurn = createTurns({ concurrency: atOnce, maxWaiting })

  app.register(async (scope) => {
    scope.removeContentTypeParser(json)
    scope.addContentTypeParser(json, (request: FastifyRequest, payload: IncomingMessage) =>
      holdBody(payload, deps.bodies.hold(shareOf(request.caller!.actor)), bodyLimitBytes, tooLarge, bounds),
    )
    scope.addHook<{ Body: Body }>('onResponse', (request, _reply, done) => {
      if (request.body && 'letGo' in request.body) request.body.letGo()
      done()
    })
    scope.addContentTypeParser(ndjson, (_request, payload, done) => done(null, payload))

    scope.post<{ Body: Body }>(
      '/monitoring/readings',
      {
        bodyLimit: bodyLimitBytes,
        config: { streamed: ndjson, countsItsBody: true, repeats: { kept: 'streamed' } },
        schema: {
          operationId: 'takeReadings',
          tags: ['Monitoring'],
          summary: 'Send readings',
          description: [
            'At most 10,000 readings in at most 8 MiB of JSON, or any number of them as `application/x-ndjson`, taken as they arrive.',
            'A panel has one reading of a time: the value that is sent last stands, and late or corrected ones move every total. Sending the same again changes nothing, so a call that failed may be repeated as it is. A reading that is not valid is rejected by itself; the others are taken.',
            'A reading that is more than its panel can make (its capacity and 30 % above it, for the time since the reading before it, a day at most) is quarantined: kept and listed under `/monitoring/quarantine`, and in no total until somebody releases it or a value that can be is sent for the same time. What was there of that time stays.',
          ].join('\n\n'),
          querystring: NoQuery,
          body: { content: { [json]: { schema: ReadingsBody }, [ndjson]: { schema: ReadingLines } } },
          response: answers({ 200: ['ReadingsTaken', 'What was taken and what was not'] }, [400, 403]),
        },
        validatorCompiler: (part) =>
          part.httpPart === 'body' ? (body) => ({ value: body }) : compileSchema(part),
        errorHandler: (error) => {
          throw asReadingError(error)
        },
      },
      async (request, reply) => {
        const ctx = contextOf(deps, request)
        const { body } = request
        const { repeatable } = request
        const gone = hangUp(reply)
        if (!(body instanceof Readable)) {
          await repeatable?.claimWith(body?.digest() ?? '')
          const work = async () => takeReadings(ctx, readingsOf(body))
          return sendJson(reply, answerOf(await inTurn(ctx.actor.installerId, work, gone)))
        }
        const bytes = repeatable && createHash('sha256')
        const lines = linesOf(body, deps.stopping, (chunk) => bytes?.update(chunk))
        const taken = await takeLines(ctx, lines, inTurn, gone, () => requireGoodKey(deps, request, reply))
        // What they were is known only now. Whoever sends the same again has changed nothing by it.
        await repeatable?.claimWith(bytes!.digest('hex'))
        return sendJson(reply, answerOf(taken))
      },
    )
  })
}

const checkBody = compileSchema({ schema: ReadingsShell, method: 'POST', url: '', httpPart: 'body' })

function readingsOf(body: HeldBody | undefined): unknown[] {
  let sent: unknown
  try {
    const text = body?.takeText() ?? ''
    sent = text === '' ? undefined : JSON.parse(text)
  } catch (error) {
    throw error instanceof DomainError
      ? error
      : new DomainError('invalid', 'The body is not valid JSON in UTF-8.')
  }
  // Naming thousands of fields one by one would take longer than taking thousands of readings.
  if (isObject(sent) && Object.keys(sent).length > maxWorded)
    throw new DomainError('invalid', 'The body must have the field readings and no other.')
  const { error } = checkBody(sent) as { error?: ErrorObject[] }
  if (error) throw validationError(error, 'body')
  return (sent as { readings: unknown[] }).readings
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function asReadingError(error: Error & { code?: string }): Error {
  switch (error.code) {
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return new DomainError(
        'invalid',
        `Send the body as JSON with the header "Content-Type: ${json}", or a reading a line with "Content-Type: ${ndjson}".`,
      )
    default:
      return error
  }
}

interface TakenLines extends Taken {
  rejectedCount: number
}

/**
 * Takes a line at a time in batches; the next is read from the connection when the one before is stored. It may go on
 * for hours, so who sends is let in for each batch anew.
 */
async function takeLines(
  ctx: Context,
  arriving: AsyncIterable<Line[]>,
  inTurn: InTurn,
  signal: AbortSignal,
  admit: () => Promise<void>,
): Promise<TakenLines> {
  authorize(ctx.actor, 'readings.send')
  const sum: TakenLines = { accepted: 0, updated: 0, quarantined: 0, rejected: [], rejectedCount: 0 }
  const reject = (index: number, message: string) => {
    sum.rejectedCount++
    if (sum.rejected.length < maxRejectedShown) sum.rejected.push({ index, message })
  }
  let sent = createSentReadings(currentTime())
  const flush = async () => {
    const batch = sent
    sent = createSentReadings(currentTime())
    await admit()
    const taken = await inTurn(ctx.actor.installerId, () => takeSent(ctx, batch), signal)
    sum.accepted += taken.accepted
    sum.updated += taken.updated
    sum.quarantined += taken.quarantined
    for (const { index, message } of taken.rejected) reject(index, message)
  }
  for await (const lines of arriving) {
    for (const { index, text } of lines) {
      if (text === null) {
        reject(index, `The line is longer than ${maxLineBytes / 1024} KiB.`)
        continue
      }
      const reading = parsed(text)
      if (reading === undefined) continue
      sent.add(index, reading)
      if (sent.count === batchSize) await flush()
    }
  }
  if (sent.count > 0) await flush()
  sum.rejected.sort((a, b) => a.index - b.index)
  return sum
}

/** What a line says; undefined where it is empty, and a text, which is no reading, where it is not JSON. */
function parsed(line: string): unknown {
  if (line.trim() === '') return undefined
  try {
    return JSON.parse(line)
  } catch {
    return line
  }
}

function answerOf(taken: Taken | TakenLines): string {
  const { accepted, updated, quarantined, rejected } = taken
  const rejectedCount = 'rejectedCount' in taken ? taken.rejectedCount : rejected.length
  return JSON.stringify({ accepted, updated, quarantined, rejected, rejected_count: rejectedCount })
}
