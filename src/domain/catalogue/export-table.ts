import { csvLineForSpreadsheets } from '../../platform/tables/csv-text.ts'
import { recordExport } from '../journal/audit/record-security.ts'
import type { Context } from '../kernel/context.ts'
import type { CatalogueItem, CatalogueSection } from './section.ts'
import { listSectionItems } from './section.ts'

/** All entries as CSV that an import reads back. */
export async function exportTable<T extends CatalogueItem>(
  ctx: Context,
  section: CatalogueSection<T>,
): Promise<string> {
  const items = await listSectionItems(ctx, section)
  await recordExport(ctx, section.word)
  const lines = [
    ['Id', ...section.columns.map(({ name }) => name)],
    ...items.map((item) => [item.id, ...section.columns.map(({ write }) => write(item))]),
  ]
  // Spreadsheets take a file for UTF-8 where it begins so.
  return `\uFEFF${lines.map(csvLineForSpreadsheets).join('')}`
}
