import type { EventName } from '../../journal/events/event-names.ts'
import type { Actor } from '../../kernel/context.ts'
import type { Folder } from '../../kernel/folder.ts'
import { foldersWith } from '../../kernel/folder-policy.ts'
import { may } from '../../kernel/policy.ts'

export const activityTypes = [
  'note',
  'leadCreated',
  'leadUpdated',
  'assigned',
  'projectCreated',
  'stageChanged',
  'installScheduled',
  'ntpChanged',
  'fileAdded',
  'checklistDone',
  'message',
  'alert',
] as const
export type ActivityType = (typeof activityTypes)[number]

export interface NewActivity {
  /** Made up where absent. */
  id?: string
  type: ActivityType
  body: string
  /** Seen only by the keys, owners and admins of the company that wrote it. */
  internal?: boolean
  customerFacing?: boolean
  replyTo?: string
  /** What endpoints are told that it is, where its type says less. */
  publishedAs?: EventName
  /** What it tells of, where not everybody may read that: prices and the customer's notes, or a file's folder. */
  about?: 'sale' | Folder
}

/** An entry of a person shows the person; where they approved what an agent proposed, the first says so. */
export function namingAgent<A extends NewActivity>(activities: readonly A[], { kind, agent }: Actor): A[] {
  if (kind !== 'member' || !agent) return [...activities]
  const own = activities.findIndex(({ customerFacing }) => !customerFacing)
  return activities.map((one, i) =>
    i === own ? { ...one, body: `${one.body}, as ${agent.name} (agent) proposed` } : one,
  )
}

/** As the company-key API answers it. */
export interface Activity {
  id: string
  type: ActivityType
  body: string
  internal: boolean
  customerFacing: boolean
  replyTo: string | null
  author: string | null
  createdAt: Date
}

/** What somebody reads of a feed. */
export interface FeedReader {
  /** Whose internal entries; null for none. */
  internalOf: string | null
  /** Which of the entries that tell of something in particular; null for all of them. */
  about: string[] | null
}

export function feedReaderOf(actor: Actor): FeedReader {
  return {
    internalOf: readerOf(actor),
    about: may(actor, 'sales.read') ? null : foldersWith(actor, 'read'),
  }
}

/** The company whose internal notes the actor reads; null for those who read none. */
export function readerOf(actor: Actor): string | null {
  return may(actor, 'notes.internal') ? actor.companyId : null
}
