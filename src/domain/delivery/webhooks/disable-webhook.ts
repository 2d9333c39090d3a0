import type { Database } from '../../../platform/db.ts'
import { newId } from '../../../platform/ids.ts'
import { recordSetting } from '../../journal/audit/record-setting.ts'
import type { Actor } from '../../kernel/context.ts'
import { bumpDirectory, lockTenant } from '../../kernel/tenant/clock-queries.ts'
import { mailOwners, setDisabled } from './queries.ts'

/** To the owners of a company whose endpoint is told nothing more. */
export function disabledMail({ id, url, reason }: { id: string; url: string; reason: string }) {
  return {
    subject: 'A webhook endpoint was turned off',
    body: [
      `The webhook endpoint ${url} (${id}) was turned off because ${reason}.`,
      'Undelivered and new events are kept for 30 days. Once the endpoint works again, turn it back on under Settings, Webhooks,',
      'or through the API. Waiting events are then delivered in order, and new ones follow.',
    ].join('\n'),
  }
}

const reasons = {
  gone: 'it answered 410 Gone',
  failing: 'every delivery to it has failed for 5 days',
  secretLost: 'the secret that signs its messages was lost: give it a new one, then enable it',
}

/** Stops sending to an endpoint, for which everything waits then, and tells its company so, in one transaction. */
export async function disableWebhook(
  db: Database,
  installerId: string,
  id: string,
  reason: keyof typeof reasons,
  now: Date,
): Promise<void> {
  await db.transaction(async (tx) => {
    await bumpDirectory(tx, installerId)
    await lockTenant(tx, installerId)
    const disabled = await setDisabled(tx, { installerId, id, reason: reasons[reason] })
    if (!disabled) return
    await recordSetting(tx, sender(installerId), now, {
      type: 'webhook.disabled',
      companyId: disabled.companyId,
      subjectId: id,
      name: disabled.url,
      changes: { status: ['enabled', 'disabled'] },
    })
    await mailOwners(tx, {
      installerId,
      companyId: disabled.companyId,
      now,
      id: newId('mail'),
      ...disabledMail({ id, url: disabled.url, reason: reasons[reason] }),
    })
  })
}

function sender(installerId: string): Actor {
  return {
    kind: 'job',
    id: null,
    name: 'Webhooks',
    installerId,
    companyId: installerId,
    companyKind: 'installer',
    canWrite: true,
  }
}
