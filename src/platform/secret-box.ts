import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto'

/**
 * Encrypts what must stay readable in the database by keys that are not in it. What it is sealed for (a purpose and
 * the ids of the row) is needed to open it: moved to another row, it does not open.
 */
export interface SecretBox {
  seal(text: string, sealedFor: string): string
  open(sealed: string, sealedFor: string): string
  /** Whether the newest key sealed it; what an older one did is to be sealed again. */
  isCurrent(sealed: string): boolean
}

export class CannotOpen extends Error {
  override name = 'CannotOpen'
}

interface Key {
  id: string
  bytes: Buffer
}

const algorithm = 'aes-256-gcm'
const nonceBytes = 12
const tagBytes = 16
const form = /^sealed:([\w-]{8}):([\w-]+)$/

/**
 * The first key seals, all of them open. The keys may be renewed while this process runs, so they are read again by who
 * seals, and for what was sealed with none of them: a key that was renewed twice is in no file any more.
 */
export function createSecretBox(keys: readonly string[], reload?: () => readonly string[]): SecretBox {
  let newest: Key
  let known: Map<string, Key>
  const use = (texts: readonly string[]) => {
    const all = texts.map(derived)
    newest = all[0]!
    known = new Map(all.map((key) => [key.id, key]))
  }
  use(keys)
  const readNewest = () => {
    try {
      if (reload) use(reload())
    } catch {
      // A file that is just not there is told of at the next start; what is known here goes on sealing.
    }
  }
  const keyOf = (id: string) => {
    if (!known.has(id)) readNewest()
    return known.get(id)
  }

  return {
    seal(text, sealedFor) {
      readNewest()
      const nonce = randomBytes(nonceBytes)
      const cipher = createCipheriv(algorithm, newest.bytes, nonce).setAAD(Buffer.from(sealedFor))
      const body = Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()])
      return `sealed:${newest.id}:${body.toString('base64url')}`
    },
    open(sealed, sealedFor) {
      const [, id = '', encoded = ''] = form.exec(sealed) ?? []
      const key = id === '' ? undefined : keyOf(id)
      if (!key)
        throw new CannotOpen(`sealed with a key that is not known here (${id || 'not sealed at all'})`)
      const body = Buffer.from(encoded, 'base64url')
      try {
        const decipher = createDecipheriv(algorithm, key.bytes, body.subarray(0, nonceBytes))
          .setAAD(Buffer.from(sealedFor))
          .setAuthTag(body.subarray(-tagBytes))
        return (
          decipher.update(body.subarray(nonceBytes, -tagBytes), undefined, 'utf8') + decipher.final('utf8')
        )
      } catch (error) {
        throw new CannotOpen(`not what was sealed for ${sealedFor.split(':')[0]}`, { cause: error })
      }
    },
    isCurrent: (sealed) => form.exec(sealed)?.[1] === newest.id,
  }
}

function derived(key: string): Key {
  const bytes = Buffer.from(hkdfSync('sha256', key, '', 'sunstead secret box', 32))
  const id = createHash('sha256').update(bytes).digest('base64url').slice(0, 8)
  return { id, bytes }
}
