import type { FileStore } from '../../../platform/file-store/file-store.ts'
import { csvRows } from '../../../platform/tables/csv-rows.ts'
import { DomainError } from '../../kernel/domain-error.ts'
import { batchRows, type Import } from './import.ts'
import { holdsSomething, saysSeparator } from './receive-table.ts'
import { type FileRow, rowValues } from './row-values.ts'

/** Fewer rows are taken together where they are that long: of several files at once, each is held in memory. */
const batchChars = 2_000_000

/** The rows of an import's file after the one it has reached, some at a time. */
export async function* rowBatches(store: FileStore, found: Import): AsyncGenerator<FileRow[]> {
  const file = found.storeKey === null ? null : await store.open(found.storeKey)
  if (!file) throw new DomainError('invalid', 'The file is no longer here. Upload it again.')
  let number = 0
  let batch: FileRow[] = []
  let chars = 0
  for await (const rows of csvRows(file.stream, found)) {
    for (const cells of rows) {
      if (number === 0 && saysSeparator(cells)) continue
      if (++number <= found.rowReached || !holdsSomething(cells)) continue
      batch.push(rowValues(number, cells, found))
      for (const cell of cells) chars += cell.length
      if (batch.length === batchRows || chars > batchChars) {
        yield batch
        batch = []
        chars = 0
      }
    }
  }
  if (batch.length > 0) yield batch
}
