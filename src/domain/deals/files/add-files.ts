import type { CopiedFile } from '../../../platform/outbound/copy-from-address.ts'
import { requireExpected } from '../../kernel/changed-meanwhile.ts'
import { type Actor, type Context, scopeOf } from '../../kernel/context.ts'
import { DomainError, notFound } from '../../kernel/domain-error.ts'
import { type Folder, folderNames } from '../../kernel/folder.ts'
import { mayInFolder } from '../../kernel/folder-policy.ts'
import { authorize, may } from '../../kernel/policy.ts'
import { requireStillGood } from '../../kernel/require-still-good.ts'
import type { NewFile } from '../changes/change.ts'
import { commitChange, runChange } from '../changes/commit-change.ts'
import { findProjectDeal } from '../changes/deal.ts'
import { requireQuota } from '../storage/require-quota.ts'
import {
  checkAddresses,
  copyAll,
  type FileCopying,
  type FileRequest,
  fileRecord,
  filesAdded,
  keepCopies,
  type Wanted,
} from './copy-files.ts'
import { findHeldFiles } from './queries.ts'

/** Lets who may add to a folder go on. Whoever runs a dealer is told who may, not to ask themselves. */
export function requireMayAdd(actor: Actor, folder: Folder): void {
  if (mayInFolder(actor, 'add', folder)) return
  const who = may(actor, 'records.readAll')
    ? 'Only the installer’s people can.'
    : 'Ask an owner, admin or manager.'
  throw new DomainError('forbidden', `You can’t add files to “${folderNames[folder]}”. ${who}`)
}

export interface FileAdded {
  id: string
  name: string
  folder: Folder
  added: boolean
}

export interface FilesToAdd {
  folder: Folder
  files: FileRequest[]
  /** How the caller names the address of one of them. */
  field?: (i: number) => string
}

const ourField = (i: number) => `files[${i}].url`

/** Copies files from their addresses into a folder of a project: all of them, or none. */
export async function addFiles(
  ctx: Context,
  copying: FileCopying,
  key: string,
  toAdd: FilesToAdd,
  givenUp: AbortSignal = new AbortController().signal,
): Promise<FileAdded[]> {
  const { wanted, missing } = await findMissing(ctx, copying, key, toAdd)
  const copies = await copyAll(copying, ctx.actor, missing, givenUp)
  return keepCopies(copying, copies, (keep) => record(ctx, key, toAdd.folder, wanted, copies, keep))
}

/** Which of the files would be added, for whoever is about to. Nothing is copied, so what they hold is not known yet. */
export async function previewFiles(
  ctx: Context,
  copying: FileCopying,
  key: string,
  toAdd: FilesToAdd,
): Promise<Pick<FileAdded, 'added'>[]> {
  const { wanted, missing } = await findMissing(ctx, copying, key, toAdd)
  return wanted.map((one) => ({ added: missing.includes(one) }))
}

/** What is asked for, as far as it may be, and what of it the folder does not hold yet. */
async function findMissing(
  ctx: Context,
  copying: FileCopying,
  key: string,
  { folder, files, field = ourField }: FilesToAdd,
): Promise<{ wanted: Wanted[]; missing: Wanted[] }> {
  const wanted = checkAddresses(copying, files, field)
  const { installerId } = ctx.actor
  const deal = await findProjectDeal(ctx.db, scopeOf(ctx), key)
  if (!deal) throw notFound('project')
  authorize(ctx.actor, 'files.addFromAddress')
  requireMayAdd(ctx.actor, folder)
  requireExpected(ctx, deal.project)

  const hashes = [...new Set(wanted.map((w) => w.hash))]
  const held = await findHeldFiles(ctx.db, {
    installerId,
    projectId: deal.project.id,
    folder,
    sourceHashes: hashes,
  })
  const missing = hashes
    .filter((hash) => !held.some((file) => file.sourceHash === hash))
    .map((hash) => wanted.find((w) => w.hash === hash)!)
  if (missing.length > 0) await requireQuota(ctx.db, deal.project, missing.length)
  return { wanted, missing }
}

/** Records what was copied; says which copies are to be kept. */
async function record(
  ctx: Context,
  key: string,
  folder: Folder,
  wanted: Wanted[],
  copies: Map<string, CopiedFile>,
  keep: (file: NewFile) => void,
): Promise<FileAdded[]> {
  return runChange(ctx, async (attempt) => {
    const { db } = attempt
    const before = await findProjectDeal(db, scopeOf(ctx), key)
    if (!before) throw notFound('project')
    requireExpected(ctx, before.project)
    const hashes = wanted.map((w) => w.hash)
    const held = await findHeldFiles(db, {
      installerId: ctx.actor.installerId,
      projectId: before.project.id,
      folder,
      sourceHashes: hashes,
    })
    const known = new Map(held.map((file) => [file.sourceHash, { id: file.id, name: file.name }]))
    const files: NewFile[] = []
    const answer = wanted.map((one) => {
      const there = known.get(one.hash)
      if (there) return { ...there, folder, added: false }
      const file = fileRecord(one, folder, copies.get(one.hash)!)
      files.push(file)
      const { id, name } = file
      known.set(one.hash, { id, name })
      return { id, name, folder, added: true }
    })
    if (files.length === 0) return answer
    await requireStillGood(db, ctx.actor)
    const { activities, events } = filesAdded(files)
    const changes = { [`files.${folder}`]: [null, files.map((f) => f.name)] as [unknown, unknown] }
    await commitChange(
      ctx,
      attempt,
      before,
      { ...before, files: [...before.files, ...files] },
      {
        files,
        activities,
        events: [...events, { type: 'project.updated', subjectId: before.project.id, changes }],
      },
    )
    for (const file of files) keep(file)
    return answer
  })
}
