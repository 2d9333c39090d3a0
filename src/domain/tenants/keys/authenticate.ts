import { hash } from 'node:crypto'
import type { Db } from '../../../platform/db.ts'
import { networkOf } from '../../../platform/network.ts'
import { isSecret } from './key.ts'
import { createKeyLookUps } from './look-up-keys.ts'
import { type KeyOwner, touchKeys } from './queries.ts'

export interface Keys {
  /**
   * Who holds the key, or null where it is wrong, revoked, expired or its company is not active.
   * Answered at once for a key that was looked up a moment ago: most calls are made with one.
   */
  authenticate(secret: string, address: () => string, now: Date): KeyOwner | null | Promise<KeyOwner | null>
  /** Writes when keys were last used. */
  flush(): Promise<void>
}

// A revoked key must be refused within a second by every process: what is known is believed half as long.
const believedMs = 500
const kept = 10_000
/** Wrong keys are remembered apart, and fewer: a flood of them pushes out no good one. */
const keptWrong = 1_000

interface Remembered {
  at: number
  owner: KeyOwner | null | Promise<KeyOwner | null>
}

/** Looks keys up with a short memory, so that a busy key costs one query in half a second. */
export function createKeys(db: Db): Keys {
  const lookUps = createKeyLookUps(db)
  const known = new Map<string, Remembered>()
  const wrong = new Map<string, Remembered>()
  let used = new Map<string, Date>()

  function admit(owner: KeyOwner | null, now: Date): KeyOwner | null {
    if (!owner || (owner.expiresAt !== null && owner.expiresAt <= now)) return null
    used.set(owner.keyId, now)
    return owner
  }

  function remember(isGood: boolean, digest: string, entry: Remembered): void {
    const memory = isGood ? known : wrong
    memory.delete(digest)
    memory.set(digest, entry)
    if (memory.size > (isGood ? kept : keptWrong)) memory.delete(memory.keys().next().value!)
  }

  function lookUp(digest: string, address: () => string): Promise<KeyOwner | null> {
    const wasGood = known.has(digest)
    const loading = lookUps.find(digest, networkOf(address()), wasGood)
    const entry: Remembered = { at: performance.now(), owner: loading }
    remember(wasGood, digest, entry)
    loading.then(
      (owner) => {
        entry.owner = owner
        const isGood = owner !== null
        if (isGood === wasGood) return
        if (known.get(digest) === entry) known.delete(digest)
        if (wrong.get(digest) === entry) wrong.delete(digest)
        remember(isGood, digest, entry)
      },
      () => {
        if (wrong.get(digest) === entry) wrong.delete(digest)
        // It was good when it was read last: that it could not be read now says nothing.
        entry.at = Number.NEGATIVE_INFINITY
      },
    )
    return loading
  }

  return {
    authenticate(secret, address, now) {
      if (!isSecret(secret)) return null
      const digest = hash('sha256', secret, 'base64')
      const entry = known.get(digest) ?? wrong.get(digest)
      const fresh = entry !== undefined && performance.now() - entry.at <= believedMs
      const owner = fresh ? entry.owner : lookUp(digest, address)
      return owner instanceof Promise ? owner.then((found) => admit(found, now)) : admit(owner, now)
    },

    async flush() {
      if (used.size === 0) return
      const uses = used
      used = new Map()
      try {
        await touchKeys(db, { ids: [...uses.keys()], times: [...uses.values()] })
      } catch (error) {
        // They are written the next time, apart from those that were used again.
        used = new Map([...uses, ...used])
        throw error
      }
    },
  }
}
