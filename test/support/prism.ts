import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type App, parsed } from './app.ts'
import { atFileEnd } from './endings.ts'
import { freePort } from './free-port.ts'
import { root } from './process.ts'

export interface ProxiedCall {
  key?: string
  /** What stands in the address, by name. */
  at?: Record<string, string>
  query?: Record<string, string>
  body?: unknown
  raw?: string | Buffer | FormData
  headers?: Record<string, string>
}

interface Violation {
  location: string[]
  severity: string
  message: string
}

interface Described {
  paths: Record<string, Record<string, { operationId: string }>>
}

/** Prism between a caller and an interface of ours: it holds each call and each answer against the description. */
export async function startPrism(app: App, name: string, prefix: string) {
  const file = join(root, `openapi/${name}.json`)
  const port = await freePort()
  const prism = join(root, 'node_modules/@stoplight/prism-cli/dist/index.js')
  const options = ['-p', String(port), '-h', '127.0.0.1', '--multiprocess', 'false']
  const child = spawn(process.execPath, [prism, 'proxy', file, `${app.url}${prefix}`, ...options], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  atFileEnd(async () => {
    child.kill('SIGKILL')
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  })
  let said = ''
  await new Promise<void>((resolve, reject) => {
    const read = (chunk: Buffer) => {
      said += chunk
      if (said.includes('Prism is listening')) resolve()
    }
    child.stdout.on('data', read)
    child.stderr.on('data', read)
    child.on('exit', () => reject(new Error(said.slice(-2_000))))
  })

  const { paths }: Described = JSON.parse(readFileSync(file, 'utf8'))
  const operations = new Map(
    Object.entries(paths).flatMap(([path, item]) =>
      Object.entries(item).map(
        ([method, { operationId }]) => [operationId, { method: method.toUpperCase(), path }] as const,
      ),
    ),
  )
  /** Those that were answered with success. */
  const done = new Set<string>()

  async function call(id: string, { key, at = {}, query, body, raw, headers }: ProxiedCall = {}) {
    const { method, path } = operations.get(id) ?? assert.fail(`there is no ${id}`)
    const address = path.replace(/\{(\w+)\}/g, (_whole, field: string) =>
      encodeURIComponent(at[field] ?? 'x'),
    )
    const answer = await fetch(
      `http://127.0.0.1:${port}${address}${query ? `?${new URLSearchParams(query)}` : ''}`,
      {
        method,
        headers: {
          ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        body: (raw as string | undefined) ?? (body === undefined ? null : JSON.stringify(body)),
      },
    )
    const text = await answer.text()
    const found: Violation[] = JSON.parse(answer.headers.get('sl-violations') ?? '[]')
    // What is refused was wrong as a request; as an answer nothing is.
    const violations = found.filter(({ location }) => answer.ok || location[0] === 'response')
    assert.deepEqual(violations, [], `${id} → ${answer.status} ${text.slice(0, 500)}`)
    assert.ok(answer.headers.get('x-request-id'), `${id} was not answered by us: ${text.slice(0, 500)}`)
    if (answer.ok) done.add(id)
    // biome-ignore lint/suspicious/noExplicitAny: what an answer holds is what the tests find out
    return { status: answer.status, body: parsed(text) as any, text, found }
  }

  return {
    call,
    /** The same where it must succeed. */
    async good(id: string, options: ProxiedCall = {}) {
      const answer = await call(id, options)
      assert.ok(answer.status < 300, `${id} → ${answer.status} ${answer.text.slice(0, 500)}`)
      return answer.body
    },
    operations: [...operations.keys()],
    missed: () => [...operations.keys()].filter((id) => !done.has(id)),
  }
}
