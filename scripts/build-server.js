// Plain JavaScript, as run.js is, which calls it. Run by itself it builds: the image does so.
import { spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildOf, builds } from '../bin/built.js'
import { isMain } from './is-main.js'

const root = fileURLToPath(new URL('..', import.meta.url))
/** A server that was started before goes on loading what it was built into. */
const keptBuilds = 3
const keptMs = 24 * 3600 * 1000

const isWhole = (built) => existsSync(join(built, 'main.js'))

/** Puts the server's sources into a few files where that was not done. Answers whether it is: a server starts without it too. */
export function buildServer() {
  try {
    const built = buildOf()
    if (isWhole(built)) return true
    prune()
    return build(built)
  } catch (error) {
    console.error(`The server could not be built, and runs from its sources: ${error.message}`)
    return false
  }
}

/** Beside its place and then moved there, so that what is there is whole. */
function build(built) {
  const under = join(builds, `building-${randomUUID()}`)
  mkdirSync(under, { recursive: true })
  try {
    const vite = join(root, 'node_modules/vite/bin/vite.js')
    const args = ['build', '--config', 'scripts/server.vite.config.ts', '--outDir', under]
    // The image has no other Node than its own.
    const own = join(root, 'node_modules/.bin/node')
    const options = { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] }
    const { status } = spawnSync(existsSync(own) ? own : process.execPath, [vite, ...args], options)
    if (status !== 0) throw new Error('see above.')
    // What changed meanwhile may be in it or not.
    if (buildOf() !== built) throw new Error('a source was changed meanwhile.')
    move(under, built)
    return true
  } finally {
    rmSync(under, { recursive: true, force: true })
  }
}

function move(under, built) {
  try {
    renameSync(under, built)
  } catch (error) {
    // Another was quicker, with the same.
    if (!isWhole(built)) throw error
  }
}

/** Removes what was built long ago, and what builds left that were broken off. */
function prune() {
  if (!existsSync(builds)) return
  const found = readdirSync(builds).map((name) => {
    const path = join(builds, name)
    return { path, isWhole: isWhole(path), madeMs: statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0 }
  })
  found.sort((a, b) => b.madeMs - a.madeMs)
  const kept = found.filter((one) => one.isWhole).slice(0, keptBuilds)
  for (const one of found)
    if (!kept.includes(one) && Date.now() - one.madeMs > keptMs)
      rmSync(one.path, { recursive: true, force: true })
}

if (isMain(import.meta.url)) process.exitCode = buildServer() ? 0 : 1
