import type { Database } from '../../../platform/db.ts'
import type { ProductLine } from '../../kernel/tenant/stage.ts'
import type { Counts } from '../imports/import.ts'
import { countOutcomes, groupProblems, type ProblemGroup } from './queries.ts'
import type { LegacyProblem, LegacyRecord, LegacySource, RecordKind } from './source.ts'
import type { DoneRecord } from './write-records.ts'

type KindAndLine = `${RecordKind} ${ProductLine}`

/** What a run did, or would do. */
export interface LegacyReport {
  records: Record<string, Counts>
  files: number
  /** Records that came earlier and are no longer there: here they stay. */
  gone: number
  problems: ProblemGroup[]
  /** Problems beyond those that are listed. */
  moreProblems: number
}

export interface Tally {
  add(done: DoneRecord): void
  /** So many addresses of files were met. */
  files(count: number): void
  copied(count: number, record: LegacyRecord, problems: readonly LegacyProblem[]): void
  report(): LegacyReport
}

/** Each may be a line of a report, and of a dry run all are held at once. */
const maxGroups = 1_000

const noCounts = (): Counts => ({ made: 0, updated: 0, unchanged: 0, refused: 0 })

/** Counts as it goes on: for whoever watches, and of a dry run. */
export function createTally(onChange: (text: string) => void): Tally {
  const records = new Map<KindAndLine, Counts>()
  const groups = new Map<string, ProblemGroup>()
  let moreProblems = 0
  let done = 0
  let met = 0
  let copied = 0
  const say = () => onChange(`${done} records, ${copied} files`)
  const addProblems = ({ kind, legacyId }: LegacyRecord, problems: readonly LegacyProblem[]) => {
    for (const { field, message } of problems) {
      const key = `${kind} ${field} ${message}`
      const group = groups.get(key)
      if (group) group.records++
      else if (groups.size < maxGroups)
        groups.set(key, { kind, field, message, records: 1, example: legacyId })
      else moreProblems++
    }
  }
  return {
    add({ record }) {
      const key: KindAndLine = `${record.kind} ${record.productLine}`
      const counts = records.get(key) ?? noCounts()
      counts[record.outcome]++
      records.set(key, counts)
      addProblems(record, record.problems)
      done++
      say()
    },
    files(count) {
      met += count
    },
    copied(count, record, problems) {
      copied += count
      addProblems(record, problems)
      say()
    },
    report: () => ({
      records: Object.fromEntries(records),
      files: met,
      gone: 0,
      problems: [...groups.values()].sort((a, b) => b.records - a.records),
      moreProblems,
    }),
  }
}

/** What the whole walk did, also the runs of it that were broken off. */
export async function reportOf(db: Database, source: LegacySource): Promise<LegacyReport> {
  const of = { installerId: source.installerId, sourceId: source.id, walk: source.walk }
  const records = new Map<KindAndLine, Counts>()
  let [files, gone] = [0, 0]
  for (const { kind, productLine, outcome, met, records: count, files: copied } of await countOutcomes(
    db,
    of,
  )) {
    if (!met) {
      gone += count
      continue
    }
    files += copied
    const key: KindAndLine = `${kind} ${productLine}`
    const counts = records.get(key) ?? noCounts()
    counts[outcome] += count
    records.set(key, counts)
  }
  const groups = await groupProblems(db, { ...of, limit: maxGroups })
  const listed = groups.reduce((sum, group) => sum + group.records, 0)
  return {
    records: Object.fromEntries([...records].sort(([a], [b]) => (a < b ? -1 : 1))),
    files,
    gone,
    problems: groups.map(({ all: _, ...group }) => group),
    moreProblems: (groups[0]?.all ?? 0) - listed,
  }
}
