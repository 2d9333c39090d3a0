import type { Db } from '../../platform/db.ts'
import { hashOf, isSecret } from './key.ts'
import { findKeyOwner, type KeyOwner, touchKeys } from './queries.ts'

export interface Keys {
  /** Who holds the key, or null where it is wrong, revoked, expired or its company is not active. */
  authenticate(secret: string, now: Date): Promise<KeyOwner | null>
  /** Writes when keys were last used. */
  flush(): Promise<void>
}

// A revoked key must be refused within a second by every process: what is known is believed half as long.
const believedMs = 500
const kept = 10_000

/** Looks keys up with a short memory, so that a busy key costs one query in half a second. */
export function createKeys(db: Db): Keys {
  const known = new Map<string, { at: number; owner: Promise<KeyOwner | null> }>()
  let used = new Map<string, Date>()

  return {
    async authenticate(secret, now) {
      if (!isSecret(secret)) return null
      const hash = hashOf(secret)
      const name = hash.toString('latin1')
      let entry = known.get(name)
      const at = performance.now()
      if (!entry || at - entry.at > believedMs) {
        entry = { at, owner: findKeyOwner(db, hash) }
        known.delete(name)
        known.set(name, entry)
        if (known.size > kept) known.delete(known.keys().next().value!)
        entry.owner.catch(() => known.delete(name))
      }
      const owner = await entry.owner
      if (!owner || (owner.expiresAt !== null && owner.expiresAt <= now)) return null
      used.set(owner.keyId, now)
      return owner
    },

    async flush() {
      if (used.size === 0) return
      const uses = used
      used = new Map()
      await touchKeys(db, uses)
    },
  }
}
