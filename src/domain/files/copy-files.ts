import { createHash } from 'node:crypto'
import { DatabaseUnavailable } from '../../platform/db.ts'
import { cleanFileName } from '../../platform/file-name.ts'
import type { FileStore } from '../../platform/file-store.ts'
import { newId, newToken } from '../../platform/ids.ts'
import { checkAddress } from '../../platform/outbound/address.ts'
import { type CopiedFile, type Copier, CopierBusy } from '../../platform/outbound/copy-from-address.ts'
import { Refused } from '../../platform/outbound/refused.ts'
import type { Effects, NewFile } from '../changes/change.ts'
import { DomainError } from '../domain-error.ts'
import type { Folder } from './file.ts'

export interface FileRequest {
  url: string
  name?: string
}

/** What copying takes: where to, how, and which hosts the operator trusts. */
export interface FileCopying {
  copier: Copier
  store: FileStore
  trustedHosts: ReadonlySet<string>
}

/** An address of a good form, and the name its file is to have. */
export interface Wanted {
  url: string
  /** SHA-256 of the address, in hex: what a folder knows it by. */
  hash: string
  name: string
}

/** How many addresses one call may name. */
export const maxFiles = 10

/** Looks at the form of each address. `field` is how the caller names it. */
export function checkAddresses(
  { trustedHosts }: FileCopying,
  requests: readonly FileRequest[],
  field: (i: number) => string,
): Wanted[] {
  return requests.map((request, i) => {
    try {
      const url = checkAddress(request.url, trustedHosts)
      url.hash = ''
      const hash = createHash('sha256').update(url.href).digest('hex')
      return { url: url.href, hash, name: cleanFileName(request.name || nameOf(url)) }
    } catch (error) {
      throw refusal(error, field(i), request.url)
    }
  })
}

function refusal(error: unknown, field: string, url: string): unknown {
  if (error instanceof Refused)
    return new DomainError('invalid', `${field}: ${url} ${error.message}. Nothing was added.`)
  if (error instanceof CopierBusy) {
    return new DomainError('unavailable', 'Too many files are being copied just now. Retry in a minute.')
  }
  return error
}

/** The address's own name: the last part of its path. */
function nameOf(url: URL): string {
  const last = url.pathname.split('/').findLast(Boolean) ?? ''
  try {
    return decodeURIComponent(last)
  } catch {
    // Not percent-encoded UTF-8: kept as it stands.
    return last
  }
}

/** All the copies by address hash. The first failure stops the others, and none of them stays. */
export async function copyAll(
  { copier, store }: FileCopying,
  wanted: readonly Wanted[],
  field: string,
  givenUp: AbortSignal,
): Promise<Map<string, CopiedFile>> {
  const stop = new AbortController()
  const signal = AbortSignal.any([stop.signal, givenUp])
  let failure: unknown = null
  const results = await Promise.all(
    wanted.map(async ({ url, name, hash }) => {
      try {
        return { hash, copy: await copier.copy({ url, name, signal }) }
      } catch (error) {
        failure ??= refusal(error, field, url)
        stop.abort()
        return null
      }
    }),
  )
  const copies = results.filter((result) => result !== null)
  if (failure === null) return new Map(copies.map(({ hash, copy }) => [hash, copy]))
  await Promise.all(copies.map(({ copy }) => store.remove(copy.key)))
  throw failure
}

/** Runs `record`, which is given the copies, and removes those that it does not keep. */
export async function keepCopies<T>(
  { store }: FileCopying,
  copies: ReadonlyMap<string, CopiedFile>,
  record: (keep: (file: NewFile) => void) => Promise<T>,
): Promise<T> {
  const unused = new Set([...copies.values()].map((copy) => copy.key))
  try {
    return await record((file) => unused.delete(file.storeKey))
  } catch (error) {
    // Whether it was written is not known: a copy too many is swept up later, one too few is lost.
    if (error instanceof DatabaseUnavailable) unused.clear()
    throw error
  } finally {
    await Promise.all([...unused].map((key) => store.remove(key)))
  }
}

/** The record of a copied file. */
export function newFile({ url, hash, name }: Wanted, folder: Folder, copy: CopiedFile): NewFile {
  const { key: storeKey, size, sha256, type, extension, inline } = copy
  return {
    id: newId('file'),
    folder,
    name,
    sourceUrl: url,
    sourceHash: hash,
    storeKey,
    token: newToken(),
    type,
    extension,
    inline,
    size,
    sha256,
  }
}

/** What goes into the feed and the event log for files that were added. */
export function filesAdded(files: readonly NewFile[]): Pick<Effects, 'activities' | 'events'> {
  return {
    activities: files.map(({ name, folder }) => ({
      type: 'fileAdded',
      body: `Added ${name} to ${folder}`,
      internal: folder === 'internal',
      about: folder,
    })),
    events: files.map(({ id, folder }) => ({
      type: 'file.added',
      subjectId: id,
      changes: { folder: [null, folder] },
    })),
  }
}
