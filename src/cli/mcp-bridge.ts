import { setTimeout as pause } from 'node:timers/promises'
import { createWaitQueue } from '../platform/wait-queue.ts'

type Id = string | number

/** A message of the protocol, as far as it matters here. */
interface Message {
  id?: Id
  method?: string
  params?: Record<string, unknown>
  result?: { protocolVersion?: unknown }
}

const maxLineBytes = 1_048_576
const maxAnswerBytes = 8_388_608
const maxAtOnce = 16
const maxWaiting = 1_000
const answerMs = 15 * 60_000
/** How often a call that was not taken is sent again, and the longest wait before that. */
const maxTries = 4
const maxWaitSeconds = 60
/** How long answers may take that are still under way when the input ends. */
const endMs = 10_000

const versionKey = 'io.modelcontextprotocol/protocolVersion'

/**
 * Hands messages from standard input on to a server, one call each, and its answers to standard output, until the input
 * ends or a signal comes. Nothing else is written there; what goes wrong besides is said on standard error, without the key.
 */
export async function bridge(address: URL, key: string): Promise<void> {
  const ending = new AbortController()
  const end = () => ending.abort(new Error('ended'))
  const signals = ['SIGINT', 'SIGTERM'] as const
  for (const signal of signals) process.once(signal, end)
  // Whoever started it has gone.
  process.stdout.once('error', end)
  ending.signal.addEventListener('abort', () => process.stdin.destroy())

  const inLine = createWaitQueue({ concurrency: maxAtOnce, maxWaiting })
  const running = new Map<Id, AbortController>()
  const pending = new Set<Promise<void>>()
  /** Of a client that began with `initialize`. */
  let agreed: string | null = null
  /** The answer to that says which version is spoken from then on. */
  let begun = Promise.resolve()

  function write(message: object): void {
    if (!process.stdout.writableEnded && !process.stdout.destroyed)
      process.stdout.write(`${JSON.stringify(message)}\n`)
  }

  async function handOn(message: Message): Promise<void> {
    const { id, method, params } = message
    if (method === 'notifications/cancelled') {
      // Nothing is kept between calls: to give one up is to hang up.
      running.get(params?.['requestId'] as Id)?.abort(new Error('cancelled'))
      return
    }
    const given = new AbortController()
    if (id !== undefined && method !== undefined) running.set(id, given)
    const signal = AbortSignal.any([given.signal, ending.signal, AbortSignal.timeout(answerMs)])
    try {
      const answer = await inLine(() => post(address, key, message, agreed, signal), signal)
      if (method === 'initialize' && typeof answer?.result?.protocolVersion === 'string')
        agreed = answer.result.protocolVersion
      if (answer) write(answer)
    } catch (error) {
      if (given.signal.aborted || ending.signal.aborted) return
      const text = messageOf(error)
      if (id !== undefined && method !== undefined) write(failed(id, text))
      else console.error(text)
    } finally {
      if (id !== undefined) running.delete(id)
    }
  }

  try {
    for await (const line of linesOf(process.stdin)) {
      const message = parsed(line)
      if (message === null) {
        write({ jsonrpc: '2.0', id: null, error: { code: -32_700, message: 'This is no message in JSON.' } })
        continue
      }
      const mayOvertake = message.method === 'notifications/cancelled'
      const done = mayOvertake ? handOn(message) : begun.then(() => handOn(message))
      const work = done.finally(() => pending.delete(work))
      pending.add(work)
      if (message.method === 'initialize') begun = work
    }
    const late = setTimeout(end, endMs)
    await Promise.all(pending)
    clearTimeout(late)
  } catch (error) {
    if (!ending.signal.aborted) throw error
  } finally {
    for (const signal of signals) process.off(signal, end)
    process.stdin.destroy()
  }
}

function parsed(line: string): Message | null {
  try {
    const message: unknown = JSON.parse(line)
    return message !== null && typeof message === 'object' && !Array.isArray(message) ? message : null
  } catch {
    return null
  }
}

async function* linesOf(input: NodeJS.ReadStream): AsyncGenerator<string> {
  let parts: Buffer[] = []
  let bytes = 0
  for await (const chunk of input as AsyncIterable<Buffer>) {
    let begin = 0
    for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, begin)) {
      parts.push(chunk.subarray(begin, at))
      const line = Buffer.concat(parts).toString().trim()
      parts = []
      bytes = 0
      begin = at + 1
      if (line !== '') yield line
    }
    parts.push(chunk.subarray(begin))
    bytes += chunk.length - begin
    if (bytes > maxLineBytes) throw new Error('A message is longer than 1 MiB.')
  }
  const last = Buffer.concat(parts).toString().trim()
  if (last !== '') yield last
}

async function textOf({ body }: Response): Promise<string> {
  const parts: Uint8Array[] = []
  let bytes = 0
  for await (const part of body ?? []) {
    bytes += part.length
    if (bytes > maxAnswerBytes) throw new Error('The server’s answer is longer than 8 MiB.')
    parts.push(part)
  }
  return Buffer.concat(parts).toString()
}

/** Sends one message; null where there is no answer to it. What was not taken for the moment is sent again. */
async function post(
  address: URL,
  key: string,
  message: Message,
  agreed: string | null,
  signal: AbortSignal,
): Promise<Message | null> {
  for (let tries = 1; ; tries++) {
    const response = await fetch(address, {
      method: 'POST',
      headers: headersOf(message, key, agreed),
      body: JSON.stringify(message),
      redirect: 'error',
      signal,
    })
    const text = await textOf(response)
    const wait = Number(response.headers.get('retry-after'))
    const isLater = response.status === 429 || response.status === 503
    if (isLater && tries < maxTries && wait >= 1 && wait <= maxWaitSeconds) {
      await pause(wait * 1000, undefined, { signal })
      continue
    }
    if (text === '') return null
    const answer = parsed(text) as (Message & { error?: { message?: string }; jsonrpc?: string }) | null
    if (answer?.jsonrpc === '2.0') return answer
    throw new Error(answer?.error?.message ?? `The server answered ${response.status}, which is no MCP.`)
  }
}

const names: Record<string, string> = { 'tools/call': 'name', 'prompts/get': 'name', 'resources/read': 'uri' }

/** What the protocol says in headers too. */
function headersOf({ method, params }: Message, key: string, agreed: string | null): Record<string, string> {
  const meta = params?.['_meta'] as Record<string, unknown> | undefined
  const claimed = meta?.[versionKey]
  const version = typeof claimed === 'string' ? claimed : agreed
  const name = method && Object.hasOwn(names, method) ? params?.[names[method]!] : undefined
  return {
    authorization: `Bearer ${key}`,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    ...(version === null ? {} : { 'mcp-protocol-version': headerText(version) }),
    ...(typeof claimed === 'string' && method !== undefined ? { 'mcp-method': headerText(method) } : {}),
    ...(typeof claimed === 'string' && typeof name === 'string' ? { 'mcp-name': headerText(name) } : {}),
  }
}

/** As the protocol writes what a header cannot hold. */
function headerText(text: string): string {
  const isPlain = /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(text) && !text.startsWith('=?base64?')
  return isPlain ? text : `=?base64?${Buffer.from(text).toString('base64')}?=`
}

function messageOf(error: unknown): string {
  const { message, cause } = error as Error & { cause?: { code?: string } }
  return message === 'fetch failed'
    ? `The server cannot be reached (${cause?.code ?? 'no answer'}).`
    : message
}

const failed = (id: Id, message: string) => ({ jsonrpc: '2.0', id, error: { code: -32_603, message } })
