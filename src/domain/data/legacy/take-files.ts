import { webPageMessage } from '../../../platform/contents/program-signs.ts'
import type { Db } from '../../../platform/db.ts'
import type { CopiedFile } from '../../../platform/outbound/copy-from-address.ts'
import { OutboundUnavailable, Refused } from '../../../platform/outbound/refused.ts'
import { withinTransaction } from '../../../platform/within-transaction.ts'
import type { NewFile } from '../../deals/changes/change.ts'
import { commitChange } from '../../deals/changes/commit-change.ts'
import { findProjectDeal } from '../../deals/changes/deal.ts'
import {
  checkAddresses,
  type FileCopying,
  fileRecord,
  filesAdded,
  keepCopies,
  type Wanted,
} from '../../deals/files/copy-files.ts'
import { findHeldFiles } from '../../deals/files/queries.ts'
import { type Context, scopeOf } from '../../kernel/context.ts'
import { DomainError, notFound } from '../../kernel/domain-error.ts'
import type { Folder } from '../../kernel/folder.ts'
import type { FileAddress } from './files-of-reading.ts'
import { addFileMarks, listFileMarks, noteFiles } from './queries.ts'
import type { LegacyProblem, LegacyRecord } from './source.ts'
import { holdSource, type Writing } from './write-records.ts'

export interface FileTaking {
  copying: FileCopying
  /** Where a page leads to that stands for a folder. */
  readLinks: (address: string, signal: AbortSignal) => Promise<URL[]>
  signal: AbortSignal
  /** Between two tries of an address that failed for the moment. */
  retry: (attempt: number, signal: AbortSignal) => Promise<void>
}

export interface FilesTaken {
  copied: number
  problems: LegacyProblem[]
}

/** A project here, and what is remembered of the one there. */
export interface ProjectRecord {
  projectId: string
  record: LegacyRecord
}

interface Copy {
  wanted: Wanted
  folder: Folder
  copy: CopiedFile
}

const together = 4
const maxAttempts = 3
const maxPages = 20

/** Copies a project's files from their addresses. What cannot be copied is said, and the others come all the same. */
export async function takeFiles(
  writing: Writing,
  taking: FileTaking,
  of: ProjectRecord,
  addresses: readonly FileAddress[],
): Promise<FilesTaken> {
  const { db, source } = writing
  const { projectId } = of
  const { installerId } = source
  const marks = new Set(await listFileMarks(db, { installerId, projectId }))
  const problems: LegacyProblem[] = []
  const say = ({ field }: FileAddress, error: unknown) => {
    problems.push({ field, message: `a file did not come: ${reasonOf(error)}` })
  }
  const left: { address: FileAddress; listed: boolean }[] = addresses.map((address) => ({
    address,
    listed: false,
  }))
  let copied = 0
  while (left.length > 0) {
    const next = left.splice(0, together)
    const copies: Copy[] = []
    const tried = await Promise.allSettled(
      next.map(async ({ address, listed }) => {
        const { folder, url } = address
        try {
          const [wanted] = checkAddresses(taking.copying, [{ url }], () => address.field)
          if (marks.has(`${folder} ${wanted!.hash}`)) return
          copies.push({ folder, wanted: wanted!, copy: await copyOne(taking, wanted!) })
        } catch (error) {
          taking.signal.throwIfAborted()
          if (!isWebPage(error)) return isRefusal(error) ? say(address, error) : rethrow(error)
          // A page of links that a page leads to is no folder: it leads on to the rest of the site.
          if (listed) return
          for (const link of await linksOf(taking, address, say))
            left.push({ address: { ...address, url: link }, listed: true })
        }
      }),
    )
    const failed = tried.find((one) => one.status === 'rejected')
    if (failed) {
      await keepCopies(taking.copying, byHash(copies), async () => {})
      throw failed.reason
    }
    try {
      copied += await record(writing, taking.copying, of, copies, marks)
    } catch (error) {
      if (!(error instanceof DomainError)) throw error
      // The company's storage is full, or the customer was erased: the rest would fare no better.
      problems.push({ field: 'allFilesURL', message: `files did not come: ${error.message}` })
      break
    }
  }
  return { copied, problems }
}

