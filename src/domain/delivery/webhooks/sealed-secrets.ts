import type { Database, Db, Statement } from '../../../platform/db.ts'
import { CannotOpen, type SecretBox } from '../../../platform/secret-box.ts'
import { disableWebhook } from './disable-webhook.ts'
import { setSecrets } from './queries.ts'
import { newSecret, type Secret } from './secret.ts'

/** What the secrets of an endpoint are sealed for. */
export const sealedForWebhook = (installerId: string, id: string) => `webhook:${installerId}:${id}`

export function sealedSecret(box: SecretBox, sealedFor: string, secret: Secret): Secret {
  return { ...secret, text: box.seal(secret.text, sealedFor) }
}

export function openSecrets(box: SecretBox, sealedFor: string, secrets: readonly Secret[]): Secret[] {
  return secrets.map((secret) => ({ ...secret, text: box.open(secret.text, sealedFor) }))
}

interface Kept {
  installerId: string
  id: string
  secrets: Secret[]
}

const batchSize = 200

const pageStatement: Statement = {
  name: 'webhooks-with-secrets',
  text: `select installer_id as "installerId", id, secrets from webhooks
    where (installer_id, id) > ($1, $2) order by installer_id, id limit ${batchSize}`,
}

/** Every endpoint of every tenant: the key is the whole server's. */
async function* everyWebhook(db: Db): AsyncGenerator<Kept> {
  for (let last = { installerId: '', id: '' }; ; ) {
    const page = await db.query<Kept>(pageStatement, [last.installerId, last.id])
    yield* page
    if (page.length < batchSize) return
    last = page.at(-1)!
  }
}

const lockStatement: Statement = {
  name: 'lock-webhook-secrets',
  text: 'select secrets from webhooks where installer_id = $1 and id = $2 for update',
}

/** Seals by the newest key what an older one sealed, or what an earlier version kept as it is. */
export async function sealWebhookSecrets(db: Database, box: SecretBox): Promise<void> {
  for await (const { installerId, id, secrets } of everyWebhook(db)) {
    if (secrets.every(({ text }) => box.isCurrent(text))) continue
    const sealedFor = sealedForWebhook(installerId, id)
    await db.transaction(async (tx) => {
      const [row] = await tx.query<{ secrets: Secret[] }>(lockStatement, [installerId, id])
      if (!row) return
      const plain = row.secrets.map((secret) =>
        secret.text.startsWith('sealed:') ? { ...secret, text: box.open(secret.text, sealedFor) } : secret,
      )
      const sealed = plain.map((secret) => sealedSecret(box, sealedFor, secret))
      await setSecrets(tx, installerId, id, sealed)
    })
  }
}

/** Gives endpoints whose secret cannot be read a new one, and stops telling them: their companies hear why. */
export async function forgetWebhookSecrets(db: Database, box: SecretBox, now: Date): Promise<number> {
  let forgotten = 0
  for await (const { installerId, id, secrets } of everyWebhook(db)) {
    const sealedFor = sealedForWebhook(installerId, id)
    if (opens(box, sealedFor, secrets)) continue
    await setSecrets(db, installerId, id, [sealedSecret(box, sealedFor, newSecret())])
    await disableWebhook(db, installerId, id, 'secretLost', now)
    forgotten++
  }
  return forgotten
}

function opens(box: SecretBox, sealedFor: string, secrets: readonly Secret[]): boolean {
  try {
    openSecrets(box, sealedFor, secrets)
    return true
  } catch (error) {
    if (error instanceof CannotOpen) return false
    throw error
  }
}
