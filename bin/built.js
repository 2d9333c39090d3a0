// Plain JavaScript for Node 20 and newer, as as-server.js is.
import { createHash } from 'node:crypto'
import { closeSync, existsSync, openSync, readdirSync, readSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

/** What the server is built into: a folder for each state of its sources. */
export const builds = join(root, 'dist')

/** By what they say: times are kept by no image and may be set by an archive. */
function fingerprint() {
  const files = readdirSync(join(root, 'src'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
  // With the versions of what builds it.
  files.push(join(root, 'package.json'))
  const hash = createHash('sha256')
  const buffer = Buffer.allocUnsafe(256 * 1024)
  for (const path of files.sort()) {
    hash.update(`${path.slice(root.length)}\n`)
    const file = openSync(path)
    for (let length = 1; length > 0; ) {
      length = readSync(file, buffer)
      hash.update(buffer.subarray(0, length))
    }
    closeSync(file)
  }
  return hash.digest('hex').slice(0, 32)
}

/** Where the sources that are there are built into, whether or not that was done. */
export const buildOf = () => join(builds, fingerprint())

/** What runs: what is built of the sources that are there, or these themselves. */
export function entryPoint() {
  const built = join(buildOf(), 'main.js')
  return existsSync(built)
    ? { path: built, isBuilt: true }
    : { path: join(root, 'src/main.ts'), isBuilt: false }
}
