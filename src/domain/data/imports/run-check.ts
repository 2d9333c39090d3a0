import type { LongJob, LongJobDeps } from '../../journal/long-jobs/long-job.ts'
import type { Context } from '../../kernel/context.ts'
import { type ImportField, projectFieldNames } from './fields.ts'
import { type Import, type Outcome, type PreviewRow, previewRows } from './import.ts'
import { readLead } from './lead-of-row.ts'
import { findDealsByExternalId } from './lead-queries.ts'
import { planRow } from './plan-row.ts'
import { contextFor, planningOf, problemsOf } from './planning.ts'
import { readSale, saysProject } from './project-of-row.ts'
import { advanceImport, forgetProgress, moveImport } from './queries.ts'
import { rowBatches } from './read-rows.ts'
import type { FileRow, RowValues } from './row-values.ts'
import { createSeenIds, type SeenIds } from './seen-ids.ts'
import { lockWorkedOn } from './work-on.ts'
import { countOutcomes } from './write-batch.ts'

type Base = Pick<Context, 'db' | 'directories'>

/**
 * Reads the whole file and finds out what each row would do, without doing it. Begun anew, it begins at the top: who was at
 * it before no longer finds the row that they had reached, and leaves it.
 */
export async function* runCheck(
  { db, directories, store }: LongJobDeps,
  job: LongJob,
  begun: Import,
): AsyncGenerator<number, boolean> {
  await db.transaction(async (tx) => {
    if (await lockWorkedOn(tx, job, begun)) await forgetProgress(tx, begun)
  })
  const seen = createSeenIds(begun.rowsTotal)
  let problemsBefore = 0
  let preview: PreviewRow[] | null = []
  let rowsDone = 0
  let reached = 1
  for await (const rows of rowBatches(store, { ...begun, rowReached: 1 })) {
    const checked = await checkRows({ db, directories }, begun, rows, seen)
    const problems = checked.flatMap(({ row, problems }) => problemsOf(begun, row, problems))
    for (const { row, outcome } of checked) {
      if (preview && preview.length < previewRows)
        preview.push({ row: row.row, outcome, values: understood(row.values) })
    }
    const goesOn = await db.transaction(async (tx) => {
      const found = await lockWorkedOn(tx, job, begun)
      if (found?.rowReached !== reached) return false
      await advanceImport(tx, begun, {
        rowReached: rows.at(-1)!.row,
        rows: rows.length,
        counts: countOutcomes(checked.map(({ outcome }) => outcome)),
        problems,
        problemsBefore,
        preview,
      })
      return true
    })
    if (!goesOn) return false
    preview = null
    problemsBefore += problems.length
    rowsDone += rows.length
    reached = rows.at(-1)!.row
    yield rowsDone
  }
  return db.transaction(async (tx) => {
    const found = await lockWorkedOn(tx, job, begun)
    if (found?.rowReached !== reached) return false
    await moveImport(tx, begun, 'checked')
    return true
  })
}

/** What a row says in the form it is kept in, without what is left out of it. */
function understood(values: RowValues): Record<string, string> {
  const lead = readLead(values).lead.texts
  const sale = saysProject(values) ? readSale(values).sale.texts : {}
  const isProjects = (field: ImportField) => (projectFieldNames as ImportField[]).includes(field)
  const read = (Object.keys(values) as ImportField[]).map(
    (field) => [field, isProjects(field) ? sale[field] : lead[field]] as const,
  )
  return Object.fromEntries(read.filter((pair): pair is [ImportField, string] => pair[1] !== undefined))
}

async function checkRows(base: Base, begun: Import, rows: FileRow[], seen: SeenIds) {
  const ctx = contextFor(base, begun)
  const { installerId, companyId } = begun
  const directory = await base.directories.current(base.db, installerId)
  const planning = await planningOf(ctx, directory, begun)
  const ids = rows.flatMap(({ values }) => values.externalId ?? [])
  const known = await findDealsByExternalId(base.db, { installerId, companyId, externalIds: ids })
  const checked = []
  for (const row of rows) {
    const { externalId } = row.values
    const plan = await planRow(planning, row, (externalId && known.get(externalId)) || null)
    let outcome: Outcome = plan.outcome
    if (outcome === 'made' && externalId) {
      // Of two rows of one id the second changes what the first makes.
      if (seen.meet(externalId)) outcome = 'updated'
    }
    checked.push({ row, outcome, problems: plan.problems })
  }
  return checked
}
