import { type Actor, readsInternal } from '../context.ts'

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
  type: ActivityType
  body: string
  /** Seen only by the keys, owners and admins of the company that wrote it. */
  internal?: boolean
  customerFacing?: boolean
  replyTo?: string
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

/** The company whose internal notes the actor reads; null for those who read none. */
export function readerOf(actor: Actor): string | null {
  return readsInternal(actor) ? actor.companyId : null
}
