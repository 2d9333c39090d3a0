// Plain JavaScript for Node 20 and newer, as as-server.js is.
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

/** What the server is built into, and of which sources: written last, so that what is half built is not taken for built. */
export const builtFolder = join(root, 'dist/server')
export const builtOf = join(builtFolder, 'sources')

/** Changes with any of the sources. By whole seconds: an image keeps no more of their times. */
export function fingerprint() {
  const hash = createHash('sha256')
  const files = readdirSync(join(root, 'src'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
  for (const path of files.sort()) {
    const { size, mtimeMs } = statSync(path)
    hash.update(`${path.slice(root.length)} ${size} ${Math.floor(mtimeMs / 1000)}\n`)
  }
  return hash.digest('hex')
}

/** Whether what was built is of the sources that are there: those are what runs where it is not. */
export function isBuilt() {
  try {
    return readFileSync(builtOf, 'utf8') === fingerprint()
  } catch {
    return false
  }
}
