import type { Db } from '../../../platform/db.ts'
import type { Actor } from '../../kernel/context.ts'
import { takeTimes } from '../../kernel/tenant/clock-queries.ts'
import { recordEvents } from '../events/record-events.ts'

/** A change of what a company decides for itself: its keys, people, ladder, catalogue, and so on. */
export interface SettingChange {
  /** What it was done to and what was done, such as `key.created`. No endpoint can subscribe to these. */
  type: string
  companyId: string
  subjectId: string
  /** As people call it: it is read in the audit log when the thing itself is gone. */
  name: string
  /** Nothing secret: whoever reads the audit log reads them. */
  changes?: Record<string, [from: unknown, to: unknown]>
}

/** Notes a change in the tenant's log, in the transaction that makes it. */
export async function recordSetting(tx: Db, actor: Actor, now: Date, change: SettingChange): Promise<void> {
  const { name, ...event } = change
  const at = await takeTimes(tx, actor.installerId, now, 1)
  await recordEvents(tx, actor, at, [{ ...event, data: { name } }])
}
