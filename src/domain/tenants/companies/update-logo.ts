import { createHash } from 'node:crypto'
import { logoPicture } from '../../../platform/logo-picture.ts'
import { PictureUnreadable } from '../../../platform/thumbnail.ts'
import { addUsage } from '../../deals/storage/queries.ts'
import { requireQuota } from '../../deals/storage/require-quota.ts'
import { recordSetting } from '../../journal/audit/record-setting.ts'
import type { Context } from '../../kernel/context.ts'
import { DomainError } from '../../kernel/domain-error.ts'
import { authorize } from '../../kernel/policy.ts'
import { lockTenant } from '../../kernel/tenant/clock-queries.ts'
import { requireManagedCompany } from '../people/invite-member.ts'
import { deleteLogo, findLogo, saveLogo } from './logo-queries.ts'

export const maxLogoBytes = 2 * 1024 * 1024

/** Puts another sign on the company's proposals and invoices; null takes it away. */
export async function updateLogo(ctx: Context, companyId: string, picture: Buffer | null): Promise<void> {
  const { db, actor, now } = ctx
  authorize(actor, 'company.change')
  const company = await requireManagedCompany(ctx, db, companyId)
  const png = picture && (await readable(picture))
  const sha256 = png && createHash('sha256').update(png).digest('hex')
  await db.transaction(async (tx) => {
    const { installerId, id, name } = company
    await lockTenant(tx, installerId)
    const named = { installerId, companyId: id }
    const before = (await findLogo(tx, named))?.png.length ?? 0
    const more = (png?.length ?? 0) - before
    if (more > 0) await requireQuota(tx, named, more)
    await addUsage(tx, installerId, id, more)
    if (png && sha256) await saveLogo(tx, { ...named, png, sha256, now })
    else if (!(await deleteLogo(tx, named))) return
    const type = png ? 'company.logo_changed' : 'company.logo_removed'
    await recordSetting(tx, actor, now, { type, companyId: id, subjectId: id, name })
  })
}

async function readable(picture: Buffer): Promise<Buffer> {
  if (picture.length > maxLogoBytes)
    throw new DomainError('invalid', 'The logo is larger than 2 MB. Give a smaller picture.')
  try {
    return await logoPicture(picture)
  } catch (error) {
    if (!(error instanceof PictureUnreadable)) throw error
    throw new DomainError('invalid', 'This is no picture that can be shown. Give a PNG, JPEG or WebP file.')
  }
}
