import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { Agent } from 'undici'
import { readConfig } from '../../src/config.ts'
import { idFile } from '../../src/platform/file-store/file-store.ts'
import { createLog, type Log } from '../../src/platform/log.ts'
import { type Outside, type Server, startServer } from '../../src/server.ts'
import { createTestDatabase, secretKey, type TestDatabase } from './database.ts'
import { atFileEnd } from './endings.ts'
import { root } from './process.ts'

export interface Call {
  key?: string
  /** Sent as JSON. */
  body?: unknown
  /** Sent as it is. */
  raw?: string | Buffer
  headers?: Record<string, string>
}

export interface Answer {
  status: number
  headers: Record<string, string | undefined>
  bytes: Uint8Array
  text: string
  // biome-ignore lint/suspicious/noExplicitAny: what an answer holds is what the tests find out
  body: any
}

export interface App {
  url: string
  server: Server
  database: TestDatabase
  /** Calls over HTTP and checks what must hold of every answer. */
  call(method: string, path: string, call?: Call): Promise<Answer>
  /** The same without the checks, for what is no interface of ours. */
  send(method: string, path: string, call?: Call): Promise<Answer>
  get(path: string, key: string): Promise<Answer>
  dataDir: string
  /** Every file under DATA_DIR, finished or not, but that which names the store. */
  storedFiles(): Promise<string[]>
  /** For those that must end before the file does; the others are stopped at its end. */
  stop(): Promise<void>
}

export interface AppOptions {
  env?: Record<string, string>
  database?: TestDatabase
  outside?: Outside
  log?: Log
}

/** One for all servers of a worker: a log writes twice a second for as long as its process lives, be it nothing. */
const logs = new Map<string, Log>()

function logOf(level: string): Log {
  const log = logs.get(level) ?? createLog(level)
  logs.set(level, log)
  return log
}

/** A machine that stands still for a while is no fault of what is tested: a call's statements may take longer than usual. */
const patientMs = 60_000

