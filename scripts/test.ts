// npm test: every test, and the checks beside them. With file names (npm test -- test/api/leads.test.ts) only those tests.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync } from 'node:fs'
import { resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { buildConsole } from './build-console.js'
import { buildDocs } from './build-docs.js'
import { buildSdk } from './build-sdk.js'
import { buildServer } from './build-server.js'

const given = process.argv.slice(2)
const checking = given.length > 0 ? null : check()
buildConsole()
buildSdk()
buildDocs()
buildServer()
const files = given.length > 0 ? given : globSync('test/**/*.test.ts').sort()
const tests = spawn(process.execPath, ['test/runner/run.ts', ...files], {
  stdio: 'inherit',
  // Tests start programs of their own: they share what was once compiled.
  env: { NODE_COMPILE_CACHE: resolve('node_modules/.cache/compiled'), ...process.env },
})
// A terminal interrupts both of us; who sends one signal sends it to us.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => tests.kill(signal))
const [code] = await once(tests, 'exit')
const passed = (await checking) ?? true
if (!passed) console.error('\nThe checks failed: see above, or npm run check.')
process.exitCode = code === 0 && passed ? 0 : 1

/** Prints in one piece what the checks found, and answers whether they passed. */
async function check(): Promise<boolean> {
  const child = spawn(process.execPath, ['scripts/check.ts'], { stdio: ['ignore', 'pipe', 'pipe'] })
  const [[code], out, err] = await Promise.all([once(child, 'exit'), text(child.stdout), text(child.stderr)])
  process.stdout.write(out + err)
  return code === 0
}
