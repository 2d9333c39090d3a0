// Plain JavaScript, as run.js is, which calls it. Run by itself it compiles: the image does so.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import module from 'node:module'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { becomeServer } from '../bin/as-server.js'

const root = fileURLToPath(new URL('..', import.meta.url))
const compiled = join(root, 'node_modules/.cache/compiled')
const done = join(root, 'node_modules/.cache/server-compiled')

const sources = () =>
  readdirSync(join(root, 'src'), { recursive: true })
    .filter((path) => path.endsWith('.ts'))
    .map((path) => join(root, 'src', path))

function isCompiled() {
  if (!existsSync(done)) return false
  const { mtimeMs } = statSync(done)
  const others = ['package-lock.json', 'bin/as-server.js'].map((path) => join(root, path))
  return [...others, ...sources()].every((path) => statSync(path).mtimeMs <= mtimeMs)
}

/** Of all that a server may load, now or later. One that compiles by itself holds the compiler for as long as it runs. */
async function compile() {
  mkdirSync(compiled, { recursive: true })
  // A copy of the checkout finds it too.
  module.enableCompileCache({ directory: compiled, portable: true })
  const entry = join(root, 'src/main.ts')
  for (const path of sources()) if (path !== entry) await import(pathToFileURL(path).href)
  writeFileSync(done, '')
  // The entry runs a command: asked for help, it tells and ends, and what was compiled is written down at the end.
  process.argv = [process.execPath, entry, '--help']
  await import(pathToFileURL(entry).href)
}

/** Compiles where that was not done since something changed. A server starts without it too. */
export function compileServer() {
  if (isCompiled()) return
  const self = fileURLToPath(import.meta.url)
  spawnSync(join(root, 'node_modules/.bin/node'), [self], { stdio: 'ignore' })
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  becomeServer()
  await compile()
}
