import type { SecretBox } from '../../../platform/secret-box.ts'
import { recordSetting } from '../../journal/audit/record-setting.ts'
import type { Context } from '../../kernel/context.ts'
import { authorize } from '../../kernel/policy.ts'
import { setSecrets } from './queries.ts'
import { requireWebhook } from './require-webhook.ts'
import { sealedForWebhook, sealedSecret } from './sealed-secrets.ts'
import { createSecret, rotated } from './secret.ts'

export interface RotatedSecret {
  secret: string
  /** Until when the one before also signs; null where it stopped at once. */
  previousExpiresAt: Date | null
}

/** Gives an endpoint a new secret. The one before signs too for some hours, so that no message is refused meanwhile. */
export async function rotateSecret(
  ctx: Context,
  box: SecretBox,
  id: string,
  { own, graceHours }: { own: string | undefined; graceHours: number },
): Promise<RotatedSecret> {
  const { installerId } = ctx.actor
  const { record, companyId } = await requireWebhook(ctx, ctx.db, id)
  authorize(ctx.actor, 'webhooks.change')
  const next = createSecret(own)
  const sealed = sealedSecret(box, sealedForWebhook(installerId, id), next)
  const graceUntil = graceHours === 0 ? null : new Date(ctx.now.getTime() + graceHours * 3_600_000)
  await ctx.db.transaction(async (tx) => {
    // Before the endpoint is held: others who change it hold the tenant first.
    await recordSetting(tx, ctx.actor, ctx.now, {
      type: 'webhook.secret_rotated',
      companyId,
      subjectId: id,
      name: record.url,
      changes: { previousSecretUntil: [null, graceUntil] },
    })
    const { secrets } = await requireWebhook(ctx, tx, id, true)
    await setSecrets(tx, { installerId, id }, rotated(secrets, sealed, graceUntil))
  })
  return { secret: next.text, previousExpiresAt: graceUntil }
}
