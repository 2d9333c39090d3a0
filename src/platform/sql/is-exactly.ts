import { type Fragment, type Param, raw, sql } from './sql.ts'

/**
 * Equality. One plan serves all values: with "=" it would be made for one that is as common as others are, and read all
 * records for one that nothing has. Of two bounds the planner expects little, and goes by the column's index.
 */
export const isExactly = (column: string, value: Param<string | null | undefined>): Fragment =>
  sql`${raw(column)} between ${value} and ${value}`
