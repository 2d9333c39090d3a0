import { createHash } from 'node:crypto'
import { webPageMessage } from '../../../platform/contents/program-signs.ts'
import { cleanFileName } from '../../../platform/file-name.ts'
import { ContentRefused } from '../../../platform/outbound/refused.ts'
import { receiveFile, type Sent } from '../../../platform/receive-file.ts'
import { type Context, scopeOf } from '../../kernel/context.ts'
import { DomainError, notFound } from '../../kernel/domain-error.ts'
import type { Folder } from '../../kernel/folder.ts'
import { requireWriter } from '../../kernel/policy.ts'
import { requireStillGood } from '../../kernel/require-still-good.ts'
import { commitChange, runChange } from '../changes/commit-change.ts'
import { findProjectDeal } from '../changes/deal.ts'
import { requireQuota } from '../storage/require-quota.ts'
import type { FileAdded } from './add-files.ts'
import { requireMayAdd } from './add-files.ts'
import { type FileCopying, fileRecord, filesAdded, keepCopies } from './copy-files.ts'
import { findSameContents } from './queries.ts'

/** Puts a file that is being sent into a folder of a project, unless the folder has one of the same contents. */
export async function uploadFile(
  ctx: Context,
  copying: FileCopying,
  key: string,
  folder: Folder,
  given: Sent,
): Promise<FileAdded> {
  const sent = { ...given, name: cleanFileName(given.name) }
  const deal = await findProjectDeal(ctx.db, scopeOf(ctx), key)
  if (!deal) throw notFound('project')
  requireWriter(ctx.actor)
  requireMayAdd(ctx.actor, folder)
  await requireQuota(ctx.db, deal.project, sent.size ?? 0)

  const copy = await receiveFile(copying.store, sent).catch((error) => {
    throw refusal(error, sent.name)
  })
  return keepCopies(copying, new Map([[copy.key, copy]]), (keep) =>
    runChange(ctx, async (attempt) => {
      const before = await findProjectDeal(attempt.db, scopeOf(ctx), key)
      if (!before) throw notFound('project')
      const { id: projectId, installerId } = before.project
      const there = await findSameContents(attempt.db, {
        installerId,
        projectId,
        folder,
        sha256: copy.sha256,
      })
      if (there) return { ...there, folder, added: false }
      await requireStillGood(attempt.db, ctx.actor)
      // It came from no address: its contents stand for one, so that a folder never has them twice.
      const url = `upload:${copy.sha256}`
      const hash = createHash('sha256').update(url).digest('hex')
      const file = fileRecord({ url, hash, name: sent.name }, folder, copy)
      const { activities, events } = filesAdded([file])
      const changes = { [`files.${folder}`]: [null, [file.name]] as [unknown, unknown] }
      await commitChange(
        ctx,
        attempt,
        before,
        { ...before, files: [...before.files, file] },
        {
          files: [file],
          activities,
          events: [...events, { type: 'project.updated', subjectId: projectId, changes }],
        },
      )
      keep(file)
      return { id: file.id, name: file.name, folder, added: true }
    }),
  )
}

function refusal(error: unknown, name: string): unknown {
  if (error instanceof ContentRefused) {
    const why =
      error.message === webPageMessage ? 'is a web page; print it as a PDF and add that' : error.message
    return new DomainError('invalid', `${name} ${why}. Nothing was added.`)
  }
  const cut = (error as { code?: string }).code === 'ECONNRESET'
  return cut ? new DomainError('invalid', 'The upload was cut off. Nothing was added: send it again.') : error
}
