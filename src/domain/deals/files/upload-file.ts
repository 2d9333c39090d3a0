import { createHash } from 'node:crypto'
import { webPageMessage } from '../../../platform/contents/program-signs.ts'
import { cleanFileName } from '../../../platform/file-name.ts'
import type { CopiedFile } from '../../../platform/outbound/copy-from-address.ts'
import { ContentRefused } from '../../../platform/outbound/refused.ts'
import { receiveFile, type Sent } from '../../../platform/receive-file.ts'
import { requireExpected } from '../../kernel/changed-meanwhile.ts'
import { type Context, scopeOf } from '../../kernel/context.ts'
import { DomainError, notFound } from '../../kernel/domain-error.ts'
import type { Folder } from '../../kernel/folder.ts'
import { authorize, requireWriter } from '../../kernel/policy.ts'
import { requireStillGood } from '../../kernel/require-still-good.ts'
import type { NewFile } from '../changes/change.ts'
import { commitChange, runChange } from '../changes/commit-change.ts'
import { findProjectDeal } from '../changes/deal.ts'
import { erased } from '../changes/refuse-erased.ts'
import { requireQuota } from '../storage/require-quota.ts'
import type { FileAdded } from './add-files.ts'
import { requireMayAdd } from './add-files.ts'
import { type FileCopying, fileRecord, filesAdded, keepCopies } from './copy-files.ts'
import { findSameContents } from './queries.ts'
import { removeContents } from './release-contents.ts'

interface Received {
  name: string
  copy: CopiedFile
}

/** Puts a file that is being sent into a folder of a project, unless the folder has one of the same contents. */
export async function uploadFile(
  ctx: Context,
  copying: FileCopying,
  key: string,
  folder: Folder,
  sent: Sent,
): Promise<FileAdded> {
  const deal = await findProjectDeal(ctx.db, scopeOf(ctx), key)
  if (!deal) throw notFound('project')
  requireWriter(ctx.actor)
  requireMayAdd(ctx.actor, folder)
  await requireQuota(ctx.db, deal.project, sent.size ?? 0)
  const [file] = await record(ctx, copying, key, folder, [await receive(copying, sent)])
  return file!
}

/** Takes one file of several, to its end. */
export type TakeFile = (sent: Sent) => Promise<{ sha256: string }>

/**
 * Puts files that are being sent by a program into a folder of a project: all of them or none. `receiveAll` hands over
 * one after the other and says at the end which folder is meant.
 */
export async function uploadFiles(
  ctx: Context,
  copying: FileCopying,
  key: string,
  announcedBytes: number,
  receiveAll: (take: TakeFile) => Promise<Folder>,
): Promise<FileAdded[]> {
  const deal = await findProjectDeal(ctx.db, scopeOf(ctx), key)
  if (!deal) throw notFound('project')
  authorize(ctx.actor, 'files.addFromAddress')
  if (deal.lead.erasedAt) throw erased()
  requireExpected(ctx, deal.project)
  await requireQuota(ctx.db, deal.project, announcedBytes)
  const received: Received[] = []
  let folder: Folder
  try {
    folder = await receiveAll(async (sent) => {
      const file = await receive(copying, sent, `files[${received.length}]: `)
      received.push(file)
      return file.copy
    })
    requireMayAdd(ctx.actor, folder)
  } catch (error) {
    await removeContents(
      copying.store,
      received.map(({ copy }) => copy.key),
    )
    throw error
  }
  return record(ctx, copying, key, folder, received)
}

async function receive({ store }: FileCopying, sent: Sent, field = ''): Promise<Received> {
  const name = cleanFileName(sent.name)
  const copy = await receiveFile(store, { ...sent, name }).catch((error) => {
    throw refusal(error, field + name)
  })
  return { name, copy }
}

/** Records what was received; of contents that the folder has, or that came twice, only the first is kept. */
function record(
  ctx: Context,
  copying: FileCopying,
  key: string,
  folder: Folder,
  received: readonly Received[],
): Promise<FileAdded[]> {
  const copies = new Map(received.map(({ copy }) => [copy.key, copy]))
  return keepCopies(copying, copies, (keep) =>
    runChange(ctx, async (attempt) => {
      const before = await findProjectDeal(attempt.db, scopeOf(ctx), key)
      if (!before) throw notFound('project')
      requireExpected(ctx, before.project)
      const { id: projectId, installerId } = before.project
      const files: NewFile[] = []
      const answer: FileAdded[] = []
      for (const { name, copy } of received) {
        const { sha256 } = copy
        const there =
          files.find((file) => file.sha256 === sha256) ??
          (await findSameContents(attempt.db, { installerId, projectId, folder, sha256 }))
        if (there) {
          answer.push({ id: there.id, name: there.name, folder, added: false })
          continue
        }
        // It came from no address: its contents stand for one, so that a folder never has them twice.
        const url = `upload:${sha256}`
        const hash = createHash('sha256').update(url).digest('hex')
        const file = fileRecord({ url, hash, name }, folder, copy)
        files.push(file)
        answer.push({ id: file.id, name, folder, added: true })
      }
      if (files.length === 0) return answer
      await requireStillGood(attempt.db, ctx.actor)
      const { activities, events } = filesAdded(files)
      const changes = { [`files.${folder}`]: [null, files.map(({ name }) => name)] as [unknown, unknown] }
      await commitChange(
        ctx,
        attempt,
        before,
        { ...before, files: [...before.files, ...files] },
        {
          files,
          activities,
          events: [...events, { type: 'project.updated', subjectId: projectId, changes }],
        },
      )
      for (const file of files) keep(file)
      return answer
    }),
  )
}

function refusal(error: unknown, what: string): unknown {
  if (error instanceof ContentRefused) {
    const why =
      error.message === webPageMessage ? 'is a web page; print it as a PDF and add that' : error.message
    return new DomainError('invalid', `${what} ${why}. Nothing was added.`)
  }
  const cut = (error as { code?: string }).code === 'ECONNRESET'
  return cut ? new DomainError('invalid', 'The upload was cut off. Nothing was added: send it again.') : error
}
