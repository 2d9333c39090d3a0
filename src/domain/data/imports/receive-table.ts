import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { type FileHandle, open, stat } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { byteMeter, tooLarge } from '../../../platform/contents/byte-meter.ts'
import { sniffFile } from '../../../platform/contents/content-type.ts'
import { readAt } from '../../../platform/contents/read-at.ts'
import type { TextEncodingName } from '../../../platform/contents/text-encoding.ts'
import { type FileStore, newFileKey } from '../../../platform/file-store/file-store.ts'
import { ContentRefused } from '../../../platform/outbound/refused.ts'
import type { Sent } from '../../../platform/receive-file.ts'
import { type CsvForm, csvRows, guessDelimiter } from '../../../platform/tables/csv-rows.ts'
import { csvLine } from '../../../platform/tables/csv-text.ts'
import { unpackingAllowance } from '../../../platform/tables/table-bounds.ts'
import { xlsxRows } from '../../../platform/tables/xlsx-rows.ts'
import { type ColumnForm, createColumnForms } from './column-forms.ts'

export const maxTableBytes = 200 * 1024 * 1024
const sampleRows = 10
const headBytes = 64 * 1024

export interface Table extends CsvForm {
  storeKey: string
  /** As it was sent, and as it is kept. */
  bytes: number
  storedBytes: number
  header: string[]
  samples: string[][]
  /** Below the header, those that hold something. */
  rowsTotal: number
  /** Of what its cells say, however the file writes them: the same table has the same. */
  contentHash: string
  columnForms: ColumnForm[]
}

/**
 * Takes a table that is being sent into the store, a workbook's first sheet as CSV, after having read all of it
 * once. Rejects with `ContentRefused` where it is none, leaving nothing behind.
 */
export async function receiveTable(store: FileStore, { name, size, contents }: Sent): Promise<Table> {
  const temp = await store.tempFile()
  const converted = await store.tempFile()
  const scratch = await store.tempFile()
  try {
    if (size !== null && size > maxTableBytes) throw tooLarge(maxTableBytes)
    const meter = byteMeter(maxTableBytes)
    await pipeline([contents.iterator({ destroyOnReturn: false }), meter.stage, createWriteStream(temp.path)])
    const { size: bytes } = await stat(temp.path)
    const { type } = await sniffFile(temp.path, { name })
    const isWorkbook = type.endsWith('spreadsheetml.sheet')
    if (isWorkbook) await writeSheet({ path: temp.path, bytes }, scratch.path, converted.path)
    else if (!type.startsWith('text/')) throw new ContentRefused('is neither a CSV file nor an XLSX workbook')
    const path = isWorkbook ? converted.path : temp.path
    const form: CsvForm = isWorkbook
      ? { encoding: 'utf-8', delimiter: ',' }
      : await formOf(path, /charset=([\w-]+)/.exec(type)?.[1] as TextEncodingName)
    const read = await readThrough(path, form)
    const storeKey = newFileKey()
    const { size: storedBytes } = await stat(path)
    await store.put(storeKey, path)
    return { ...form, ...read, storeKey, bytes, storedBytes }
  } finally {
    contents.resume()
    await temp.discard()
    await converted.discard()
    await scratch.discard()
  }
}

function writeSheet(from: { path: string; bytes: number }, scratchPath: string, to: string): Promise<void> {
  return withFile(from.path, 'r', (file) =>
    withFile(scratchPath, 'r+', (scratch) => {
      const spend = unpackingAllowance(from.bytes)
      const rows = xlsxRows(file, from.bytes, scratch, spend)
      return pipeline(Readable.from(csvLines(rows, spend)), createWriteStream(to))
    }),
  )
}

/** Closes it again, whatever comes of the work. */
async function withFile<T>(
  path: string,
  flags: 'r' | 'r+',
  work: (file: FileHandle) => Promise<T>,
): Promise<T> {
  const file = await open(path, flags)
  try {
    return await work(file)
  } finally {
    await file.close()
  }
}

async function* csvLines(
  pieces: AsyncIterable<string[][]>,
  spend: (text: string) => void,
): AsyncGenerator<string> {
  for await (const rows of pieces) {
    for (const row of rows) {
      const line = csvLine(row)
      spend(line)
      yield line
    }
  }
}

function formOf(path: string, encoding: TextEncodingName): Promise<CsvForm> {
  return withFile(path, 'r', async (file) => {
    const head = new TextDecoder(encoding).decode(await readAt(file, 0, headBytes), { stream: true })
    const said = /^\uFEFF?sep=(.)\r?\n/i.exec(head)
    return { encoding, delimiter: said ? said[1]! : guessDelimiter(head) }
  })
}

/** Finds out that all of it can be read, and how much that is. */
async function readThrough(path: string, form: CsvForm) {
  let header: string[] | null = null
  const samples: string[][] = []
  let rowsTotal = 0
  const hash = createHash('sha256')
  const columns = createColumnForms()
  for await (const rows of csvRows(createReadStream(path), form)) {
    for (const row of rows) {
      if (header === null && saysSeparator(row)) continue
      if (header !== null && !holdsSomething(row)) continue
      hash.update(`${JSON.stringify(row.map((cell) => cell.trim()))}\n`)
      if (header === null) {
        header = row.map((cell) => cell.trim().slice(0, 200))
        continue
      }
      columns.meet(row)
      rowsTotal++
      if (samples.length < sampleRows) samples.push(row.map((cell) => cell.slice(0, 200)))
    }
  }
  if (!header || header.every((cell) => cell === ''))
    throw new ContentRefused('has no header: its first row must name the columns')
  if (rowsTotal === 0) throw new ContentRefused('has a header and no rows below it')
  const contentHash = hash.digest('hex')
  return { header, samples, rowsTotal, contentHash, columnForms: columns.forms(header.length) }
}

/** Spreadsheets write "sep=;" above the header, for spreadsheets to read. */
export function saysSeparator(row: readonly string[]): boolean {
  return /^\uFEFF?sep=/i.test(row[0] ?? '') && row.slice(1).every((cell) => cell === '')
}

export function holdsSomething(row: readonly string[]): boolean {
  return row.some((cell) => cell.trim() !== '')
}
