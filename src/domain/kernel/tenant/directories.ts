import type { Db } from '../../../platform/db.ts'
import { directoryVersion } from './clock-queries.ts'
import type { Directory } from './directory.ts'
import { loadDirectory } from './queries.ts'

export interface Directories {
  get(db: Db, installerId: string): Promise<Directory>
  refresh(db: Db, installerId: string): Promise<Directory>
  /** For reading: what another process has changed is in it. */
  current(db: Db, installerId: string): Promise<Directory>
}

const kept = 500

/** Directories in memory, the least recently used dropped first. */
export function createDirectories(): Directories {
  const cache = new Map<string, Directory>()
  const refresh = async (db: Db, installerId: string) => {
    const directory = await loadDirectory(db, installerId)
    cache.delete(installerId)
    cache.set(installerId, directory)
    if (cache.size > kept) cache.delete(cache.keys().next().value!)
    return directory
  }
  const get = async (db: Db, installerId: string) => {
    const known = cache.get(installerId)
    if (!known) return refresh(db, installerId)
    cache.delete(installerId)
    cache.set(installerId, known)
    return known
  }
  return {
    refresh,
    get,
    async current(db, installerId) {
      const known = await get(db, installerId)
      return (await directoryVersion(db, { installerId })) === known.version
        ? known
        : refresh(db, installerId)
    },
  }
}
