import { createHash, randomBytes } from 'node:crypto'
import type { Interface } from '../../kernel/context.ts'

export const interfaces: readonly Interface[] = ['company', 'legacy', 'catalog']
export const accesses = ['full', 'read'] as const
export type Access = (typeof accesses)[number]

export interface ApiKey {
  id: string
  companyId: string
  name: string
  /** psk_ and the first 8 digits: enough to tell keys apart, not to use one. */
  prefix: string
  access: Access
  interfaces: Interface[]
  /** Who works by it, where it was made for an agent. */
  agentName: string | null
  /** Whether the agent may only propose to move stages, sell and bill. */
  proposes: boolean
  createdAt: Date
  lastUsedAt: Date | null
  expiresAt: Date | null
  revokedAt: Date | null
  /** The key that was made in its place. */
  replacedBy: string | null
}

/** In its grace a key still works, beside the one that was made in its place. */
export type KeyState = 'active' | 'grace' | 'expired' | 'revoked'

export function stateOf({ revokedAt, expiresAt, replacedBy }: ApiKey, now: Date): KeyState {
  if (revokedAt) return 'revoked'
  if (expiresAt && expiresAt <= now) return 'expired'
  return replacedBy ? 'grace' : 'active'
}

const keyForm = /^psk_[0-9a-f]{40}$/

export function createSecret(): string {
  return `psk_${randomBytes(20).toString('hex')}`
}

export function isSecret(text: string): boolean {
  return keyForm.test(text)
}

/** Only this is stored: 160 random bits need no slow hash. */
export function hashOf(secret: string): Buffer {
  return createHash('sha256').update(secret).digest()
}

export function prefixOf(secret: string): string {
  return secret.slice(0, 12)
}
