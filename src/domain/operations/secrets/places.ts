import type { Database } from '../../../platform/db.ts'
import type { SecretBox } from '../../../platform/secret-box.ts'
import { forgetWebhookSecrets, sealWebhookSecrets } from '../../delivery/webhooks/sealed-secrets.ts'
import { forgetLinks, sealLinks } from '../../journal/mails/link-queries.ts'
import { deleteSettings, listSealedSettings, replaceSetting } from '../../kernel/setting-queries.ts'
import { sealedForSetting } from '../../kernel/shared-secret.ts'
import { forgetSealedAccess } from './queries.ts'

/** Seals by the newest key what an older one sealed, or nobody yet. Begun twice, or broken off, it does no harm. */
export async function sealAgain(db: Database, box: SecretBox): Promise<void> {
  for (const { name, value } of await listSealedSettings(db, {})) {
    if (box.isCurrent(value)) continue
    const sealedFor = sealedForSetting(name)
    await replaceSetting(db, { name, from: value, to: box.seal(box.open(value, sealedFor), sealedFor) })
  }
  await sealWebhookSecrets(db, box)
  await sealLinks(db, box)
}

/** For a key that is lost: what it sealed is given up, so that the server can go on with another. */
export async function forgetSealed(db: Database, box: SecretBox, now: Date): Promise<{ webhooks: number }> {
  const webhooks = await forgetWebhookSecrets(db, box, now)
  await forgetLinks(db, box)
  await forgetSealedAccess(db, { now })
  const sealed = await listSealedSettings(db, {})
  await deleteSettings(db, { names: sealed.map(({ name }) => name) })
  return { webhooks }
}
