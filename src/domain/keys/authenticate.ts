import { hash } from 'node:crypto'
import type { Db } from '../../platform/db.ts'
import { isSecret } from './key.ts'
import { findKeyOwner, type KeyOwner, touchKeys } from './queries.ts'

export interface Keys {
  /**
   * Who holds the key, or null where it is wrong, revoked, expired or its company is not active.
   * Answered at once for a key that was looked up a moment ago: most calls are made with one.
   */
  authenticate(secret: string, now: Date): KeyOwner | null | Promise<KeyOwner | null>
  /** Writes when keys were last used. */
  flush(): Promise<void>
}

// A revoked key must be refused within a second by every process: what is known is believed half as long.
const believedMs = 500
const kept = 10_000

/** Looks keys up with a short memory, so that a busy key costs one query in half a second. */
export function createKeys(db: Db): Keys {
  const known = new Map<string, { at: number; owner: KeyOwner | null | Promise<KeyOwner | null> }>()
  let used = new Map<string, Date>()

  function admit(owner: KeyOwner | null, now: Date): KeyOwner | null {
    if (!owner || (owner.expiresAt !== null && owner.expiresAt <= now)) return null
    used.set(owner.keyId, now)
    return owner
  }

  function lookUp(digest: string): Promise<KeyOwner | null> {
    const entry = {
      at: performance.now(),
      owner: findKeyOwner(db, Buffer.from(digest, 'base64')) as Promise<KeyOwner | null>,
    }
    const loading = entry.owner
    known.delete(digest)
    known.set(digest, entry)
    if (known.size > kept) known.delete(known.keys().next().value!)
    loading.then(
      (owner) => Object.assign(entry, { owner }),
      () => known.delete(digest),
    )
    return loading
  }

  return {
    authenticate(secret, now) {
      if (!isSecret(secret)) return null
      const digest = hash('sha256', secret, 'base64')
      const entry = known.get(digest)
      const fresh = entry !== undefined && performance.now() - entry.at <= believedMs
      const owner = fresh ? entry.owner : lookUp(digest)
      return owner instanceof Promise ? owner.then((found) => admit(found, now)) : admit(owner, now)
    },

    async flush() {
      if (used.size === 0) return
      const uses = used
      used = new Map()
      await touchKeys(db, uses)
    },
  }
}
