import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { after, afterEach, test } from 'node:test'
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { ContentRefused, OutboundRefused, Refused } from '../../../src/platform/outbound/refused.ts'
import { type Answer, startCopying } from '../../support/copying.ts'
import * as sample from '../../support/sample-files.ts'

const world = await startCopying()
const { address, copy, server, store } = world
after(() => world.close())

/** Every test ends with an empty store: what succeeded removes its copy, what failed left none. */
afterEach(async () => assert.deepEqual(await world.filesLeft(), []))

const MB = 1024 * 1024

const taken: [label: string, data: Buffer, name: string, type: string][] = [
  ['PDF', sample.pdf, 'plan.pdf', 'application/pdf'],
  [
    'docx',
    sample.openXml('word/document.xml', 'wordprocessingml.document'),
    'letter.docx',
    'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  ],
  [
    'xlsx',
    sample.openXml('xl/workbook.xml', 'spreadsheetml.sheet'),
    'sums.xlsx',
    'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  ],
  ['odt', sample.openDocument('text'), 'letter.odt', 'application/vnd.oasis.opendocument.text'],
  ['CSV', Buffer.from('a,b\n1,2\n'), 'sums.csv', 'text/csv; charset=utf-8'],
  ['text', Buffer.from('hello'), 'note.txt', 'text/plain; charset=utf-8'],
  ['PNG', sample.png, 'roof.png', 'image/png'],
  ['SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'roof.svg', 'image/svg+xml'],
  ['HEIC', sample.isoMedia('heic'), 'roof.heic', 'image/heic'],
  ['MP3', sample.mp3, 'call.mp3', 'audio/mpeg'],
  ['WAV', sample.riff('WAVE'), 'call.wav', 'audio/wav'],
  ['MP4', sample.isoMedia('isom'), 'roof.mp4', 'video/mp4'],
]

for (const [label, data, name, type] of taken) {
  test(`copies ${label}, whatever type the server declares`, async () => {
    world.answerWith((request, response) => {
      assert.equal(request.headers['accept-encoding'], 'identity')
      response.writeHead(200, { 'content-type': 'application/octet-stream' }).end(data)
    })
    const copied = await copy({}, address(`/${name}`), name)
    assert.equal(copied.type, type)
    assert.equal(copied.size, data.length)
    assert.equal(copied.sha256, createHash('sha256').update(data).digest('hex'))
    const stored = await store.open(copied.key)
    assert.deepEqual(await buffer(stored!.stream), data)
    await store.remove(copied.key)
  })
}

test('unpacks what the server packed all the same', async () => {
  const packers = { gzip: gzipSync, deflate: deflateSync, br: brotliCompressSync, zstd: zstdCompressSync }
  for (const [encoding, pack] of Object.entries(packers)) {
    world.answerWith((_request, response) =>
      response.writeHead(200, { 'content-encoding': encoding }).end(pack(sample.pdf)),
    )
    const copied = await copy()
    assert.equal(copied.size, sample.pdf.length, encoding)
    await store.remove(copied.key)
  }
})

const answer =
  (status: number, headers: Record<string, string>, body: string | Buffer = ''): Answer =>
  (_request, response) =>
    response.writeHead(status, headers).end(body)

const signIn = /signing in/
const tooLarge = /larger than 1 MB/
const broken = /broke off/
const padded = Buffer.concat([sample.pdf, Buffer.alloc(3 * MB, 32)])

const refused: [label: string, answer: Answer, message: RegExp, kind: typeof Refused][] = [
  ['401', answer(401, {}, 'no'), signIn, OutboundRefused],
  ['403', answer(403, {}, 'no'), signIn, OutboundRefused],
  ['404', answer(404, {}, 'no'), /answered 404/, OutboundRefused],
  ['500', answer(500, {}, 'no'), /answered 500/, OutboundRefused],
  ['a redirect without target', answer(302, {}), /answered 302/, OutboundRefused],
  ['a part of the file', answer(206, {}, sample.pdf), /part of the file/, OutboundRefused],
  ['no contents', answer(204, {}), /empty/, ContentRefused],
  [
    'a redirect to a sign-in page',
    (request, response) => {
      if (request.url === '/login') response.writeHead(200, { 'content-type': 'text/html' }).end('<p>Sign in')
      else response.writeHead(302, { location: '/login' }).end()
    },
    signIn,
    ContentRefused,
  ],
  [
    'a page by its declared type',
    answer(200, { 'content-type': 'Text/HTML; charset=utf-8' }, sample.pdf),
    signIn,
    ContentRefused,
  ],
  [
    'a page declared as a PDF',
    answer(200, { 'content-type': 'application/pdf' }, '<!doctype html>'),
    signIn,
    ContentRefused,
  ],
  ['a program', answer(200, { 'content-type': 'application/pdf' }, sample.elf), /program/, ContentRefused],
  [
    'a redirect to the name of a program',
    (request, response) =>
      request.url === '/a.exe'
        ? response.end(sample.pdf)
        : response.writeHead(302, { location: '/a.exe' }).end(),
    /program/,
    ContentRefused,
  ],
  ['an archive', answer(200, {}, sample.zip([{ name: 'a', data: 'b' }])), /archive/, ContentRefused],
  [
    "an archive bomb's size",
    answer(
      200,
      {},
      sample.openXml('xl/workbook.xml', 'spreadsheetml.sheet', [{ name: 'a', declaredSize: 2 ** 30 }]),
    ),
    /unpack/,
    ContentRefused,
  ],
  ['an empty file', answer(200, {}), /empty/, ContentRefused],
  [
    'a declared length over the limit, before any of the body',
    (_request, response) => {
      response.writeHead(200, { 'content-length': String(MB + 1) })
      response.flushHeaders()
    },
    tooLarge,
    ContentRefused,
  ],
  [
    'a packed body that unpacks past the limit',
    answer(200, { 'content-encoding': 'gzip' }, gzipSync(padded)),
    tooLarge,
    ContentRefused,
  ],
  [
    'a packed body that never unpacks to anything',
    (_request, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' }).flushHeaders()
      response.end(Buffer.concat(Array(60_000).fill(gzipSync(''))))
    },
    tooLarge,
    ContentRefused,
  ],
  [
    'a body packed wrongly',
    answer(200, { 'content-encoding': 'gzip' }, sample.pdf),
    /packs/,
    OutboundRefused,
  ],
  [
    'a packed body cut short',
    answer(200, { 'content-encoding': 'br' }, brotliCompressSync(randomBytes(900)).subarray(0, 400)),
    /packs/,
    OutboundRefused,
  ],
  [
    'an unknown packing',
    answer(200, { 'content-encoding': 'compress' }, sample.pdf),
    /packing/,
    OutboundRefused,
  ],
  [
    'packings without end',
    answer(200, { 'content-encoding': 'gzip, gzip, gzip' }, sample.pdf),
    /packing/,
    OutboundRefused,
  ],
  [
    'fewer bytes than declared',
    (_request, response) => {
      response.writeHead(200, { 'content-length': '1000' }).write(sample.pdf)
      setTimeout(() => response.destroy(), 20)
    },
    broken,
    OutboundRefused,
  ],
  [
    'a chunked body cut short',
    (_request, response) => {
      response.write(sample.pdf)
      setTimeout(() => response.destroy(), 20)
    },
    broken,
    OutboundRefused,
  ],
]

for (const [label, play, message, kind] of refused) {
  test(`refuses ${label}`, async () => {
    world.answerWith(play)
    await assert.rejects(copy({ maxBytes: MB }), (error) => {
      assert(error instanceof kind && error instanceof Refused, String(error))
      assert.match(error.message, message)
      return true
    })
  })
}

const formRefused: [label: string, url: () => string, name: string][] = [
  ['plain http', () => `http://files.example.org:${server.port}/a.pdf`, 'a.pdf'],
  ['an IP address', () => `https://127.0.0.1:${server.port}/a.pdf`, 'a.pdf'],
  ['a name that resolves to loopback', () => `https://files.example.org:${server.port}/a.pdf`, 'a.pdf'],
  ['credentials', () => `https://a:b@files.example.com:${server.port}/a.pdf`, 'a.pdf'],
  ['an address that names a program', () => address('/setup.EXE?x=1'), 'a.pdf'],
  ['an address that names a program, encoded', () => address('/setup%2Eexe'), 'a.pdf'],
  ['the name of a program', () => address('/a.pdf'), 'invoice.pdf.js'],
]

for (const [label, url, name] of formRefused) {
  test(`refuses ${label} without a connection`, async () => {
    const before = server.connections()
    await assert.rejects(copy({}, url(), name), Refused)
    assert.equal(server.connections(), before)
  })
}
