import type { Database } from '../../../platform/db.ts'
import { CannotOpen, createSecretBox, type SecretBox } from '../../../platform/secret-box.ts'
import { createKeyFile, keyFileIn, readKeyFile, readKeyFileNow } from '../../../platform/secret-keys.ts'
import { findSetting, insertSetting, saveSetting } from '../../kernel/setting-queries.ts'
import { sealedForSetting } from '../../kernel/shared-secret.ts'
import { sealAgain } from './places.ts'

export interface KeyOptions {
  dataDir: string
  /** Of the environment; null: those of the file in the data folder. */
  secretKeys: readonly string[] | null
  /** Whether what is set speaks of several hosts. */
  severalHosts?: boolean
}

export class WrongSecretKey extends Error {
  override name = 'WrongSecretKey'
  constructor(options: KeyOptions, cause?: unknown) {
    super(wrongKey(options), { cause })
  }
}

/** Sealed once, so that another key is noticed before it does harm. */
const proofSetting = 'secret-key'
/** Whose key has sealed everything: another one begins by sealing it again. */
const doneSetting = 'secret-key-everywhere'

/** The box of this database. Refuses a key that is not the one with which its secrets were sealed. */
export async function openSecretBox(db: Database, options: KeyOptions): Promise<SecretBox> {
  const box = await boxOf(db, options)
  const sealed = box.seal('sunstead', sealedForSetting(proofSetting))
  await insertSetting(db, { name: proofSetting, value: sealed })
  const proof = (await findSetting(db, proofSetting))!
  try {
    box.open(proof, sealedForSetting(proofSetting))
  } catch (error) {
    if (error instanceof CannotOpen) throw new WrongSecretKey(options, error)
    throw error
  }
  const done = await findSetting(db, doneSetting)
  if (done === null || !box.isCurrent(done)) {
    await sealAgain(db, box)
    await saveSetting(db, { name: doneSetting, value: box.seal('done', sealedForSetting(doneSetting)) })
  }
  return box
}

async function boxOf(db: Database, options: KeyOptions): Promise<SecretBox> {
  const { dataDir, secretKeys } = options
  if (secretKeys) return createSecretBox(secretKeys)
  let keys = await readKeyFile(dataDir)
  if (!keys) {
    // A new key beside secrets that another one sealed would only hide that the right one is missing.
    if ((await findSetting(db, proofSetting)) !== null) throw new WrongSecretKey(options)
    keys = await createKeyFile(dataDir)
  }
  return createSecretBox(keys, () => readKeyFileNow(dataDir))
}

function wrongKey({ dataDir, secretKeys, severalHosts = false }: KeyOptions): string {
  const where = secretKeys ? 'SECRET_KEY is not' : `${keyFileIn(dataDir)} is missing or does not hold`
  return [
    `${where} the key with which the secrets of this database were sealed.`,
    severalHosts && !secretKeys
      ? 'Set SECRET_KEY, the same for every host: to what is in secret.key of the host that made the database.'
      : 'Put the right one back, from a backup or another host.',
    'Where it is lost for good, "sunstead secret reset" lets the server start without what it sealed.',
  ].join(' ')
}
