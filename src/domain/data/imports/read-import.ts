import type { Context } from '../../kernel/context.ts'
import { notFound } from '../../kernel/domain-error.ts'
import { authorize } from '../../kernel/policy.ts'
import type { Import } from './import.ts'
import { countMade } from './lead-queries.ts'
import { findImport, listImports, listProblems, type StoredProblem } from './queries.ts'

/** One of the company's own imports. */
export async function readImport({ db, actor }: Context, id: string): Promise<Import> {
  authorize(actor, 'imports.run')
  const found = await findImport(db, actor, id)
  if (!found) throw notFound('import')
  return found
}

const latest = 'imp_~'

/** The company's imports, newest first, after the one that is named. */
export async function readImports(
  { db, actor }: Context,
  after: string | undefined,
  limit: number,
): Promise<Import[]> {
  authorize(actor, 'imports.run')
  return listImports(db, actor, after ?? latest, limit)
}

/** What undoing it would archive, and how much of that was changed since. */
export async function readUndo(ctx: Context, id: string): Promise<{ made: number; changed: number }> {
  const { installerId } = await readImport(ctx, id)
  return countMade(ctx.db, { installerId, importId: id })
}

const pageSize = 1_000

/** All problems of an import, a page at a time. */
export async function* readProblems(
  { db }: Context,
  { installerId, id }: Import,
): AsyncGenerator<StoredProblem[]> {
  for (let after = { row: 0, ordinal: 0 }; ; ) {
    const page = await listProblems(db, { installerId, id, ...after, limit: pageSize })
    yield page
    if (page.length < pageSize) return
    after = page.at(-1)!
  }
}
