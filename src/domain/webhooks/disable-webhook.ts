import type { Database } from '../../platform/db.ts'
import { newId } from '../../platform/ids.ts'
import { bumpDirectory, lockTenant } from '../companies/queries.ts'
import { mailOwners, setDisabled } from './queries.ts'

const reasons = {
  gone: 'it answered 410 Gone',
  failing: 'every delivery to it has failed for 5 days',
}

/** Stops telling an endpoint, and tells its company so, in one transaction. */
export async function disableWebhook(
  db: Database,
  installerId: string,
  id: string,
  reason: keyof typeof reasons,
  now: Date,
): Promise<void> {
  await db.transaction(async (tx) => {
    await bumpDirectory(tx, installerId)
    const since = await lockTenant(tx, installerId)
    const disabled = await setDisabled(tx, installerId, id, reasons[reason], since)
    if (!disabled) return
    await mailOwners(tx, installerId, disabled.companyId, now, {
      id: newId('mail'),
      subject: 'A webhook endpoint was turned off',
      body: [
        `The webhook endpoint ${disabled.url} (${id}) was turned off, because ${reasons[reason]}.`,
        'What has not arrived is kept for 30 days. Once the endpoint works again, turn it on with',
        `POST /webhooks/${id}/enable: what is waiting is then delivered, and new events follow.`,
      ].join('\n'),
    })
  })
}
