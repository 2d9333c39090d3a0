import { csvLineForSpreadsheets } from '../../platform/tables/csv-text.ts'
import { recordExport } from '../journal/audit/record-security.ts'
import type { Context } from '../kernel/context.ts'
import type { Kept, Shelf } from './shelf.ts'
import { readShelf } from './shelf.ts'

/** All entries as CSV that an import reads back. */
export async function exportTable<T extends Kept>(ctx: Context, shelf: Shelf<T>): Promise<string> {
  const items = await readShelf(ctx, shelf)
  await recordExport(ctx, shelf.word)
  const lines = [
    ['Id', ...shelf.columns.map(({ name }) => name)],
    ...items.map((item) => [item.id, ...shelf.columns.map(({ write }) => write(item))]),
  ]
  // Spreadsheets take a file for UTF-8 where it begins so.
  return `\uFEFF${lines.map(csvLineForSpreadsheets).join('')}`
}
