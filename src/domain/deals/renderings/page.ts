import type { Database } from '../../../platform/db.ts'
import { boolean, instant, row, textBytes } from '../../../platform/sql/row.ts'
import { type Params, raw, sql, when } from '../../../platform/sql/sql.ts'
import { one } from '../../../platform/sql/statements.ts'
import type { ProductLine } from '../../kernel/tenant/stage.ts'

export interface PageRequest {
  limit: number
  /** Rows changed before this time: the end of the page before. */
  before: Date | null
  /** Rows changed after this time. */
  since: Date | null
}

export interface Page {
  /** The rows' renderings, joined by commas. */
  rows: Buffer
  /** Where the next page begins; null at the end. */
  next: Date | null
}

interface Listed {
  installerId: string
  companyId: string | null
  productLine: ProductLine | null
  /** Times, or the end of time. */
  before: string
  since: string
  limit: number
}

export const maxLimit = 100
const noRows = Buffer.alloc(0)

/**
 * A list by change time, as one row of joined text. The inner limit is a constant: a limit that is a
 * parameter makes the planner expect a tenth of the table and sort it; the outer one cuts to size.
 */
export function pagesOf(table: 'leads' | 'projects', column: 'rendering' | 'row_rendering') {
  const readPage = one(
    row<{ rows: Buffer | null; at: Date | null; more: boolean }>({
      rows: textBytes,
      at: instant,
      more: boolean,
    }),
    ($: Params<Listed>) => {
      const where = sql`installer_id = ${$.installerId}${when($.companyId, sql` and company_id = ${$.companyId}`)}${when(
        $.productLine,
        sql` and product_line = ${$.productLine}`,
      )} and updated_at > ${$.since}`
      return sql`select page.rows, page.at,
        exists (select from ${raw(table)} where ${where} and updated_at < page.at) as more
      from (
        select string_agg(rendering, ',') as rows, min(updated_at) as at from (
          select rendering, updated_at from (
            select ${raw(column)} as rendering, updated_at from ${raw(table)} where ${where} and updated_at < ${$.before}
            order by updated_at desc limit ${raw(maxLimit)}
          ) most limit ${$.limit}
        ) rows
      ) page`
    },
    { shared: 'read' },
  )
  return async (
    db: Database,
    installerId: string,
    companyId: string | null,
    productLine: ProductLine | null,
    page: PageRequest,
  ): Promise<Page> => {
    const listed: Listed = {
      installerId,
      companyId,
      productLine,
      before: page.before?.toISOString() ?? 'infinity',
      since: page.since?.toISOString() ?? '-infinity',
      limit: page.limit,
    }
    const { rows, at, more } = await db.reading(installerId, 'clocked', (from) => readPage(from, listed))
    return { rows: rows ?? noRows, next: more ? at : null }
  }
}
