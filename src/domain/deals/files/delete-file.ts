import type { FileStore } from '../../../platform/file-store/file-store.ts'
import { requireExpected } from '../../kernel/changed-meanwhile.ts'
import { type Context, scopeOf } from '../../kernel/context.ts'
import { DomainError, notFound } from '../../kernel/domain-error.ts'
import { folderNames } from '../../kernel/folder.ts'
import { mayInFolder, removesFile } from '../../kernel/folder-policy.ts'
import { requireWriter } from '../../kernel/policy.ts'
import { commitChange, runChange } from '../changes/commit-change.ts'
import { findProjectDeal } from '../changes/deal.ts'
import { findProjectFile } from './queries.ts'
import { releaseContents } from './release-contents.ts'

/** Takes a file off a project: its addresses answer no more, and its contents go where no other file has them. */
export async function deleteFile(ctx: Context, store: FileStore, key: string, fileId: string): Promise<void> {
  const { actor } = ctx
  const storeKey = await runChange(ctx, async (attempt) => {
    const { db } = attempt
    const before = await findProjectDeal(db, scopeOf(ctx), key)
    if (!before) throw notFound('project')
    const { id: projectId } = before.project
    const file = await findProjectFile(db, actor.installerId, projectId, fileId)
    if (!file || !mayInFolder(actor, 'read', file.folder)) throw notFound('file')
    requireWriter(actor)
    if (!removesFile(actor, file)) {
      throw new DomainError(
        'forbidden',
        'Only the installer’s owners, admins and managers and whoever added it may remove a file. Ask one of them.',
      )
    }
    requireExpected(ctx, before.project)
    const { folder, name } = file
    await commitChange(
      ctx,
      attempt,
      before,
      { ...before, files: before.files.filter(({ id }) => id !== file.id) },
      {
        removedFileId: file.id,
        activities: [
          {
            type: 'leadUpdated',
            body: `Removed ${name} from ${folderNames[folder]}`,
            internal: folder === 'internal',
            about: folder,
          },
        ],
        events: [
          {
            type: 'project.updated',
            subjectId: projectId,
            changes: { [`files.${folder}`]: [[name], null] },
          },
        ],
      },
    )
    return file.storeKey
  })
  await releaseContents(ctx.db, store, actor.installerId, [storeKey])
}
