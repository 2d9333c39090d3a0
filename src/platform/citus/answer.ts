import { bytes, type Column, instant, textBytes } from '../sql/row.ts'

type Columns = Readonly<Record<string, Column>>
type Read = (value: string) => unknown

const readers = new Map<Column, Read>([
  [instant, (text) => new Date(text)],
  [bytes, (text) => Buffer.from(text.slice(2), 'hex')],
  [textBytes, (text) => Buffer.from(text)],
])

/** The rows of an answer that came as JSON, each value as the driver would have given it. */
export function readAnswer(json: string | null, columns: Columns): object[] {
  if (json === null) return []
  const rows: Record<string, unknown>[] = JSON.parse(json)
  const read = Object.entries(columns).flatMap(([name, column]) => {
    const reader = readers.get(column)
    return reader ? [{ name, reader }] : []
  })
  if (read.length > 0)
    for (const row of rows)
      for (const { name, reader } of read) {
        const value = row[name]
        if (typeof value === 'string') row[name] = reader(value)
      }
  return rows
}