/** The addresses that a page which stands for a folder leads to, and those of the pages that continue it. */
async function linksOf(
  { readLinks, signal }: FileTaking,
  address: FileAddress,
  say: (address: FileAddress, error: unknown) => void,
): Promise<string[]> {
  const found = new Set<string>()
  const pages = [address.url]
  const { pathname } = new URL(address.url)
  for (let i = 0; i < pages.length && i < maxPages; i++) {
    try {
      for (const link of await readLinks(pages[i]!, signal)) {
        if (link.pathname !== pathname) found.add(link.href)
        else if (!pages.includes(link.href) && link.search !== '') pages.push(link.href)
      }
    } catch (error) {
      if (!isRefusal(error)) throw error
      say(address, error)
    }
  }
  return [...found]
}

async function copyOne({ copying, signal, retry }: FileTaking, wanted: Wanted): Promise<CopiedFile> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await copying.copier.copy({ url: wanted.url, name: wanted.name, signal })
    } catch (error) {
      signal.throwIfAborted()
      if (!(error instanceof OutboundUnavailable) || attempt === maxAttempts) throw error
      await retry(attempt, signal)
    }
  }
}

function rethrow(error: unknown): never {
  throw error
}

const isWebPage = (error: unknown) => error instanceof Refused && error.message === webPageMessage
const isRefusal = (error: unknown): error is Error => error instanceof Refused || error instanceof DomainError
const byHash = (copies: readonly Copy[]) => new Map(copies.map(({ copy }) => [copy.key, copy]))

function reasonOf(error: unknown): string {
  if (error instanceof DomainError) return error.message.replace(/^\S+: | Nothing was added\.$/g, '')
  return `its address ${(error as Error).message}`
}

/** Records copies with what they are known by from now on; contents that the folder had once are let go. */
async function record(
  writing: Writing,
  copying: FileCopying,
  { projectId, record: legacy }: ProjectRecord,
  copies: readonly Copy[],
  marks: Set<string>,
): Promise<number> {
  if (copies.length === 0) return 0
  const { db, source } = writing
  const { installerId } = source
  const known: { folder: Folder; mark: string }[] = []
  const files: NewFile[] = []
  for (const { folder, wanted, copy } of copies) {
    const contents = `sha256:${copy.sha256}`
    const isKnown =
      marks.has(`${folder} ${contents}`) ||
      known.some((one) => one.folder === folder && one.mark === contents)
    known.push({ folder, mark: wanted.hash }, { folder, mark: contents })
    if (!isKnown) files.push(fileRecord(wanted, folder, copy))
  }
  const added = await keepCopies(copying, byHash(copies), (keep) =>
    db.transaction(async (tx) => {
      await holdSource(tx, source)
      const ctx = writing.context(withinTransaction(tx))
      const added = await add(ctx, writing, tx, projectId, files)
      await addFileMarks(tx, {
        installerId,
        projectId,
        folders: known.map(({ folder }) => folder),
        marks: known.map(({ mark }) => mark),
      })
      const counted = { files: added.length, problems: '[]' }
      await noteFiles(tx, { ...legacy, installerId, sourceId: source.id, ...counted })
      for (const file of added) keep(file)
      return added.length
    }),
  )
  for (const { folder, mark } of known) marks.add(`${folder} ${mark}`)
  return added
}

/** Those that the folder has not been given by somebody else since. */
async function add(
  ctx: Context,
  { directories, source }: Writing,
  tx: Db,
  projectId: string,
  copied: readonly NewFile[],
): Promise<NewFile[]> {
  const { installerId } = source
  const before = await findProjectDeal(tx, scopeOf(ctx), projectId)
  if (!before) throw notFound('project')
  const files: NewFile[] = []
  const changes: Record<string, [unknown, unknown]> = {}
  for (const [folder, own] of Map.groupBy(copied, (file) => file.folder)) {
    const sourceHashes = own.map(({ sourceHash }) => sourceHash)
    const held = await findHeldFiles(tx, { installerId, projectId, folder, sourceHashes })
    const fresh = own.filter((file) => !held.some(({ sourceHash }) => sourceHash === file.sourceHash))
    files.push(...fresh)
    if (fresh.length > 0) changes[`files.${folder}`] = [null, fresh.map(({ name }) => name)]
  }
  if (files.length === 0) return []
  const directory = await directories.current(tx, installerId)
  const { activities, events } = filesAdded(files)
  const after = { ...before, files: [...before.files, ...files] }
  await commitChange(ctx, { db: tx, directory, proven: false }, before, after, {
    files,
    activities,
    events: [...events, { type: 'project.updated', subjectId: projectId, changes }],
  })
  return files
}
