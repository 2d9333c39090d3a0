import type { Database } from '../../../platform/db.ts'
import { boolean, instant, row, textBytes } from '../../../platform/sql/row.ts'
import { type Fragment, type Params, raw, sql, when } from '../../../platform/sql/sql.ts'
import { one } from '../../../platform/sql/statements.ts'
import type { ProductLine } from '../../kernel/tenant/stage.ts'

export interface PageRequest {
  limit: number
  /** The last change of the page before. */
  after: Date | null
  /** Rows changed after this time. */
  since: Date | null
  /** Whether the oldest change comes first: what changes meanwhile comes again, at the end. */
  ascending: boolean
}

export interface Page {
  /** The rows' renderings, joined by commas. */
  rows: Buffer
  /** Behind which change the next page begins; null at the end. */
  next: Date | null
}

interface Listed {
  installerId: string
  companyId: string | null
  productLine: ProductLine | null
  ascending: boolean
  /** Times, or the ends of time. */
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
export function pagesOf(table: 'leads' | 'projects p', shown: Fragment) {
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
      )}`
      const begin = sql`updated_at > ${$.since}`
      const [last, behind, wanted, way] = [
        when($.ascending, raw('max'), raw('min')),
        when($.ascending, sql`updated_at > page.at`, sql`${begin} and updated_at < page.at`),
        when($.ascending, begin, sql`${begin} and updated_at < ${$.before}`),
        when($.ascending, raw('asc'), raw('desc')),
      ]
      return sql`select page.rows, page.at, exists (select from ${raw(table)} where ${where} and ${behind}) as more
      from (
        select string_agg(rendering, ',') as rows, ${last}(updated_at) as at from (
          select rendering, updated_at from (
            select ${shown} as rendering, updated_at from ${raw(table)} where ${where} and ${wanted}
            order by updated_at ${way} limit ${raw(maxLimit)}
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
    { limit, ascending, after, since }: PageRequest,
  ): Promise<Page> => {
    const begin = (ascending && after) || since
    const listed: Listed = {
      installerId,
      companyId,
      productLine,
      ascending,
      before: (!ascending && after?.toISOString()) || 'infinity',
      since: begin?.toISOString() ?? '-infinity',
      limit,
    }
    const { rows, at, more } = await db.reading(installerId, 'clocked', (from) => readPage(from, listed))
    return { rows: rows ?? noRows, next: more ? at : null }
  }
}
