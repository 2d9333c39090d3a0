import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'

type Done = (error: Error | null, key: Buffer) => void

/**
 * Hashing a password takes a tenth of a second of a core, on purpose; most people of the tests have the same one. What
 * was calculated before from the same password, salt and cost is not calculated again: the outcome is the same.
 */
export function rememberScrypt(): void {
  const calculate = crypto.scrypt
  const known = new Map<string, Buffer>()
  const remembering = (password: string, salt: string, length: number, options: object, done: Done) => {
    const name = JSON.stringify([password, salt, length, options])
    const found = known.get(name)
    if (found) return void setImmediate(done, null, Buffer.from(found))
    calculate(password, salt, length, options, (error, key) => {
      if (!error) known.set(name, Buffer.from(key))
      done(error, key)
    })
  }
  crypto.scrypt = remembering as typeof crypto.scrypt
  syncBuiltinESMExports()
}
