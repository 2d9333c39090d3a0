// Every check that needs no running server. Each prints its own findings; all are run, then the verdict.
import { spawnSync } from 'node:child_process'

const checks: [name: string, command: string, args: string[]][] = [
  // By one thread: several would each find out what the others know, for nearly twice the work.
  ['types', 'tsc', ['-p', '.', '--singleThreaded']],
  ['types of the console', 'tsc', ['-p', 'web', '--singleThreaded']],
  ['types of the SDK', 'tsc', ['-p', 'sdk', '--noEmit', '--singleThreaded']],
  ['lint', 'biome', ['ci', '--error-on-warnings', '.']],
  [
    'architecture',
    'depcruise',
    ['src', 'web', 'sdk/src', 'bench', 'scripts', 'site', '--config', '.dependency-cruiser.cjs'],
  ],
  ['unused', 'knip', []],
  ['known vulnerabilities', 'node', ['scripts/audit.ts']],
  ['API description drift', 'node', ['scripts/openapi.ts', '--check']],
  ['SDK drift', 'node', ['scripts/sdk.ts', '--check']],
  ['permissions drift', 'node', ['scripts/permissions.ts', '--check']],
  ['API description', 'redocly', ['lint', '--format=summary', 'openapi/*.json']],
]

/** Runs the checks and answers the names of those that failed. */
export function runChecks(): string[] {
  const path = `${process.cwd()}/node_modules/.bin:${process.env.PATH}`
  const env = { ...process.env, PATH: path, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }
  return checks.flatMap(([name, command, args]) => {
    console.log(`\n── ${name}`)
    const { status } = spawnSync(command, args, { stdio: 'inherit', env })
    return status === 0 ? [] : [name]
  })
}
