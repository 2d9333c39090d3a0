import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { sniffFile } from '../../../src/platform/contents/content-type.ts'
import * as sample from '../../support/sample-files.ts'

let folder = ''
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'content-type-'))
})
after(() => rm(folder, { recursive: true }))

async function sniff(data: string | Buffer, name = 'file') {
  const path = join(folder, randomBytes(8).toString('hex'))
  await writeFile(path, data)
  return sniffFile(path, { name })
}

const utf16 = (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le')
const ooxml = 'application/vnd.openxmlformats-officedocument'
const macroWord = 'application/vnd.ms-word.document.macroEnabled.main+xml'
const binaryExcel = 'application/vnd.ms-excel.sheet.binary.macroEnabled.main'
const manyParts = Array.from({ length: 1_500 }, (_, index) => ({ name: `xl/media/${index}.png`, data: 'x' }))

type Accepted = [
  label: string,
  data: string | Buffer,
  name: string,
  type: string,
  extension: string,
  inline: boolean,
]

const accepted: Accepted[] = [
  ['PDF', sample.pdf, 'plan.pdf', 'application/pdf', 'pdf', false],
  [
    'PDF after a line break',
    Buffer.concat([Buffer.from('\r\n'), sample.pdf]),
    'x',
    'application/pdf',
    'pdf',
    false,
  ],
  ['PDF without a name that says so', sample.pdf, 'photo.png', 'application/pdf', 'pdf', false],
  [
    'docx',
    sample.openXml('word/document.xml', 'wordprocessingml.document'),
    'a',
    `${ooxml}.wordprocessingml.document`,
    'docx',
    false,
  ],
  [
    'docm',
    sample.openXml('word/document.xml', macroWord),
    'a',
    'application/vnd.ms-word.document.macroenabled.12',
    'docm',
    false,
  ],
  [
    'xlsx',
    sample.openXml('xl/workbook.xml', 'spreadsheetml.sheet'),
    'a',
    `${ooxml}.spreadsheetml.sheet`,
    'xlsx',
    false,
  ],
  [
    'xlsb',
    sample.openXml('xl/workbook.bin', binaryExcel),
    'a',
    'application/vnd.ms-excel.sheet.binary.macroenabled.12',
    'xlsb',
    false,
  ],
  [
    'pptx',
    sample.openXml('ppt/presentation.xml', 'presentationml.presentation'),
    'a',
    `${ooxml}.presentationml.presentation`,
    'pptx',
    false,
  ],
  [
    'xlsx of many parts, its types last',
    sample.zip([...manyParts, { name: 'xl/workbook.xml' }, { name: '[Content_Types].xml' }]),
    'a',
    `${ooxml}.spreadsheetml.sheet`,
    'xlsx',
    false,
  ],
  ['odt', sample.openDocument('text'), 'a', 'application/vnd.oasis.opendocument.text', 'odt', false],
  [
    'ods',
    sample.openDocument('spreadsheet'),
    'a',
    'application/vnd.oasis.opendocument.spreadsheet',
    'ods',
    false,
  ],
  [
    'epub',
    sample.zip([{ name: 'mimetype', data: 'application/epub+zip' }, { name: 'META-INF/container.xml' }]),
    'a',
    'application/epub+zip',
    'epub',
    false,
  ],
  [
    'zip64 document',
    sample.zip([{ name: '[Content_Types].xml' }, { name: 'word/document.xml', data: 'x' }], { zip64: true }),
    'a',
    `${ooxml}.wordprocessingml.document`,
    'docx',
    false,
  ],
  ['old Word', sample.compoundFile(['1Table', 'WordDocument']), 'a', 'application/msword', 'doc', false],
  ['old Excel', sample.compoundFile(['Workbook']), 'a', 'application/vnd.ms-excel', 'xls', false],
  [
    'old PowerPoint',
    sample.compoundFile(['Current User', 'PowerPoint Document']),
    'a',
    'application/vnd.ms-powerpoint',
    'ppt',
    false,
  ],
  ['RTF', '{\\rtf1\\ansi Hello}', 'a', 'application/rtf', 'rtf', false],
  ['text', 'Roof faces south.\n', 'note.txt', 'text/plain; charset=utf-8', 'txt', true],
  [
    'text that begins like a bitmap',
    'BM Solar, invoice 7\n',
    'note.txt',
    'text/plain; charset=utf-8',
    'txt',
    true,
  ],
  [
    'text that begins like a program',
    'MZ is a postcode area\n',
    'note.txt',
    'text/plain; charset=utf-8',
    'txt',
    true,
  ],
  ['text of UTF-16', utf16('Größe\r\n'), 'note.txt', 'text/plain; charset=utf-16le', 'txt', true],
  [
    'text of windows-1252',
    Buffer.from('Stra\xdfe und H\xf6he des Daches\r\n', 'latin1'),
    'n.txt',
    'text/plain; charset=windows-1252',
    'txt',
    true,
  ],
  [
    'text longer than one read',
    'ä line of text\n'.repeat(60_000),
    'a.txt',
    'text/plain; charset=utf-8',
    'txt',
    true,
  ],
  [
    'XML',
    '<?xml version="1.0"?><readings><r/></readings>',
    'a.xml',
    'text/plain; charset=utf-8',
    'txt',
    true,
  ],
  [
    'text that begins with an address',
    '<jo@example.com> wrote: yes',
    'a.txt',
    'text/plain; charset=utf-8',
    'txt',
    true,
  ],
  ['text after a comment', '<!-- draft -->\n# Notes\n', 'a.md', 'text/plain; charset=utf-8', 'txt', true],
  [
    'XML whose root is also an element of pages',
    '<?xml version="1.0"?><form/>',
    'a.xml',
    'text/plain; charset=utf-8',
    'txt',
    true,
  ],
  ['CSV', 'a;b\n1;2\n', 'Export.CSV', 'text/csv; charset=utf-8', 'csv', false],
  ['PNG', sample.png, 'a', 'image/png', 'png', true],
  ['JPEG', sample.jpeg, 'a', 'image/jpeg', 'jpg', true],
  ['GIF', sample.gif, 'a', 'image/gif', 'gif', true],
  ['WebP', sample.riff('WEBP'), 'a', 'image/webp', 'webp', true],
  ['AVIF', sample.isoMedia('avif'), 'a', 'image/avif', 'avif', true],
  ['HEIC', sample.isoMedia('heic'), 'a', 'image/heic', 'heic', false],
  ['BMP', Buffer.concat([Buffer.from('BM'), Buffer.alloc(60)]), 'a', 'image/bmp', 'bmp', true],
  [
    'TIFF',
    Buffer.concat([Buffer.from('49492a0008000000', 'hex'), Buffer.alloc(40)]),
    'a',
    'image/tiff',
    'tif',
    false,
  ],
  ['DWG', Buffer.concat([Buffer.from('AC1032'), Buffer.alloc(40)]), 'a', 'image/vnd.dwg', 'dwg', false],
  ['SVG', '<svg xmlns="http://www.w3.org/2000/svg"/>', 'a', 'image/svg+xml', 'svg', false],
  [
    'SVG after mark, prolog, comment and doctype',
    '\ufeff<?xml version="1.0"?>\n<!-- a > b -->\n<!DOCTYPE svg [<!ENTITY x "]>">]>\n<s:svg xmlns:s="x"/>',
    'a',
    'image/svg+xml',
    'svg',
    false,
  ],
  ['MP3', sample.mp3, 'a', 'audio/mpeg', 'mp3', true],
  ['WAV', sample.riff('WAVE'), 'a', 'audio/wav', 'wav', true],
  ['MP4', sample.isoMedia('isom'), 'a', 'video/mp4', 'mp4', true],
]

for (const [label, data, name, type, extension, inline] of accepted) {
  test(`takes ${label}`, async () => {
    assert.deepEqual(await sniff(data, name), { type, extension, inline })
  })
}
