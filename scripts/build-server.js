// Plain JavaScript, as run.js is, which calls it. Run by itself it builds: the image does so.
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { builtFolder, builtOf, fingerprint, isBuilt } from '../bin/built.js'

const root = fileURLToPath(new URL('..', import.meta.url))
const vite = join(root, 'node_modules/vite/bin/vite.js')
/** A server that was started before goes on loading what it was built into. */
const keptMs = 30 * 24 * 3600 * 1000

/** Puts the server's sources into a few files where that was not done since they changed. A server starts without it too. */
export function buildServer() {
  if (isBuilt()) return
  const sources = fingerprint()
  const args = ['build', '--config', 'scripts/server.vite.config.ts']
  // The image has no other Node than its own.
  const own = join(root, 'node_modules/.bin/node')
  const node = existsSync(own) ? own : process.execPath
  const { status } = spawnSync(node, [vite, ...args], { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] })
  if (status !== 0) return console.error('The server could not be built: it runs from its sources.')
  const oldest = Date.now() - keptMs
  for (const path of readdirSync(builtFolder).map((name) => join(builtFolder, name)))
    if (statSync(path).mtimeMs < oldest) rmSync(path)
  writeFileSync(builtOf, sources)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) buildServer()
