import type { NewEvent } from '../../journal/events/deal-event.ts'
import type { Answer, Call } from '../../journal/idempotency/call.ts'
import type { Folder } from '../../kernel/folder.ts'
import type { Installation } from '../../sites/installations/installation.ts'
import type { Panel } from '../../sites/installations/panel.ts'
import type { NewActivity } from '../activities/activity.ts'
import type { LeadStatus } from '../leads/lead.ts'

export interface NewFile {
  id: string
  folder: Folder
  name: string
  sourceUrl: string
  sourceHash: string
  storeKey: string
  token: string
  type: string
  extension: string
  inline: boolean
  size: number
  sha256: string
}

/** A sale, or a move of the project to another stage, that can be undone until a time; its mails wait for longer. */
export interface NewMove {
  id: string
  undoUntil: Date
  mailsAt: Date
  /** Null of a sale: there was no project. */
  fromStageId: string | null
  /** Of a sale: what the lead was. */
  leadStatus: LeadStatus | null
  toStageId: string
  enteredAt: Date
  /** Stamped by it, and not there before. */
  milestone: string | null
  /** Made by it. */
  installationId: string | null
}

/** What is written beside the records themselves, in the same transaction. */
export interface Effects {
  activities: NewActivity[]
  events: NewEvent[]
  files?: NewFile[]
  /** Entries of the feed that are taken back. */
  withdrawn?: readonly string[]
  /** Its address answers no more. */
  removedFileId?: string
  /** New addresses of files that are there. */
  fileTokens?: { id: string; token: string }[]
  checklist?: { stageId: string; labels: string[] }
  /** An item of the checklist is done, or is not after all. The one thing that changes, where it is there. */
  tick?: { stageId: string; label: string; done: boolean }
  notifications?: { memberId: string; text: string }[]
  mails?: { to: string; subject: string; body: string }[]
  /** It is a move that can be taken back for a while. */
  move?: NewMove
  /** What a finished project becomes. */
  installation?: { installation: Installation; panels: Panel[] }
  /** The call that it is done by, where that may be sent again, and what it is to be answered. */
  idempotency?: { call: Call; answer: Answer }
  /** A day puts the project on the calendar, null takes it off. Each kind once at most. */
  calendar?: { kind: 'install' | 'survey'; day: string | null }[]
}
