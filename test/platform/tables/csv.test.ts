import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { createCsvReader } from '../../../src/platform/tables/csv-reader.ts'
import { csvRows, guessDelimiter } from '../../../src/platform/tables/csv-rows.ts'
import { csvLine, csvLineForSpreadsheets, withoutApostrophe } from '../../../src/platform/tables/csv-text.ts'

function rowsOf(text: string, delimiter = ',', pieces = 1): string[][] {
  const reader = createCsvReader(delimiter)
  const size = Math.ceil(text.length / pieces) || 1
  const rows: string[][] = []
  for (let at = 0; at < text.length; at += size) rows.push(...reader.push(text.slice(at, at + size)))
  return [...rows, ...reader.end()]
}

test('what is written is read back, wherever it is cut', () => {
  const cell = fc.string({ unit: fc.constantFrom('a', '"', ',', '\n', '\r', ' ', ';', 'é', '\t') })
  const row = fc
    .array(cell, { minLength: 1, maxLength: 5 })
    .filter((cells) => cells.length > 1 || cells[0] !== '')
  fc.assert(
    fc.property(
      fc.array(row, { minLength: 1, maxLength: 6 }),
      fc.integer({ min: 1, max: 20 }),
      (rows, pieces) => {
        assert.deepEqual(rowsOf(rows.map(csvLine).join(''), ',', pieces), rows)
      },
    ),
  )
})

test('line ends of every kind, blank lines, and none at the end', () => {
  assert.deepEqual(rowsOf('a,b\r\n1,2\r\n'), [
    ['a', 'b'],
    ['1', '2'],
  ])
  assert.deepEqual(rowsOf('a\rb\nc'), [['a'], ['b'], ['c']])
  assert.deepEqual(rowsOf('a\n\nb'), [['a'], [''], ['b']])
  assert.deepEqual(rowsOf('a,\n'), [['a', '']])
  assert.deepEqual(rowsOf('a,'), [['a', '']])
  assert.deepEqual(rowsOf('""'), [['']])
  assert.deepEqual(rowsOf(''), [])
})

test('quotes inside of plain cells are signs like others, and text after a closing quote is kept', () => {
  assert.deepEqual(rowsOf('5" pipe,"6"" pipe","a"b'), [['5" pipe', '6" pipe', 'ab']])
})

test('the delimiter is the one that parts the rows evenly', () => {
  assert.equal(guessDelimiter('a,b,c\n1,2,3\n'), ',')
  assert.equal(guessDelimiter('a;b\n"1,5";"2,5"\n'), ';')
  assert.equal(guessDelimiter('a\tb\n1\t2\n'), '\t')
  assert.equal(guessDelimiter('name\nAda, Moreno\n'), ',')
  assert.equal(guessDelimiter('a;b;c\n1, 2, 3, 4;x;y\n'), ';')
})

test('encodings are read as they are, without the mark that they begin with', async () => {
  const read = async (bytes: Buffer, encoding: 'utf-8' | 'utf-16le' | 'windows-1252') => {
    const rows: string[][] = []
    const one = async function* () {
      // In pieces that part signs of several bytes.
      for (let at = 0; at < bytes.length; at += 3) yield bytes.subarray(at, at + 3)
    }
    for await (const some of csvRows(one(), { encoding, delimiter: ',' })) rows.push(...some)
    return rows
  }
  assert.deepEqual(await read(Buffer.from('\uFEFFZoë,😀\n'), 'utf-8'), [['Zoë', '😀']])
  assert.deepEqual(await read(Buffer.from('\uFEFFZoë,x\n', 'utf16le'), 'utf-16le'), [['Zoë', 'x']])
  assert.deepEqual(await read(Buffer.from('Zo\xeb,\x80\n', 'latin1'), 'windows-1252'), [['Zoë', '€']])
})

test('nothing that goes out is a formula, and it comes back as it was', () => {
  for (const text of ['=1+1', '+1 619 555 0100', '-5', '@SUM(A1)', "'tis", 'plain']) {
    const [[cell]] = rowsOf(csvLineForSpreadsheets([text])) as [[string]]
    assert.doesNotMatch(cell, /^[=+\-@\t\r]/)
    assert.equal(withoutApostrophe(cell), text)
  }
})
