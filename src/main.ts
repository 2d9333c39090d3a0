import { once } from 'node:events'
import { messageOf } from './cli/message-of.ts'
import { workerNumber } from './cluster/messages.ts'
import { readConfig } from './config.ts'
import { demoLines } from './demo/demo-lines.ts'
import { createLog, type Log } from './platform/log.ts'
import type { Running } from './server.ts'

/** Beyond draining. Each step of a stop has a limit of its own, and this is longer than all of them together. */
const stopLimitMs = 60_000

/**
 * Serves until a signal comes, in the middle of the start too; a later one makes the end quicker. Where the embedded
 * PostgreSQL has died it ends with a failure, so that whoever watches over it starts it again.
 */
async function serve(): Promise<void> {
  const number = workerNumber(process.env)
  if (number !== null) {
    const { runWorker } = await import('./cluster/worker.ts')
    return runWorker(number, endLater)
  }
  const config = readConfig(process.env)
  const several = config.webConcurrency > 1
  const log = createLog(config.logLevel, undefined, several ? 'primary' : null)
  let server: Running | null = null
  const stopSignal = receiveSignals(log, () => (server ? server.hurry() : process.exit(1)))
  // Loaded here, so that the other commands start without it.
  const start = several
    ? (await import('./cluster/primary.ts')).startCluster
    : (await import('./server.ts')).startServer
  try {
    server = await start(config, log, {}, stopSignal)
  } catch (error) {
    if (!stopSignal.aborted) throw error
    return
  }
  console.log(welcome(server).join('\n'))
  const { lost, stop } = server
  const trouble = stopSignal.aborted
    ? null
    : await Promise.race([once(stopSignal, 'abort').then(() => null), lost])
  if (trouble) log.fatal(trouble.message)
  endLater(config.drainSeconds)
  await stop()
  log.flush()
  if (trouble) throw trouble
}

/** Whatever holds up a stop, it does so no longer than this. */
function endLater(drainSeconds: number): void {
  const ms = stopLimitMs + drainSeconds * 1000
  setTimeout(() => {
    console.error(
      `Sunstead did not stop within ${ms / 1000} seconds and is ended. Nothing that was answered is lost.`,
    )
    process.exit(1)
  }, ms).unref()
}

/** A terminal and npm may both hand on the same Ctrl-C. */
const sameSignalMs = 1_000

function receiveSignals(log: Log, hurry: () => void): AbortSignal {
  const stopping = new AbortController()
  let first = 0
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (!stopping.signal.aborted) {
        first = performance.now()
        log.info({ signal }, 'stopping')
        stopping.abort(new Error('Sunstead was told to stop before it had started.'))
      } else if (performance.now() - first > sameSignalMs) {
        log.info({ signal }, 'stopping at once')
        hurry()
      }
    })
  }
  return stopping.signal
}

function welcome({ addresses, demo, setUpCode }: Running): string[] {
  const { baseUrl, legacyBaseUrl, catalogBaseUrl } = addresses()
  return [
    '',
    `  Sunstead is ready at ${baseUrl}`,
    '',
    `  Company-key API   ${baseUrl}/v1`,
    `  Legacy API        ${legacyBaseUrl}`,
    `  Catalogue API     ${catalogBaseUrl}/v1`,
    `  MCP, for agents   ${baseUrl}/mcp`,
    `  Reference         ${baseUrl}/docs`,
    ...(setUpCode
      ? ['', `  Make your company at ${baseUrl}/set-up`, `  with the set-up code ${setUpCode}`]
      : []),
    ...(demo ? ['', ...demoLines(demo).map((line) => `  ${line}`)] : []),
    '',
  ]
}

async function run([command, ...more]: string[]): Promise<void> {
  // The other commands take memory, which a server would hold for as long as it runs.
  if (command === 'serve' && more.length === 0) return serve()
  const { buildProgram } = await import('./cli/program.ts')
  await buildProgram({ serve }).parseAsync()
}

await run(process.argv.slice(2)).catch((error: Error) => {
  console.error(process.env.LOG_LEVEL === 'debug' ? error : messageOf(error))
  process.exitCode ||= 1
  // Whatever has not ended by itself ends now: a start that failed must not go on as half a server.
  setTimeout(() => process.exit(), 10_000).unref()
})
