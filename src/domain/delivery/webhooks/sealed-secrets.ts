import type { Database, Db } from '../../../platform/db.ts'
import { CannotOpen, type SecretBox } from '../../../platform/secret-box.ts'
import { inOrder } from '../../../platform/sql/gather.ts'
import { json, row, select, text } from '../../../platform/sql/row.ts'
import { type Params, sql } from '../../../platform/sql/sql.ts'
import { many, maybeOne } from '../../../platform/sql/statements.ts'
import { disableWebhook } from './disable-webhook.ts'
import { setSecrets } from './queries.ts'
import { createSecret, type Secret } from './secret.ts'

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

const kept = row<Kept>({ installerId: text, id: text, secrets: json })

const webhooksAfter = many(
  kept,
  ($: Params<{ afterInstaller: string; afterId: string; limit: number }>) => sql`
    select ${select(kept)} from webhooks where (installer_id, id) > (${$.afterInstaller}, ${$.afterId})
    order by installer_id, id limit ${$.limit}`,
  { across: 'the key is the whole server’s', gather: inOrder('installerId', 'id') },
)

/** Every endpoint of every tenant. */
async function* everyWebhook(db: Db): AsyncGenerator<Kept> {
  for (let last = { installerId: '', id: '' }; ; ) {
    const page = await webhooksAfter(db, {
      afterInstaller: last.installerId,
      afterId: last.id,
      limit: batchSize,
    })
    yield* page
    if (page.length < batchSize) return
    last = page.at(-1)!
  }
}

const lockSecrets = maybeOne(
  row<Pick<Kept, 'secrets'>>({ secrets: json }),
  ($: Params<{ installerId: string; id: string }>) => sql`
    select secrets from webhooks where installer_id = ${$.installerId} and id = ${$.id} for update`,
)

/** Seals by the newest key what an older one sealed, or what an earlier version kept as it is. */
export async function sealWebhookSecrets(db: Database, box: SecretBox): Promise<void> {
  for await (const { installerId, id, secrets } of everyWebhook(db)) {
    if (secrets.every(({ text }) => box.isCurrent(text))) continue
    const sealedFor = sealedForWebhook(installerId, id)
    await db.transaction(async (tx) => {
      const locked = await lockSecrets(tx, { installerId, id })
      if (!locked) return
      const plain = locked.secrets.map((secret) =>
        secret.text.startsWith('sealed:') ? { ...secret, text: box.open(secret.text, sealedFor) } : secret,
      )
      const sealed = plain.map((secret) => sealedSecret(box, sealedFor, secret))
      await setSecrets(tx, { installerId, id }, sealed)
    })
  }
}

/** Gives endpoints whose secret cannot be read a new one, and stops telling them: their companies hear why. */
export async function forgetWebhookSecrets(db: Database, box: SecretBox, now: Date): Promise<number> {
  let forgotten = 0
  for await (const { installerId, id, secrets } of everyWebhook(db)) {
    const sealedFor = sealedForWebhook(installerId, id)
    if (opens(box, sealedFor, secrets)) continue
    await setSecrets(db, { installerId, id }, [sealedSecret(box, sealedFor, createSecret())])
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
