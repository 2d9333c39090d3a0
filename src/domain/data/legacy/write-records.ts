import { isUnavailable } from '../../../platform/database-errors.ts'
import type { Database, Db } from '../../../platform/db.ts'
import { withinTransaction } from '../../../platform/within-transaction.ts'
import { commitChange } from '../../deals/changes/commit-change.ts'
import type { Context } from '../../kernel/context.ts'
import { DomainError } from '../../kernel/domain-error.ts'
import { lockTenant } from '../../kernel/tenant/clock-queries.ts'
import type { Directories } from '../../kernel/tenant/directories.ts'
import { findKnown } from './known-records.ts'
import { planLead, refusedFor } from './plan-lead.ts'
import { planProject } from './plan-project.ts'
import { type Known, loadRules, type MetRecord, type Planning, type RecordPlan } from './planning.ts'
import type { ReadingRules } from './project-of-reading.ts'
import { findRecords, holdRun, saveRecords } from './queries.ts'
import type { LegacyProblem, LegacyRecord, LegacySource } from './source.ts'

export interface Writing {
  db: Database
  directories: Directories
  context: (db: Database) => Context
  source: LegacySource
  termUnit: ReadingRules['termUnit']
  /** Only says what would be done. */
  dryRun: boolean
}

/** Another run has begun meanwhile, and goes on from here. */
export class TakenOver extends Error {
  override name = 'TakenOver'

  constructor() {
    super('Another run of this import has taken over.')
  }
}

export interface DoneRecord {
  met: MetRecord
  record: LegacyRecord
  /** The project that it is here, where it has one. */
  projectId: string | null
}

/**
 * Takes over the records of a batch in one transaction, each with what is remembered of it: a run that is killed has done
 * all of them or none. Where one cannot be written, each is tried by itself, and that one is refused.
 */
export async function writeRecords(writing: Writing, batch: readonly MetRecord[]): Promise<DoneRecord[]> {
  if (batch.length === 0) return []
  if (writing.dryRun) return planOnly(writing, batch)
  try {
    return await writeTogether(writing, batch)
  } catch (error) {
    if (isUnavailable(error) || error instanceof TakenOver) throw error
    if (batch.length === 1) return [await refuse(writing, batch[0]!, error)]
    const done: DoneRecord[] = []
    for (const met of batch) done.push(...(await writeRecords(writing, [met])))
    return done
  }
}

export async function holdSource(tx: Db, source: LegacySource): Promise<void> {
  if (!(await holdRun(tx, source))) throw new TakenOver()
  await lockTenant(tx, source.installerId)
}

function writeTogether(writing: Writing, batch: readonly MetRecord[]): Promise<DoneRecord[]> {
  const { db, directories, source } = writing
  const { installerId } = source
  return db.transaction(async (tx) => {
    await holdSource(tx, source)
    const directory = await directories.current(tx, installerId)
    const ctx = writing.context(withinTransaction(tx))
    const planning = { ctx, directory, rules: await loadRules(ctx, writing.termUnit) }
    const known = await findKnown(tx, source, planning, batch)
    const done: DoneRecord[] = []
    for (const met of batch) {
      const here = await known.of(met)
      const plan = planOf(planning, met, here)
      if (plan.change) {
        const { before, after, effects } = plan.change
        await commitChange(ctx, { db: tx, directory, proven: false }, before, after, effects)
        known.written(after.lead.id)
      }
      done.push(doneOf(source, met, here, plan))
    }
    const records = done.map(({ record }) => record)
    await saveRecords(tx, { installerId, sourceId: source.id }, records)
    return done
  })
}

async function planOnly(writing: Writing, batch: readonly MetRecord[]): Promise<DoneRecord[]> {
  const { db, directories, source } = writing
  const ctx = writing.context(db)
  const directory = await directories.current(db, source.installerId)
  const planning = { ctx, directory, rules: await loadRules(ctx, writing.termUnit) }
  const known = await findKnown(db, source, planning, batch)
  const done: DoneRecord[] = []
  for (const met of batch) {
    const here = await known.of(met)
    done.push(doneOf(source, met, here, planOf(planning, met, here)))
  }
  return done
}

function planOf(planning: Planning, met: MetRecord, known: Known): RecordPlan {
  if (known.ownedBy !== null) return refusedFor(met, `what it is here belongs to ${known.ownedBy}`)
  try {
    return met.list.kind === 'lead' ? planLead(planning, met, known) : planProject(planning, met, known)
  } catch (error) {
    if (error instanceof DomainError) return refusedFor(met, error.message)
    throw error
  }
}

function doneOf(source: LegacySource, met: MetRecord, known: Known, plan: RecordPlan): DoneRecord {
  const { record: before } = known
  // Gone on with, a walk meets some of its records again.
  const again = before?.walk === source.walk && before.outcome !== 'refused' && plan.outcome !== 'refused'
  const outcome =
    again && (before.outcome === 'made' || plan.outcome === 'unchanged') ? before.outcome : plan.outcome
  const deal = plan.change?.after ?? known.deal
  const refused = plan.outcome === 'refused'
  return {
    met,
    projectId: refused ? null : (deal?.project?.id ?? null),
    record: {
      kind: met.list.kind,
      productLine: met.list.productLine,
      legacyId: met.legacyId,
      leadId: refused ? (before?.leadId ?? null) : (deal?.lead.id ?? null),
      ...(refused && before ? rememberedOf(before) : rememberedOf(plan)),
      walk: source.walk,
      outcome,
      problems: again ? allOf([...before.problems, ...plan.problems]) : plan.problems,
      files: before?.walk === source.walk ? before.files : 0,
    },
  }
}

const rememberedOf = ({
  linkKey,
  customerKey,
  marks,
}: Pick<RecordPlan, 'linkKey' | 'customerKey' | 'marks'>) => ({
  linkKey,
  customerKey,
  marks,
})

function allOf(problems: readonly LegacyProblem[]): LegacyProblem[] {
  return [...new Map(problems.map((one) => [`${one.field} ${one.message}`, one])).values()]
}

/** Nothing of the record itself is repeated: what a database says of it may quote it. */
function refuse(writing: Writing, met: MetRecord, error: unknown): Promise<DoneRecord> {
  const { code = (error as Error).name } = error as { code?: string }
  return writeRefused(writing, met, `it could not be written (${code})`)
}

/** Notes that a record did not come. What came of it earlier stays. */
export async function writeRefused(writing: Writing, met: MetRecord, reason: string): Promise<DoneRecord> {
  const { db, source, dryRun } = writing
  const of = { installerId: source.installerId, sourceId: source.id }
  const plan = refusedFor(met, reason)
  const doneWith = (record: LegacyRecord | null) =>
    doneOf(source, met, { record, deal: null, taken: false, referenceFree: false, ownedBy: null }, plan)
  if (dryRun) return doneWith(null)
  return db.transaction(async (tx) => {
    await holdSource(tx, source)
    const [record = null] = await findRecords(tx, { ...of, ...met.list, legacyIds: [met.legacyId] })
    const done = doneWith(record)
    await saveRecords(tx, of, [done.record])
    return done
  })
}
