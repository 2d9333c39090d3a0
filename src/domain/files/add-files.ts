import { createHash } from 'node:crypto'
import { DatabaseUnavailable } from '../../platform/db.ts'
import type { FileStore } from '../../platform/file-store.ts'
import { newId, newToken } from '../../platform/ids.ts'
import { checkAddress } from '../../platform/outbound/address.ts'
import { type CopiedFile, type Copier, CopierBusy } from '../../platform/outbound/copy-from-address.ts'
import { Refused } from '../../platform/outbound/refused.ts'
import type { NewFile } from '../changes/change.ts'
import { change, commitChange } from '../changes/commit-change.ts'
import { findProjectDeal, type SoldDeal } from '../changes/deal.ts'
import { type Context, confinedTo, requireInstaller, requireWriter } from '../context.ts'
import { DomainError, notFound } from '../domain-error.ts'
import type { Folder } from './file.ts'
import { findHeldFiles } from './queries.ts'

export interface FileRequest {
  url: string
  name?: string
}

export interface FileAdded {
  id: string
  name: string
  folder: Folder
  added: boolean
}

/** What copying takes: where to, how, and which hosts the operator trusts. */
export interface FileCopying {
  copier: Copier
  store: FileStore
  trustedHosts: ReadonlySet<string>
}

interface Wanted {
  url: string
  hash: string
  name: string
}

/** Copies files from their addresses into a folder of a project: all of them, or none. */
export async function addFiles(
  ctx: Context,
  copying: FileCopying,
  key: string,
  folder: Folder,
  requests: FileRequest[],
  givenUp: AbortSignal = new AbortController().signal,
): Promise<FileAdded[]> {
  const wanted = requests.map((request, i) => check(request, `files[${i}].url`, copying.trustedHosts))
  const project = await findProject(ctx, key)
  requireWriter(ctx.actor)
  requireInstaller(ctx.actor, 'add files to a project')

  const hashes = [...new Set(wanted.map((w) => w.hash))]
  const held = await findHeldFiles(ctx.db, ctx.actor.installerId, project.id, folder, hashes)
  const missing = hashes
    .filter((hash) => !held.some((file) => file.sourceHash === hash))
    .map((hash) => wanted.find((w) => w.hash === hash)!)
  const copies = await copyAll(copying, missing, givenUp)
  const unused = new Set([...copies.values()].map((copy) => copy.key))
  try {
    return await record(ctx, key, folder, wanted, copies, unused)
  } catch (error) {
    // Whether it was written is not known: a copy too many is swept up later, one too few is lost.
    if (error instanceof DatabaseUnavailable) unused.clear()
    throw error
  } finally {
    await Promise.all([...unused].map((storeKey) => copying.store.remove(storeKey)))
  }
}

async function findProject(ctx: Context, key: string): Promise<SoldDeal['project']> {
  const deal = await findProjectDeal(ctx.db, ctx.actor.installerId, confinedTo(ctx.actor), key)
  if (!deal) throw notFound('project')
  return deal.project
}

function check(request: FileRequest, field: string, trustedHosts: ReadonlySet<string>): Wanted {
  try {
    const url = checkAddress(request.url, trustedHosts)
    url.hash = ''
    const hash = createHash('sha256').update(url.href).digest('hex')
    return { url: url.href, hash, name: request.name || nameOf(url) }
  } catch (error) {
    throw refusal(error, field, request.url)
  }
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
  let name = last
  try {
    name = decodeURIComponent(last)
  } catch {
    // Not percent-encoded UTF-8: kept as it stands.
  }
  return (
    name
      .replace(/[/\\\p{Cc}]/gu, '_')
      .trim()
      .slice(0, 200)
      .toWellFormed() || 'file'
  )
}

/** All the copies by address hash. The first failure stops the others, and none of them stays. */
async function copyAll(
  { copier, store }: FileCopying,
  wanted: Wanted[],
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
        failure ??= refusal(error, 'files', url)
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

/** Records what was copied; takes from `unused` the copies that now belong to a file. */
async function record(
  ctx: Context,
  key: string,
  folder: Folder,
  wanted: Wanted[],
  copies: Map<string, CopiedFile>,
  unused: Set<string>,
): Promise<FileAdded[]> {
  return change(ctx, async (attempt) => {
    const { db } = attempt
    const before = await findProjectDeal(db, ctx.actor.installerId, confinedTo(ctx.actor), key)
    if (!before) throw notFound('project')
    const hashes = wanted.map((w) => w.hash)
    const held = await findHeldFiles(db, ctx.actor.installerId, before.project.id, folder, hashes)
    const known = new Map(held.map((file) => [file.sourceHash, { id: file.id, name: file.name }]))
    const files: NewFile[] = []
    const answer = wanted.map(({ hash, name, url }) => {
      const there = known.get(hash)
      if (there) return { ...there, folder, added: false }
      const { key: storeKey, size, sha256, type, extension, inline } = copies.get(hash)!
      const id = newId('file')
      files.push({
        id,
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
      })
      known.set(hash, { id, name })
      return { id, name, folder, added: true }
    })
    if (files.length === 0) return answer
    const { project } = before
    await commitChange(
      ctx,
      attempt,
      before,
      { ...before, files: [...before.files, ...files] },
      {
        files,
        activities: files.map((file) => ({
          type: 'fileAdded',
          body: `Added ${file.name} to ${folder}`,
          internal: folder === 'internal',
        })),
        events: [
          ...files.map((file) => ({
            type: 'file.added' as const,
            subjectId: file.id,
            changes: { folder: [null, folder] as [unknown, unknown] },
          })),
          {
            type: 'project.updated' as const,
            subjectId: project.id,
            changes: { [`files.${folder}`]: [null, files.map((f) => f.name)] },
          },
        ],
      },
    )
    for (const file of files) unused.delete(file.storeKey)
    return answer
  })
}
