// npm test: the checks, then every test. With file names (npm test -- test/api/leads.test.ts) only those tests.
import { spawnSync } from 'node:child_process'
import { globSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import { buildConsole } from './build-console.js'
import { runChecks } from './checks.ts'

const given = process.argv.slice(2)
const failed = given.length > 0 ? [] : runChecks()
if (failed.length > 0) {
  console.error(`\nFailed before the tests: ${failed.join(', ')}`)
  process.exit(1)
}
buildConsole()
const files = given.length > 0 ? given : globSync('test/**/*.test.ts').sort()
const { status } = spawnSync(
  process.execPath,
  [
    '--test',
    '--test-global-setup=test/support/global-setup.ts',
    '--test-reporter=spec',
    '--test-timeout=300000',
    // Tests wait for the database and each other's processes more than they calculate.
    `--test-concurrency=${Math.max(2, availableParallelism())}`,
    ...files,
  ],
  // Each file is a process: they share what was once compiled.
  { stdio: 'inherit', env: { NODE_COMPILE_CACHE: resolve('node_modules/.cache/compiled'), ...process.env } },
)
process.exitCode = status ?? 1
