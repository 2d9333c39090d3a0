import type { Actor } from '../../kernel/context.ts'

/** Where a request came from. */
export interface Origin {
  /** Of the caller; null where there is none, as on the command line. */
  address: string | null
  /** The browser or program, as it calls itself. */
  device: string | null
}

/** What is noted for whoever answers for a company's safety. No endpoint can subscribe to these. */
export type SecurityEventType =
  | 'security.signed_in'
  | 'security.sign_in_failed'
  | 'security.sign_in_held_back'
  | 'security.signed_out'
  | 'security.session_ended'
  | 'security.sessions_ended'
  | 'security.company_entered'
  | 'security.password_changed'
  | 'security.password_reset_asked'
  | 'security.password_reset'
  | 'security.password_given'
  | 'security.codes_turned_on'
  | 'security.codes_turned_off'
  | 'security.backup_codes_made'
  | 'security.passkey_added'
  | 'security.passkey_removed'
  | 'security.calendar_address_made'
  | 'security.calendar_address_ended'
  | 'security.file_opened'
  | 'security.folder_opened'
  | 'security.exported'

export interface SecurityEvent {
  type: SecurityEventType
  installerId: string
  /** In whose log it stands: its installer reads it too. */
  companyId: string
  /** `visitor`: somebody of whom nothing is known but where they came from; the id is then of who they said to be. */
  actor: Pick<Actor, 'id'> & { kind: Actor['kind'] | 'visitor'; name: string | null }
  origin: Origin
  subjectId: string
  /** As people call it. Of no customer and no file: those names are read where they are kept, and erased there. */
  name?: string | null
  leadId?: string | null
  projectId?: string | null
  /** Nothing secret, and nothing that was typed. */
  changes?: Record<string, [from: unknown, to: unknown]>
  /** Noted once in ten minutes for all that is the same by these words; then it is counted. */
  dedupeBy?: readonly string[]
}

const windowMs = 600_000

/** What an event is told apart by within its ten minutes; null where each is noted. */
export function dedupeKey({ type, companyId, dedupeBy }: SecurityEvent, now: Date): string | null {
  if (!dedupeBy) return null
  return [type, companyId, ...dedupeBy, Math.floor(now.getTime() / windowMs)].join(' ')
}

const longestDevice = 300

export function originOf(address: string | null | undefined, device: string | null | undefined): Origin {
  return { address: address || null, device: readable(device ?? '').slice(0, longestDevice) || null }
}

/** A browser may call itself anything. */
function readable(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cf}]/gu, ' ')
    .trim()
}
