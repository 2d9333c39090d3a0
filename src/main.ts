import { buildProgram } from './cli/program.ts'
import { readConfig } from './config.ts'
import { demoLines } from './demo/demo-lines.ts'
import { createLog } from './platform/log.ts'
import type { Server } from './server.ts'

/** Serves until a signal comes; Ctrl-C and SIGTERM may reach us more than once. */
async function serve(): Promise<void> {
  // Loaded here, so that the other commands start without it.
  const { startServer } = await import('./server.ts')
  const config = readConfig(process.env)
  const log = createLog(config.logLevel)
  const server = await startServer(config, log)
  console.log(welcome(server).join('\n'))
  await new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.on(signal, () => {
        log.info({ signal }, 'stopping')
        resolve()
      })
    }
  })
  await server.stop()
  log.flush()
}

function welcome({ parts, demo, setUpCode }: Server): string[] {
  const { baseUrl, legacyBaseUrl, catalogBaseUrl } = parts.addresses
  return [
    '',
    `  Sunstead is ready at ${baseUrl}`,
    '',
    `  Company-key API   ${baseUrl}/v1`,
    `  Legacy API        ${legacyBaseUrl}`,
    `  Catalogue API     ${catalogBaseUrl}/v1`,
    `  Reference         ${baseUrl}/docs`,
    ...(setUpCode
      ? ['', `  Make your company at ${baseUrl}/set-up`, `  with the set-up code ${setUpCode}`]
      : []),
    ...(demo ? ['', ...demoLines(demo).map((line) => `  ${line}`)] : []),
    '',
  ]
}

await buildProgram({ serve })
  .parseAsync()
  .catch((error: Error) => {
    console.error(process.env.LOG_LEVEL === 'debug' ? error : error.message)
    process.exitCode = 1
  })
