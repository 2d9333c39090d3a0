import { type Fragment, raw, sql } from '../../platform/sql/sql.ts'

/** Figures beside lists are counted so far: beyond, nobody reads them, and counting would cost more than the list. */
export const countedUpTo = 1_000

/** Of those who are on very many records, these are looked at one by one, and counted less far. */
export const lookedAtUpTo = 25

/** So many are looked at: theirs may be few among them, and none. */
export const lookedAtFirst = 2_000

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

/** The figure of rows. */
export const figureOf = (rows: Fragment): Fragment => sql`(
  select json_build_object('count', least(n.count, ${raw(countedUpTo)}), 'orMore', n.count > ${raw(countedUpTo)})
  from ${countUpTo(rows)} n)`

/** The first rows in an order, which are looked at one by one: there may be others, of which none is. */
export const firstRows = (rows: Fragment, as: string): Fragment =>
  sql`(select * ${rows} limit ${raw(lookedAtFirst)}) ${raw(as)}`

/** The figure of those that were found among the first rows in an order, where no more were looked for than are counted. */
export const figureFound = (count: Fragment, rows: Fragment): Fragment => sql`json_build_object(
  'count', least(${count}, ${raw(lookedAtUpTo)}),
  'orMore', case when ${count} > ${raw(lookedAtUpTo)} then true else exists (select ${rows} offset ${raw(lookedAtFirst)}) end)`

/** The figure of those that fit among the first rows in an order. */
export const figureAmong = (rows: Fragment, as: string, fits: Fragment): Fragment => sql`(
  select ${figureFound(sql`n.count`, rows)}
  from ${countUpTo(sql`from ${firstRows(rows, as)} where ${fits}`, lookedAtUpTo)} n)`
