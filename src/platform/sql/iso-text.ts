import { type Fragment, raw } from './sql.ts'

/** An instant's column as JSON has it, in UTC: what `toISOString` writes. */
export const isoText = (column: string): Fragment =>
  raw(`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`)
