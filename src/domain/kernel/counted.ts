import { type Fragment, raw, sql } from '../../platform/sql/sql.ts'

/** Figures beside lists are counted so far: beyond, nobody reads them, and counting would cost more than the list. */
export const countedUpTo = 1_000

/** Of those who are on very many records, these are looked at one by one, and counted less far. */
export const lookedAtUpTo = 25

/** How many there are, or that there are more. */
export interface Figure {
  count: number
  orMore: boolean
}

export const figureUpTo = (most: number, count: number): Figure => ({
  count: Math.min(count, most),
  orMore: count > most,
})

export const sumUp = (figures: readonly Figure[]): Figure => ({
  count: figures.reduce((sum, { count }) => sum + count, 0),
  orMore: figures.some(({ orMore }) => orMore),
})

/** How many rows there are; one more than `most` stands for any number above it. */
export const countUpTo = (rows: Fragment, most = countedUpTo): Fragment =>
  sql`(select count(*)::int from (select ${rows} limit ${raw(most + 1)}) counted)`
