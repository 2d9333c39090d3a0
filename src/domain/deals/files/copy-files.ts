import { createHash } from 'node:crypto'
import { DatabaseUnavailable } from '../../../platform/database-errors.ts'
import { createFairQueue, type FairQueue, QueueBusy, QueueStopped } from '../../../platform/fair-queue.ts'
import { cleanFileName } from '../../../platform/file-name.ts'
import type { FileStore } from '../../../platform/file-store/file-store.ts'
import { newId, newToken } from '../../../platform/ids.ts'
import { checkAddress } from '../../../platform/outbound/address.ts'
import { type CopiedFile, type Copier, longestCopyMs } from '../../../platform/outbound/copy-from-address.ts'
import { OutboundUnavailable, Refused } from '../../../platform/outbound/refused.ts'
import { type Actor, shareOf } from '../../kernel/context.ts'
import { DomainError, TryLater } from '../../kernel/domain-error.ts'
import { type Folder, folderNames } from '../../kernel/folder.ts'
import type { Effects, NewFile } from '../changes/change.ts'
import { removeContents } from './release-contents.ts'

/** How long copies under way may go on once the server is told to stop. */
export const copyGraceMs = 10_000

/**
 * Copies wait for other servers and cost us little, so many may be under way; but each may take its ten minutes, and a
 * company that names slow addresses must fill its own share only. Dealers share their installer's, as it makes dealers
 * at will.
 */
export function createCopyQueue(): FairQueue {
  return createFairQueue({
    atOnce: { all: 64, group: 8, owner: 4 },
    waiting: { all: 400, group: 60, owner: 20 },
    maxWaitMs: 30_000,
    maxWorkMs: longestCopyMs,
  })
}

export interface FileRequest {
  url: string
  name?: string
}

/** What copying takes: where to, how, and which hosts the operator trusts. */
export interface FileCopying {
  copier: Copier
  /** In which calls wait until their company's share of the copying is free. */
  line: FairQueue
  store: FileStore
  trustedHosts: ReadonlySet<string>
}

/** An address of a good form, and the name its file is to have. */
export interface Wanted {
  url: string
  /** SHA-256 of the address, in hex: what a folder knows it by. */
  hash: string
  name: string
  /** How the caller names the address. */
  field: string
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
      const name = cleanFileName(request.name || nameOf(url))
      return { url: url.href, hash, name, field: field(i) }
    } catch (error) {
      throw refusal(error, field(i))
    }
  })
}

/** Whoever was down, slow or busy is asked again by the caller, and not before this. */
const passingSeconds = 30

/** The address is named by its field and never repeated: passwords and signatures stand in addresses. */
function refusal(error: unknown, field: string): unknown {
  if (!(error instanceof Refused)) return error
  const message = `${field}: the address ${error.message}. Nothing was added.`
  return error instanceof OutboundUnavailable
    ? new TryLater('unavailable', `${message} Retry later: it may pass.`, passingSeconds)
    : new DomainError('invalid', message)
}

/** Why a call did not get its turn, or lost it. */
function turnedAway(error: unknown): unknown {
  if (error instanceof QueueBusy) {
    const seconds = error.retryAfterSeconds
    const message = `Your company has as many files being copied as it may at once. Nothing was added. Retry in ${seconds} s.`
    return new TryLater('unavailable', message, seconds)
  }
  if (error instanceof QueueStopped)
    return new DomainError('unavailable', 'The server is stopping. Nothing was added. Retry shortly.')
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

/** How many addresses of one call are copied at the same time, as far as the company's share allows. */
const copiesAtOnce = 4

/**
 * All the copies by address hash. The first failure stops the others, and none of them stays. A call waits for one place
 * in the line and keeps it until its last file is there; more of its files are copied beside where places are free.
 */
export async function copyAll(
  { copier, line, store }: FileCopying,
  actor: Actor,
  wanted: readonly Wanted[],
  givenUp: AbortSignal,
): Promise<Map<string, CopiedFile>> {
  if (wanted.length === 0) return new Map()
  const share = shareOf(actor)
  const stop = new AbortController()
  const left = [...wanted]
  const copies = new Map<string, CopiedFile>()
  let failure: unknown = null

  const copyRemaining = async (signal: AbortSignal) => {
    const either = AbortSignal.any([stop.signal, signal])
    for (let next = left.shift(); next && failure === null; next = left.shift()) {
      const { url, hash, name, field } = next
      try {
        copies.set(hash, await copier.copy({ url, name, signal: either }))
      } catch (error) {
        failure ??= refusal(error, field)
        stop.abort()
      }
    }
  }
  const copyTogether = async (signal: AbortSignal) => {
    const beside = Array.from({ length: Math.min(copiesAtOnce, wanted.length) - 1 }, () =>
      line.runIfFree(share, copyRemaining, givenUp),
    )
    await Promise.all([copyRemaining(signal), ...beside])
  }
  await line.run(share, copyTogether, givenUp).catch((error) => {
    failure ??= error
  })
  if (failure === null) return copies
  await removeContents(
    store,
    [...copies.values()].map(({ key }) => key),
  )
  throw turnedAway(failure)
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
    await removeContents(store, unused)
  }
}

/** The record of a copied file. */
export function fileRecord(
  { url, hash, name }: Omit<Wanted, 'field'>,
  folder: Folder,
  copy: CopiedFile,
): NewFile {
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
      body: `Added ${name} to ${folderNames[folder]}`,
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
