// Plain JavaScript, as build-console.js is: installing and packing call it on whatever Node is there.
import { spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isMain } from './is-main.js'

const root = fileURLToPath(new URL('..', import.meta.url))
const dist = join(root, 'sdk/dist')
// Written last: what was broken off is built again.
const done = join(dist, 'LICENSE')

/** Whether the SDK was built before something that it is built from changed. */
function buildNeeded() {
  if (!existsSync(done)) return true
  const { mtimeMs } = statSync(done)
  const sources = readdirSync(join(root, 'sdk/src'), { recursive: true }).map((path) =>
    join(root, 'sdk/src', path),
  )
  return [join(root, 'sdk/tsconfig.json'), ...sources].some((path) => statSync(path).mtimeMs > mtimeMs)
}

/** Builds the SDK where that is missing: JavaScript and its types, for every runtime. */
export function buildSdk() {
  if (!buildNeeded()) return
  console.log('Building the SDK …')
  rmSync(dist, { recursive: true, force: true })
  const tsc = join(root, 'node_modules/typescript/bin/tsc')
  const { status } = spawnSync(process.execPath, [tsc, '-p', join(root, 'sdk')], { stdio: ['ignore', 2, 2] })
  if (status !== 0) {
    console.error('The SDK could not be built: see above.')
    process.exit(1)
  }
  copyFileSync(join(root, 'LICENSE'), done)
}

if (isMain(import.meta.url)) buildSdk()
