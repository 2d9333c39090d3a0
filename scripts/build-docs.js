// Plain JavaScript, as run.js is, which calls it.
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isMain } from './is-main.js'

const root = fileURLToPath(new URL('..', import.meta.url))

/** What the pages of /docs are made from: files, and folders with all that is in them. */
const sources = [
  'package-lock.json',
  'docs/guides',
  'docs/legacy-to-v1.md',
  'docs/moving-in.md',
  'openapi',
  'site',
  'src/api/http/errors.ts',
  'web/docs.ts',
  'web/docs.css',
  'web/tokens.css',
  'web/shell/theme.ts',
]

function filesOf(path) {
  if (statSync(path).isFile()) return [path]
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
}

function buildNeeded() {
  const built = join(root, 'site/dist/pages.json')
  if (!existsSync(built)) return true
  const { mtimeMs } = statSync(built)
  return sources
    .flatMap((path) => filesOf(join(root, path)))
    .some((path) => !path.startsWith(join(root, 'site/dist')) && statSync(path).mtimeMs > mtimeMs)
}

/** Builds the documentation where that is missing, or older than what it is made from. */
export function buildDocs() {
  if (!buildNeeded()) return
  console.log('Building the documentation …')
  const { status } = spawnSync(join(root, 'node_modules/.bin/node'), [join(root, 'site/build.ts')], {
    cwd: root,
    stdio: 'inherit',
  })
  if (status === 0) return
  console.error('The documentation could not be built: see above.')
  process.exit(1)
}

if (isMain(import.meta.url)) buildDocs()
