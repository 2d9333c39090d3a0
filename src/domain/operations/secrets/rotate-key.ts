import type { Database } from '../../../platform/db.ts'
import { createSecretBox } from '../../../platform/secret-box.ts'
import { createKeyFile, newKey, readKeyFile, writeKeyFile } from '../../../platform/secret-keys.ts'
import { type KeyOptions, openSecretBox, WrongSecretKey } from './open-secret-box.ts'
import { forgetSealed, sealAgain } from './places.ts'

/**
 * Seals everything by a new key. The one before stays in the file until the next time, for what a server that runs is
 * just sealing with it.
 */
export async function rotateSecretKey(db: Database, options: KeyOptions): Promise<void> {
  // Whatever older keys have sealed must not need them any more when they go.
  await sealAgain(db, await openSecretBox(db, options))
  if (options.secretKeys) return
  const [current] = (await readKeyFile(options.dataDir))!
  await writeKeyFile(options.dataDir, [newKey(), current!])
  await openSecretBox(db, options)
}

/** Gives up what a lost key has sealed; with the right key it gives up nothing. */
export async function resetSecrets(
  db: Database,
  options: KeyOptions,
  now: Date,
): Promise<{ reset: boolean; webhooksDisabled: number }> {
  const opens = await openSecretBox(db, options).then(
    () => true,
    (error) => {
      if (error instanceof WrongSecretKey) return false
      throw error
    },
  )
  if (opens) return { reset: false, webhooksDisabled: 0 }
  const { dataDir, secretKeys } = options
  const keys = secretKeys ?? (await readKeyFile(dataDir)) ?? (await createKeyFile(dataDir))
  const { webhooks } = await forgetSealed(db, createSecretBox(keys), now)
  await openSecretBox(db, options)
  return { reset: true, webhooksDisabled: webhooks }
}
