/** Puts rows of several parts in order by these columns, and takes no more than were asked for. */
export function inOrder<T extends object>(
  ...columns: (keyof T)[]
): (rows: T[], query: { limit?: number }) => T[] {
  return (rows, { limit = Number.POSITIVE_INFINITY }) =>
    rows.toSorted((a, b) => compare(a, b, columns)).slice(0, limit)
}

function compare<T extends object>(a: T, b: T, columns: (keyof T)[]): number {
  for (const column of columns) {
    if (a[column] < b[column]) return -1
    if (a[column] > b[column]) return 1
  }
  return 0
}

/** How values of several parts become one. */
type Fold = 'sum' | 'least'

/** One row for each value of `by`, or one in all; what is not folded is the same in all parts. */
export function folded(
  folds: Readonly<Record<string, Fold>>,
  by?: string,
): <T extends object>(rows: T[]) => T[] {
  return (rows) =>
    [...Map.groupBy(rows, (row) => by && (row as Values)[by]).values()].map((parts) => {
      const values = (column: string) => (parts as Values[]).map((part) => part[column])
      const columns = Object.entries(folds).map(([column, fold]) => [
        column,
        fold === 'sum' ? sumOf(values(column)) : leastOf(values(column)),
      ])
      return { ...parts[0]!, ...Object.fromEntries(columns) }
    })
}

type Values = Record<string, unknown>

const sumOf = (values: unknown[]) => values.reduce<number>((sum, one) => sum + Number(one), 0)

/** Null only where all are. */
const leastOf = (values: unknown[]) =>
  values.reduce((least, one) => (least === null || (one !== null && one! < least!) ? one : least))
