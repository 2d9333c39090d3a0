import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'

/** What a start does about a database that is not there yet. */
export interface Waiting {
  /** Told once that it is waited for. */
  onWait?: (message: string) => void
  signal?: AbortSignal | undefined
  limitMs?: number
}

const usualLimitMs = 30_000
const connectMs = 5_000
const againMs = 500

/** Waits until the database that DATABASE_URL names can be used; it may be started at the same moment as we are. */
export async function waitForDatabase(
  url: string,
  { onWait = () => {}, signal, limitMs = usualLimitMs }: Waiting = {},
): Promise<void> {
  const until = performance.now() + limitMs
  for (let warned = false; ; warned = true) {
    signal?.throwIfAborted()
    const failure = await failureOf(url)
    if (!failure) return
    if (!mayCome(failure)) throw new Error(refusal(failure), { cause: failure })
    if (performance.now() > until) {
      throw new Error(
        `The database that DATABASE_URL names did not answer within ${limitMs / 1000} seconds ` +
          `(${reasonOf(failure)}). Start it, or correct DATABASE_URL.`,
        { cause: failure },
      )
    }
    if (!warned) {
      onWait(
        `the database cannot be reached yet (${reasonOf(failure)}); waiting for it, ${limitMs / 1000} seconds at most`,
      )
    }
    await sleep(againMs, undefined, { signal })
  }
}

async function failureOf(url: string): Promise<Error | null> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: connectMs,
    query_timeout: connectMs,
    application_name: 'sunstead',
  })
  client.on('error', () => {})
  try {
    await client.connect()
    await client.query('select 1')
    return null
  } catch (error) {
    return error as Error
  } finally {
    await client.end().catch(() => {})
  }
}

const passingCodes =
  /^(08...|57P..|53300|ECONNREFUSED|ECONNRESET|ENOENT|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|EAI_AGAIN|ENOTFOUND|EPIPE)$/

/** Whether it may be otherwise in a moment: it is being started, or its name becomes known with it. */
function mayCome(error: Error & { code?: string }): boolean {
  if (error.code !== undefined) return passingCodes.test(error.code)
  return /timeout|Connection terminated/i.test(error.message)
}

/** An error of several attempts has no words of its own. */
function reasonOf(error: Error & { errors?: Error[] }): string {
  return error.message || (error.errors ?? []).map(({ message }) => message).join(', ')
}

const advice: Record<string, string> = {
  '28P01': 'Correct the user or the password in it.',
  '28000': 'Correct the user in it, or let the server admit it (pg_hba.conf).',
  '3D000': 'Create that database, or correct the name in it.',
}

function refusal(error: Error & { code?: string }): string {
  return `DATABASE_URL cannot be used: ${reasonOf(error)}. ${advice[error.code ?? ''] ?? 'Correct it.'}`
}
