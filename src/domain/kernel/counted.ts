import { type Fragment, raw, sql } from '../../platform/sql/sql.ts'

/** Figures beside lists are counted so far: beyond, nobody reads them, and counting would cost more than the list. */
export const countedUpTo = 1_000

/** How many rows there are; one more than `most` stands for any number above it. */
export const countUpTo = (rows: Fragment, most = countedUpTo): Fragment =>
  sql`(select count(*)::int from (select ${rows} limit ${raw(most + 1)}) counted)`