/** The real server on a port of its own, over a database of its own unless one is given. */
export async function startApp({ env = {}, database: given, outside, log }: AppOptions = {}): Promise<App> {
  const database = given ?? (await createTestDatabase())
  const dataDir = await mkdtemp(join(tmpdir(), 'sunstead-app-'))
  const config = readConfig({
    DATABASE_URL: database.url,
    DATA_DIR: dataDir,
    PORT: '0',
    LOG_LEVEL: 'silent',
    RATE_LIMIT_PER_MINUTE: '50000',
    SECRET_KEY: secretKey,
    ...env,
  })
  const server = await startServer(config, log ?? logOf(config.logLevel), { callMs: patientMs, ...outside })
  const url = `http://127.0.0.1:${server.port}`
  const agent = new Agent({ connections: 64 })

  async function send(method: string, path: string, { key, body, raw, headers }: Call = {}) {
    const answer = await agent.request({
      origin: url,
      path,
      method: method as 'GET',
      headers: {
        ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      body: raw ?? (body === undefined ? null : JSON.stringify(body)),
    })
    const bytes = await answer.body.bytes()
    const text = Buffer.from(bytes).toString()
    return {
      status: answer.statusCode,
      headers: answer.headers as Answer['headers'],
      bytes,
      text,
      body: parsed(text),
    }
  }

  const check = answerChecks(send, Number(config.rateLimitPerMinute))
  const call = async (method: string, path: string, options?: Call) => {
    const answer = await send(method, path, options)
    await check(method, path, answer)
    return answer
  }
  let stopped: Promise<void> | undefined
  const stop = async () => {
    await agent.destroy()
    await server.stop()
    if (!given) await database.drop()
    await rm(dataDir, { recursive: true, force: true })
  }
  const stopOnce = () => (stopped ??= stop())
  // A test that fails half-way leaves no server behind.
  atFileEnd(stopOnce)
  return {
    url,
    server,
    database,
    send,
    call,
    get: (path, key) => call('GET', path, { key }),
    dataDir,
    async storedFiles() {
      const entries = await readdir(dataDir, { recursive: true, withFileTypes: true })
      return entries.filter((entry) => entry.isFile() && entry.name !== idFile).map((entry) => entry.name)
    },
    stop: stopOnce,
  }
}

export function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const statusOf: Record<string, number> = {
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  invalid: 400,
  rate_limited: 429,
  internal: 500,
  unavailable: 503,
}

/** An outdated change is `invalid` by a status of its own. */
const hasStatus = (code: string, status: number) =>
  statusOf[code] === status || (code === 'invalid' && status === 412)

/** Absent where none is at fault. */
function checkFields(fields: { path: string; message: string }[] | undefined, where: string): void {
  if (fields === undefined) return
  assert.ok(fields.length > 0, where)
  for (const { path, message } of fields) {
    assert.ok(path.length > 0, where)
    assert.ok(message.length > 5, where)
  }
}

interface Operation {
  method: string
  path: RegExp
  /** By status; those without a body are not there. */
  answers: Map<string, DescribedAnswer>
}

interface DescribedAnswer {
  contentType: string
  /** Null for what is not JSON. Compiled when such an answer comes: a file sees few of them. */
  validate: (() => ValidateFunction) | null
}

/** What every answer must hold to, whatever was asked. */
function answerChecks(send: App['send'], limit: number) {
  const openedDocs = new Map<string, Promise<void>>()

  async function checkError({ status, body }: Answer, pathname: string, where: string): Promise<void> {
    if (/^\/legacy(\/|$)/.test(pathname)) {
      const { fields, ...rest } = body
      checkFields(fields, where)
      assert.deepEqual(Object.keys(rest), ['success', 'message', 'code'], where)
      assert.equal(body.success, false, where)
      assert.ok(hasStatus(body.code, status), where)
      assert.ok(typeof body.message === 'string' && body.message.length > 10, where)
      return
    }
    assert.deepEqual(Object.keys(body), ['error'], where)
    const { fields, ...rest } = body.error
    checkFields(fields, where)
    assert.deepEqual(Object.keys(rest), ['code', 'message', 'docs'], where)
    const { code, message, docs } = body.error
    assert.ok(hasStatus(code, status), `${where}: ${code}`)
    assert.ok(typeof message === 'string' && message.length > 10, where)
    if (!openedDocs.has(code)) openedDocs.set(code, openDocs(docs, code))
    await openedDocs.get(code)
  }

  async function openDocs(docs: string, code: string): Promise<void> {
    const { pathname, hash } = new URL(docs)
    assert.equal(hash, `#${code}`)
    const page = await send('GET', pathname)
    assert.equal(page.status, 200, docs)
    assert.match(page.text, new RegExp(`id="${code}"`))
  }

  return async (method: string, path: string, answer: Answer): Promise<void> => {
    const { status, headers, body, text } = answer
    const where = `${method} ${path.slice(0, 200)} → ${status} ${text.slice(0, 500)}`
    assert.match(headers['x-request-id'] ?? '', /^\S{1,128}$/, where)
    assert.notEqual(status, 500, where)
    // The same as `…/pdf`, which alone is described.
    const pathname = path.split('?')[0]!.replace(/\.pdf$/, '/pdf')
    const open = pathname.endsWith('/openapi.json') || status === 503
    if (/^\/(v1|legacy|catalog\/v1)\//.test(pathname) && !open && limit > 0) {
      assert.equal(headers['ratelimit-limit'], String(limit), where)
      assert.match(headers['ratelimit-remaining'] ?? '', /^\d+$/, where)
      assert.match(headers['ratelimit-reset'] ?? '', /^\d+$/, where)
    }
    if (method === 'HEAD' || status === 204) return assert.equal(text, '', where)
    operations ??= describedOperations()
    const operation = operations.find((o) => o.method === method && o.path.test(pathname))
    const described = operation?.answers.get(String(status))
    assert.equal(headers['content-type'], described?.contentType ?? json, where)
    if (status === 429 || status === 503) assert.match(headers['retry-after'] ?? '', /^[1-9]\d*$/, where)
    if (status >= 400) await checkError(answer, pathname, where)

    if (!operation) {
      assert.ok(status >= 400 || open, `${where}: answered, but not described`)
      return
    }
    assert.ok(described, `${where}: this status is not described`)
    const validate = described.validate?.()
    if (validate) assert.ok(validate(body), `${where}: ${JSON.stringify(validate.errors)}`)
  }
}

const json = 'application/json; charset=utf-8'
const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

interface Description {
  servers: { url: string }[]
  paths: Record<string, Record<string, { responses: Record<string, { content?: Record<string, object> }> }>>
}

let operations: Operation[] | undefined

/**
 * From the committed files, which the checks compare with what the routes say: a server takes a tenth of a second of a
 * core to write them.
 */
function describedOperations(): Operation[] {
  const names = ['company-key-api', 'legacy-workflow-api', 'catalogue-api']
  return names.flatMap((name) =>
    operationsOf(JSON.parse(readFileSync(join(root, `openapi/${name}.json`), 'utf8'))),
  )
}

function operationsOf(document: Description): Operation[] {
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateSchema: false })
  ajv.addFormat('date-time', (text) => instant.test(text) && !Number.isNaN(Date.parse(text)))
  ajv.addFormat('date', /^\d{4}-\d\d-\d\d$/)
  ajv.addFormat('uri', (text) => URL.canParse(text))
  ajv.addSchema(closed(document), 'openapi')
  const prefix = new URL(document.servers[0]!.url).pathname.replace(/\/$/, '')
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { responses }]) => ({
      method: method.toUpperCase(),
      path: new RegExp(`^${prefix}${path.replace(/\{\w+\}/g, '[^/]+')}$`),
      answers: new Map(
        Object.entries(responses).flatMap(([status, { content }]): [string, DescribedAnswer][] => {
          // An answer without a body has nothing to hold to.
          const [media] = Object.keys(content ?? {})
          if (media === undefined) return []
          if (media !== 'application/json') return [[status, { contentType: media, validate: null }]]
          const parts = ['paths', path, method, 'responses', status, 'content', media, 'schema']
          const pointer = parts.map((p) => encodeURIComponent(p.replaceAll('/', '~1'))).join('/')
          let validate: ValidateFunction | undefined
          const compiled = () => (validate ??= ajv.compile({ $ref: `openapi#/${pointer}` }))
          return [[status, { contentType: json, validate: compiled }]]
        }),
      ),
    })),
  )
}

/** Clients are told that fields may join an answer; here none does that is not described. */
function closed<T>(schema: T, isPart = false): T {
  if (Array.isArray(schema)) return schema.map((one) => closed(one, isPart)) as T
  if (schema === null || typeof schema !== 'object') return schema
  const copy = Object.fromEntries(
    Object.entries(schema).map(([name, value]) => [name, closed(value, name === 'allOf')]),
  )
  const isOpen = copy['type'] === 'object' && copy['properties'] && copy['additionalProperties'] === undefined
  return (isOpen && !isPart ? { ...copy, additionalProperties: false } : copy) as T
}
