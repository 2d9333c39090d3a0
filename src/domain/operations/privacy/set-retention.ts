import { recordSetting } from '../../journal/audit/record-setting.ts'
import { ChangedMeanwhile } from '../../kernel/changed-meanwhile.ts'
import type { Context } from '../../kernel/context.ts'
import { differences } from '../../kernel/differences.ts'
import { authorize } from '../../kernel/policy.ts'
import { lockTenant } from '../../kernel/tenant/clock-queries.ts'
import { daysBefore, keepsAll, monthsBefore, type RetentionRule } from './retention.ts'
import { countOld, findRule, type StoredRule, saveRule } from './retention-queries.ts'

const fields = ['unsoldMonths', 'mailMonths', 'requestDays', 'keepInvoiceNames'] as const

/** How long the actor's company keeps what; version 0 stands for a rule that nobody has set yet. */
export async function readRetention({ db, actor }: Context): Promise<StoredRule> {
  authorize(actor, 'privacy.retain')
  const none = { ...keepsAll, version: 0, lastRunAt: null, leadsErased: 0, mailsCleared: 0 }
  return (await findRule(db, actor)) ?? none
}

/** Decides it again. `seen` is the version that was looked at: another one is not theirs to replace. */
export async function setRetention(ctx: Context, rule: RetentionRule, seen?: number): Promise<void> {
  const { db, actor, now } = ctx
  authorize(actor, 'privacy.retain')
  const { installerId, companyId } = actor
  await db.transaction(async (tx) => {
    await lockTenant(tx, installerId)
    const before = await findRule(tx, actor)
    if (seen !== undefined && (before?.version ?? 0) !== seen)
      throw new ChangedMeanwhile({ version: before?.version ?? 0 })
    const changes = differences<RetentionRule>(before ?? keepsAll, rule, fields)
    if (Object.keys(changes).length === 0) return
    await saveRule(tx, { ...rule, installerId, companyId, now })
    await recordSetting(tx, actor, now, {
      type: 'retention.changed',
      companyId,
      subjectId: companyId,
      name: 'Retention',
      changes,
    })
  })
}

/** Counting stops here: beyond it, how many does not matter. */
export const maxCounted = 10_000

export interface RetentionConcerned {
  leads: number | null
  mails: number | null
  /** Batches of calls. */
  calls: number | null
}

/** How many a rule would concern now, before it is turned on; null where it keeps them. */
export async function previewRetention(
  { db, actor, now }: Context,
  rule: Pick<RetentionRule, 'unsoldMonths' | 'mailMonths' | 'requestDays'>,
): Promise<RetentionConcerned> {
  authorize(actor, 'privacy.retain')
  const of = { installerId: actor.installerId, companyId: actor.companyId, limit: maxCounted }
  type Ago = (now: Date, length: number) => Date
  const count = async (kind: 'leads' | 'mails' | 'calls', length: number | null, ago: Ago) =>
    length === null ? null : (await countOld(db, { ...of, kind, before: ago(now, length) })).count
  const { unsoldMonths, mailMonths, requestDays } = rule
  return {
    leads: await count('leads', unsoldMonths, monthsBefore),
    mails: await count('mails', mailMonths, monthsBefore),
    calls: await count('calls', requestDays, daysBefore),
  }
}
