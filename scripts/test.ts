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
    // Tests also wait for the database and for each other's processes: one more than can calculate at a time.
    `--test-concurrency=${availableParallelism() + 1}`,
    ...files,
  ],
  // Each file is a process: they share what was once compiled.
  { stdio: 'inherit', env: { NODE_COMPILE_CACHE: resolve('node_modules/.cache/compiled'), ...process.env } },
)
process.exitCode = status ?? 1
