import { currentMs } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/db.ts'
import { releaseContents } from '../../deals/files/release-contents.ts'
import type { Context } from '../../kernel/context.ts'
import { DomainError } from '../../kernel/domain-error.ts'
import type { Directories } from '../../kernel/tenant/directories.ts'
import { eraseCustomer } from './erase-customer.ts'
import type { ErasureDeps } from './finish-erasure.ts'
import { clearImport } from './import-queries.ts'
import { daysBefore, monthsBefore } from './retention.ts'
import {
  type ClaimedRule,
  claimRule,
  clearMails,
  deleteBatches,
  listOldImports,
  listUnsold,
  noteProgress,
} from './retention-queries.ts'

export interface RetentionDeps extends ErasureDeps {
  db: Database
  directories: Directories
}

/** What a company's rule came to. */
export interface Retained {
  companyId: string
  leads: number
  mails: number
  calls: number
}

const claimMs = 60_000
const dayMs = 86_400_000
const leadsAtOnce = 20
const rowsAtOnce = 500

/** Goes by one company's rule that is due; null where none is. In small steps: after a crash the next run goes on. */
export async function runNextRetention(
  deps: RetentionDeps,
  now: Date,
  signal: AbortSignal,
): Promise<Retained | null> {
  const until = () => new Date(currentMs() + claimMs)
  const rule = await claimRule(deps.db, { now, until: until(), notSince: new Date(now.getTime() - dayMs) })
  if (!rule) return null
  const { db } = deps
  const done: Retained = { companyId: rule.companyId, leads: 0, mails: 0, calls: 0 }
  const of = { installerId: rule.installerId, companyId: rule.companyId, version: rule.version }
  const nothing = { leads: 0, mails: 0, ended: false }
  const goOn = async (step: { leads?: number; mails?: number; ended?: boolean }) =>
    (await noteProgress(db, { ...of, ...nothing, ...step, now, until: until() })) && !signal.aborted

  if (rule.unsoldMonths !== null) {
    const before = monthsBefore(now, rule.unsoldMonths)
    await clearImports(deps, rule, before, now)
    for (;;) {
      const erased = await eraseSome(deps, rule, before, now)
      done.leads += erased
      if (!(await goOn({ leads: erased }))) return done
      if (erased === 0) break
    }
  }
  if (rule.mailMonths !== null) {
    const before = monthsBefore(now, rule.mailMonths)
    for (let cleared = rowsAtOnce; cleared === rowsAtOnce; ) {
      cleared = (await clearMails(db, { ...of, before, limit: rowsAtOnce, now })).length
      done.mails += cleared
      if (!(await goOn({ mails: cleared }))) return done
    }
  }
  if (rule.requestDays !== null) {
    const before = daysBefore(now, rule.requestDays)
    for (let dropped = rowsAtOnce; dropped === rowsAtOnce; ) {
      dropped = (await deleteBatches(db, { ...of, before, limit: rowsAtOnce })).length
      done.calls += dropped
      if (!(await goOn({}))) return done
    }
  }
  await goOn({ ended: true })
  return done
}

async function eraseSome(deps: RetentionDeps, rule: ClaimedRule, before: Date, now: Date): Promise<number> {
  let erased = 0
  for (const { id } of await listUnsold(deps.db, { ...rule, before, limit: leadsAtOnce })) {
    try {
      await eraseCustomer(contextOf(deps, rule, now), deps, id, 'retention')
      erased++
    } catch (error) {
      // One that cannot be erased, as it is billed, is left to people.
      if (!(error instanceof DomainError)) throw error
    }
  }
  return erased
}

async function clearImports(
  { db, store }: RetentionDeps,
  rule: ClaimedRule,
  before: Date,
  now: Date,
): Promise<void> {
  for (;;) {
    const imports = await listOldImports(db, { ...rule, before, limit: leadsAtOnce })
    for (const { id, storeKey } of imports) {
      const reason = 'The file was let go after the time for which your company keeps leads. Upload it again.'
      await clearImport(db, {
        installerId: rule.installerId,
        id,
        failure: reason,
        now,
        name: null,
        leadId: null,
      })
      if (storeKey) await releaseContents(db, store, rule.installerId, [storeKey])
    }
    if (imports.length < leadsAtOnce) return
  }
}

function contextOf({ db, directories }: RetentionDeps, rule: ClaimedRule, now: Date): Context {
  const { installerId, companyId, companyKind } = rule
  return {
    db,
    directories,
    now,
    actor: { kind: 'job', id: null, name: 'Retention', installerId, companyId, companyKind, canWrite: true },
  }
}
