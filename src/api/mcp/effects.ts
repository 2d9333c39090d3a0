import type { Activity, ActivityType } from '../../domain/deals/activities/activity.ts'
import { listActivities } from '../../domain/deals/activities/queries.ts'
import type { Context } from '../../domain/kernel/context.ts'

/** What a lead's feed says in words of ours alone; the rest quotes customers, and is only named. */
const ownWords: readonly ActivityType[] = [
  'stageChanged',
  'alert',
  'assigned',
  'installScheduled',
  'ntpChanged',
  'checklistDone',
]
const named: Partial<Record<ActivityType, string>> = {
  note: 'A note is added to the activity',
  leadCreated: 'The lead is created',
  leadUpdated: 'The lead is changed',
  projectCreated: 'The project is created',
  fileAdded: 'A file is added',
  message: 'A message to the customer is queued',
}

const maxEntries = 30

/** What was added to a lead's feed by this caller since a change began, in the order in which it was. */
export async function effectsSince(
  { db, actor }: Context,
  leadId: string,
  last: string | null,
): Promise<string[]> {
  const entries = await newest({ db, actor }, leadId, maxEntries)
  const end = entries.findIndex(({ id }) => id === last)
  return entries
    .slice(0, end === -1 ? entries.length : end)
    .filter(({ author }) => author === actor.name)
    .reverse()
    .map(({ type, body }) =>
      ownWords.includes(type) ? body : (named[type] ?? 'An entry is added to the activity'),
    )
}

/** The newest entry of a lead's feed. */
export async function lastEntry(ctx: Context, leadId: string): Promise<string | null> {
  return (await newest(ctx, leadId, 1))[0]?.id ?? null
}

async function newest(
  { db, actor }: Pick<Context, 'db' | 'actor'>,
  leadId: string,
  limit: number,
): Promise<Activity[]> {
  const feed = { installerId: actor.installerId, leadId, internalOf: actor.companyId }
  return (await listActivities(db, feed, null, limit)).activities
}
