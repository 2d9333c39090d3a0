import { newId, newToken } from '../../../platform/ids.ts'
import { recordSetting } from '../../journal/audit/record-setting.ts'
import { type Context, scopeOf } from '../../kernel/context.ts'
import { DomainError, notFound } from '../../kernel/domain-error.ts'
import type { Folder } from '../../kernel/folder.ts'
import { mayInFolder } from '../../kernel/folder-policy.ts'
import { authorize } from '../../kernel/policy.ts'
import { lockTenant } from '../../kernel/tenant/clock-queries.ts'
import { installerOf } from '../../kernel/tenant/directory.ts'
import { findProjectDeal, type SoldDeal } from '../changes/deal.ts'
import { findProjectFile } from '../files/queries.ts'
import { defaultDays, linkHash, linkPath, maxDays, maxWorkingLinks, type Shared } from './link.ts'
import { countWorkingLinks, insertLink } from './queries.ts'

export type ToShare =
  | { kind: 'file'; fileId: string }
  | { kind: 'folder'; folder: Folder }
  | { kind: 'proposal' }

const dayMs = 86_400_000

/**
 * Makes an address by which whoever has it opens a file, a folder or the proposal of a project, until it ends. Nobody
 * shares what they do not see themselves. The address is answered this once: only a hash of it is kept.
 */
export async function share(
  ctx: Context,
  key: string,
  wanted: ToShare,
  days = defaultDays,
): Promise<{ id: string; path: string; expiresAt: Date }> {
  const { db, actor, now } = ctx
  const deal = await findProjectDeal(db, scopeOf(ctx), key)
  if (!deal) throw notFound('project')
  authorize(actor, 'links.share')
  if (days < 1 || days > maxDays) throw new DomainError('invalid', `days: choose 1 to ${maxDays} days.`)
  const { shared, name } = await whatIsShared(ctx, deal, wanted)
  const { installerId, id: projectId, companyId } = deal.project
  const directory = await ctx.directories.current(db, installerId)

  const token = newToken()
  const id = newId('link')
  const expiresAt = new Date(now.getTime() + days * dayMs)
  await db.transaction(async (tx) => {
    await lockTenant(tx, installerId)
    // Removed or erased meanwhile, its name is not to be noted any more.
    if ('fileId' in shared && !(await findProjectFile(tx, installerId, projectId, shared.fileId)))
      throw notFound('file')
    if ((await countWorkingLinks(tx, { installerId, projectId, now })) >= maxWorkingLinks)
      throw new DomainError(
        'invalid',
        `This project has ${maxWorkingLinks} shared addresses that work. End some that are not needed first.`,
      )
    await insertLink(tx, {
      installerId,
      id,
      projectId,
      kind: shared.kind,
      folder: 'folder' in shared ? shared.folder : null,
      fileId: 'fileId' in shared ? shared.fileId : null,
      tokenHash: linkHash(token),
      createdBy: actor.id!,
      createdAt: now,
      expiresAt,
    })
    const changes = {
      project: [null, projectId] as [unknown, unknown],
      ...('folder' in shared ? { folder: [null, shared.folder] as [unknown, unknown] } : {}),
      until: [null, expiresAt.toISOString()] as [unknown, unknown],
    }
    await recordSetting(tx, actor, now, { type: 'link.created', companyId, subjectId: id, name, changes })
  })
  return { id, path: linkPath(installerOf(directory).number, token), expiresAt }
}

async function whatIsShared(
  { db, actor }: Context,
  { project }: SoldDeal,
  wanted: ToShare,
): Promise<{ shared: Shared; name: string }> {
  if (wanted.kind === 'proposal') {
    authorize(actor, 'sales.read')
    if (!project.proposalToken) throw notFound('proposal')
    return { shared: wanted, name: 'the proposal' }
  }
  if (wanted.kind === 'folder') {
    if (!mayInFolder(actor, 'read', wanted.folder)) throw notFound('folder')
    return { shared: wanted, name: wanted.folder }
  }
  const file = await findProjectFile(db, project.installerId, project.id, wanted.fileId)
  if (!file || !mayInFolder(actor, 'read', file.folder)) throw notFound('file')
  return { shared: { kind: 'file', fileId: file.id, folder: file.folder }, name: file.name }
}
