import { createHash } from 'node:crypto'
import type { Folder } from '../../kernel/folder.ts'

/** What of a project an address opens. A folder's goes on showing what is added to it. */
export type Shared =
  | { kind: 'file'; fileId: string; folder: Folder }
  | { kind: 'folder'; folder: Folder }
  | { kind: 'proposal' }

export const sharedKinds = ['file', 'folder', 'proposal'] as const
export type SharedKind = (typeof sharedKinds)[number]

/** An address that somebody made to share something. Its token is known to nobody but whoever was given it. */
export interface SharedLink {
  id: string
  projectId: string
  kind: SharedKind
  folder: Folder | null
  fileId: string | null
  /** Null where there is no such file any more. */
  fileName: string | null
  createdBy: string
  createdAt: Date
  expiresAt: Date
  endedAt: Date | null
  /** Null where nobody in particular did: it ended with the access of who made it. */
  endedBy: string | null
  opened: number
  lastOpenedAt: Date | null
}

export const defaultDays = 7
export const maxDays = 365
/** More that work at once are more than anybody can look after. */
export const maxWorkingLinks = 100

/** Only this is kept of an address's secret part. */
export const linkHash = (token: string) => createHash('sha256').update(token).digest()

/** As tokens are made: what has another form is no address of ours. */
export const linkTokenForm = /^[\w-]{20,64}$/

export function linkPath(installerNumber: number, token: string): string {
  return `/shared/${installerNumber}/${token}`
}
