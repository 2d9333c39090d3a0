// Plain JavaScript, as run.js is, which calls it.
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isMain } from './is-main.js'

const root = fileURLToPath(new URL('..', import.meta.url))
const bin = join(root, 'node_modules/.bin')

/** Whether the console was built before something that it is built from changed. */
function buildNeeded() {
  const built = join(root, 'web/dist/index.html')
  if (!existsSync(built)) return true
  const { mtimeMs } = statSync(built)
  const isNewer = (path) => statSync(path).mtimeMs > mtimeMs
  const sources = readdirSync(join(root, 'web'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !path.startsWith(join(root, 'web/dist')))
  return [join(root, 'package-lock.json'), ...sources].some(isNewer)
}

/** Builds the console where that is missing. */
export function buildConsole() {
  if (!buildNeeded()) return
  console.log('Building the console …')
  const args = ['build', '--config', 'web/vite.config.ts', '--logLevel', 'warn']
  const { status } = spawnSync(join(bin, 'node'), [join(root, 'node_modules/vite/bin/vite.js'), ...args], {
    cwd: root,
    stdio: 'inherit',
  })
  if (status === 0) return
  console.error('The console could not be built: see above.')
  process.exit(1)
}

if (isMain(import.meta.url)) buildConsole()
