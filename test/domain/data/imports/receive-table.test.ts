import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { after, before, describe, test } from 'node:test'
import { receiveTable } from '../../../../src/domain/data/imports/receive-table.ts'
import type { FileStore } from '../../../../src/platform/file-store/file-store.ts'
import { folderStore } from '../../../../src/platform/file-store/folder-store.ts'
import { temporaryFolder } from '../../../support/process.ts'
import { zip } from '../../../support/sample-files.ts'
import { workbook } from '../../../support/xlsx.ts'

const head = '<row r="1"><c r="A1" t="inlineStr"><is><t>First Name</t></is></c></row>'
const doctype =
  '<!DOCTYPE r [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;">]>'

describe('a workbook that is sent', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>
  let store: FileStore
  /** What the largest of the temporary files came to. */
  let largest = 0

  before(async () => {
    folder = await temporaryFolder()
    const plain = folderStore(folder.path)
    store = {
      ...plain,
      async tempFile() {
        const temp = await plain.tempFile()
        const discard = async () => {
          largest = Math.max(largest, (await stat(temp.path).catch(() => null))?.size ?? 0)
          await temp.discard()
        }
        return { ...temp, discard }
      },
    }
  })
  after(() => folder.remove())

  const receive = (contents: Buffer) => {
    largest = 0
    return receiveTable(store, {
      name: 'leads.xlsx',
      size: contents.length,
      contents: Readable.from([contents]),
    })
  }

  /** Refused for a reason that says what to do, after little was written, with nothing left of it. */
  async function refused(contents: Buffer, reason: RegExp, maxBytes = 6_000_000): Promise<void> {
    const kept = await left()
    await assert.rejects(receive(contents), { name: 'ContentRefused', message: reason })
    assert.ok(largest <= Math.max(maxBytes, contents.length), `${largest} bytes were written`)
    assert.deepEqual(await left(), kept)
  }
  const left = async () => {
    const entries = await readdir(folder.path, { recursive: true, withFileTypes: true })
    return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  }

  test('may not say one long text again and again: 2 kB are not 472 MB', async () => {
    const rows = Array.from(
      { length: 600 },
      (_, i) => `<row r="${i + 2}">${'<c t="s"><v>0</v></c>'.repeat(8)}</row>`,
    )
    const small = workbook(head + rows.join(''), { shared: ['x'.repeat(99_000)] })
    assert.ok(small.length < 10_000, `${small.length}`)
    await refused(small, /unpacks to far more than was sent; save the sheet as CSV/)
  })

  test('may not hold ten thousand long texts that are packed to nothing', async () => {
    const shared = Array.from({ length: 400 }, () => 'y'.repeat(90_000))
    await refused(workbook(head, { shared }), /unpacks to far more than was sent/)
  })

  test('may not declare less or more than it is', async () => {
    const long = `<row r="2"><c t="inlineStr"><is><t>${'z'.repeat(90_000)}</t></is></c></row>`
    await refused(workbook(head + long, { declaredSize: 500 }), /damaged workbook/)
    await refused(workbook(head + long, { declaredSize: 2_000_000_000 }), /unpack to far too much/)
  })

  test('may not define entities, nested or not', async () => {
    const rows = `${head}<row r="2"><c t="inlineStr"><is><t>&c;</t></is></c></row>`
    const sheet = workbook(doctype + rows)
    await refused(sheet, /defines words of its own/)
    await refused(
      workbook(`${head}<row r="2"><c t="inlineStr"><is><t>&c;</t></is></c></row><!ENTITY c "x">`),
      /defines words/,
    )
  })

  test('may not place a cell where no sheet has one', async () => {
    for (const place of ['XFE2', 'ZZZ2', 'AAAAAAAAAAAAAAAAAAAAAAAA2', `${'Z'.repeat(60_000)}2`])
      await refused(
        workbook(`${head}<row r="2"><c r="${place}"><v>1</v></c></row>`),
        /more than 500 columns in row 2/,
      )
    for (const row of ['99999999999999999999', '1e300', '500002'])
      await refused(workbook(`${head}<row r="${row}"><c><v>1</v></c></row>`), /more than 500,000 rows/)
  })

  test('may not hold one tag in another without end, nor a tag that never ends', async () => {
    await refused(workbook(head + '<a>'.repeat(200_000)), /damaged workbook/)
    await refused(workbook(`${head}<row r="${'1'.repeat(3_000_000)}"/>`), /damaged workbook/)
    await refused(workbook(`${head}<row><c><v>1</c></row>`), /damaged workbook/)
  })

  test('may not have a million columns, though they are empty', async () => {
    await refused(
      workbook(`${head}<row r="2">${'<c/>'.repeat(1_000_000)}</row>`),
      /more than 500 columns in row 2/,
    )
  })

  test('may not have more parts than a document has', async () => {
    const parts = Array.from({ length: 20_001 }, (_, i) => ({ name: `xl/media/${i}.png` }))
    const names = [
      { name: '[Content_Types].xml', data: 'spreadsheetml.sheet.main+xml' },
      { name: 'xl/workbook.xml' },
    ]
    await refused(zip([...names, ...parts]), /far too much|parts/)
  })

  test('is taken with 100,000 rows, of texts of their own and of texts that repeat', async () => {
    const shared = ['First Name', 'City', 'Ada', 'San Diego']
    const line = (i: number, own: number) =>
      `<row r="${i}"><c r="A${i}" t="s"><v>2</v></c><c r="B${i}" t="s"><v>3</v></c><c r="C${i}" t="s"><v>${own}</v></c></row>`
    const rows = ['<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c></row>']
    for (let i = 0; i < 100_000; i++) {
      if (i % 2) shared.push(randomBytes(12).toString('hex'))
      rows.push(line(i + 2, i % 2 ? shared.length - 1 : 3))
    }
    const table = await receive(workbook(rows.join(''), { shared }))
    assert.equal(table.rowsTotal, 100_000)
    assert.equal((await left()).length, 1)
  })

  test('is taken however its parts are written, as long as they are XML', async () => {
    const cell = (text: string) => `<c t="inlineStr"><is><t>${text}</t></is></c>`
    const rows = `<row>${cell('First > Name')}</row><!-- <row> --><row title='a > b "c"'>${cell('<![CDATA[<Ada> &amp;]]> &amp; &#66;o')}</row>`
    const table = await receive(workbook(rows, { sheetName: 'Q1 > Q2' }))
    assert.deepEqual([table.header, table.samples], [['First > Name'], [['<Ada> &amp; & Bo']]])
  })
})
