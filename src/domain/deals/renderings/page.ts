import type { Statement } from '../../../platform/db.ts'
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
  rows: string
  /** Where the next page begins; null at the end. */
  next: Date | null
}

const statements = new Map<string, Statement>()
export const maxLimit = 100

/**
 * A list by change time, as one row of joined text. The inner limit is a constant: a limit that is a
 * parameter makes the planner expect a tenth of the table and sort it; the outer one cuts to size.
 */
export function listStatement(
  table: 'leads' | 'projects',
  column: string,
  byCompany: boolean,
  byLine: boolean,
): Statement {
  const name = `list-${table}${byCompany ? '-company' : ''}${byLine ? '-line' : ''}`
  const known = statements.get(name)
  if (known) return known
  let parameters = 4
  const filters = ['installer_id = $1']
  if (byCompany) filters.push(`company_id = $${++parameters}`)
  if (byLine) filters.push(`product_line = $${++parameters}`)
  const where = `${filters.join(' and ')} and updated_at > $3`
  const statement: Statement = {
    shared: 'read',
    name,
    text: `select page.rows, page.at,
        exists (select from ${table} where ${where} and updated_at < page.at) as more
      from (
        select string_agg(rendering, ',') as rows, min(updated_at) as at from (
          select rendering, updated_at from (
            select ${column} as rendering, updated_at from ${table} where ${where} and updated_at < $2
            order by updated_at desc limit ${maxLimit}
          ) most limit $4
        ) rows
      ) page`,
  }
  statements.set(name, statement)
  return statement
}

export function pageValues(
  installerId: string,
  companyId: string | null,
  productLine: ProductLine | null,
  page: PageRequest,
): unknown[] {
  const values: unknown[] = [
    installerId,
    page.before?.toISOString() ?? 'infinity',
    page.since?.toISOString() ?? '-infinity',
    page.limit,
  ]
  if (companyId !== null) values.push(companyId)
  if (productLine !== null) values.push(productLine)
  return values
}

export function pageOf(result: object[]): Page {
  const row = result[0] as { rows: string | null; at: Date | null; more: boolean }
  return { rows: row.rows ?? '', next: row.more ? row.at : null }
}
