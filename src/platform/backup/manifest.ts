import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Data, Manifest } from './manifest-schema.ts'

export type { Data, Manifest }

export const manifestName = 'manifest.json'

const hashOf = (manifest: Manifest) => createHash('sha256').update(JSON.stringify(manifest)).digest('hex')

export function manifestText(manifest: Manifest): string {
  return `${JSON.stringify({ manifest, sha256: hashOf(manifest) }, null, 1)}\n`
}

/** Reads and checks it; refuses what is damaged or made by another program. */
export async function readManifest(folder: string): Promise<Manifest> {
  const path = join(folder, manifestName)
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT')
      throw new Error(`${folder} is no whole backup: it has no ${manifestName}. Name another one.`)
    throw error
  })
  let found: { manifest?: Manifest; sha256?: string }
  try {
    found = JSON.parse(text)
  } catch {
    throw new Error(`${path} is damaged: it is not JSON. Use another backup.`)
  }
  const format = (found.manifest as { format?: unknown } | undefined)?.format
  if (typeof format === 'number' && format > 1) {
    throw new Error(`${folder} was made by a newer Sunstead. Use that version or a newer one.`)
  }
  // Loaded here: it is two thirds of what every other command would load for nothing.
  const { isManifest } = await import('./manifest-schema.ts')
  if (!isManifest(found.manifest)) throw new Error(`${path} is not a manifest of a backup.`)
  if (hashOf(found.manifest) !== found.sha256) {
    throw new Error(`${path} is damaged: its checksum is another. Use another backup.`)
  }
  return found.manifest
}
