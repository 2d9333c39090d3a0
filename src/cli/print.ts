export interface Output {
  json?: boolean
}

/** On one line and without signs that a terminal obeys or that turn text around: for what others have written. */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ')
}

type Row = Record<string, unknown>

function shown(value: unknown): string {
  if (value === null || value === undefined) return '-'
  if (value instanceof Date) return value.toISOString()
  return Array.isArray(value) ? value.join(',') : String(value)
}

/** Rows as a table for people, or as JSON for programs. */
export function printRows(rows: Row[], { json }: Output): void {
  if (json || rows.length === 0) {
    console.log(json ? JSON.stringify(rows, null, 2) : '(none)')
    return
  }
  const columns = Object.keys(rows[0]!)
  const lines = [columns, ...rows.map((row) => columns.map((column) => shown(row[column])))]
  const widths = columns.map((_, i) => Math.max(...lines.map((line) => line[i]!.length)))
  for (const line of lines)
    console.log(
      line
        .map((cell, i) => cell.padEnd(widths[i]!))
        .join('  ')
        .trimEnd(),
    )
}

/** One record, a line for each field, or as JSON. */
export function printRecord(record: Row, { json }: Output): void {
  if (json) {
    console.log(JSON.stringify(record, null, 2))
    return
  }
  const width = Math.max(...Object.keys(record).map((name) => name.length))
  for (const [name, value] of Object.entries(record)) console.log(`${name.padEnd(width)}  ${shown(value)}`)
}
