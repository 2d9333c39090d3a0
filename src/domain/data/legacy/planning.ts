import type { Equipment } from '../../catalogue/equipment.ts'
import { listEquipment } from '../../catalogue/queries.ts'
import type { Effects } from '../../deals/changes/change.ts'
import type { Deal } from '../../deals/changes/deal.ts'
import type { Context } from '../../kernel/context.ts'
import type { Directory } from '../../kernel/tenant/directory.ts'
import type { Outcome } from '../imports/import.ts'
import type { Reading } from './answers.ts'
import type { ReadingRules } from './project-of-reading.ts'
import type { LegacyList, LegacyProblem, LegacyRecord, Marks } from './source.ts'

/** A record of the old server, as it was read. */
export interface MetRecord {
  list: LegacyList
  legacyId: string
  reading: Reading
}

/** What a record is decided by. */
export interface Planning {
  ctx: Context
  directory: Directory
  rules: ReadingRules
}

/** What is here of a record already. */
export interface Known {
  record: LegacyRecord | null
  /** What it became, or what it belongs to. */
  deal: Deal | null
  /** Whether it became that by an earlier reading; else it is met for the first time, and the deal is somebody's already. */
  taken: boolean
  /** Whether its id may be the reference of a new lead or project here. */
  referenceFree: boolean
  /** The name of another company, where what it is here is theirs and so not there for the company that moves in. */
  ownedBy: string | null
}

/** What a record would do. */
export interface RecordPlan {
  outcome: Outcome
  /** What it was and becomes; null where nothing is written. */
  change: { before: Deal | null; after: Deal; effects: Effects } | null
  marks: Marks
  linkKey: string | null
  customerKey: string | null
  problems: LegacyProblem[]
}

export async function loadRules(
  { db, actor }: Pick<Context, 'db' | 'actor'>,
  termUnit: ReadingRules['termUnit'],
): Promise<ReadingRules> {
  const listed = await listEquipment(db, { installerId: actor.installerId, kind: null })
  return { termUnit, equipment: JSON.parse(`[${listed}]`) as Equipment[] }
}

/** Somebody changed it here too: what is here stays. */
export function keptHere(fields: readonly string[]): LegacyProblem[] {
  return fields.map((field) => ({ field, message: 'changed there and here: what is here was kept' }))
}
