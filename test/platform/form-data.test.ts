import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { FormRefused, readForm } from '../../src/platform/form-data.ts'

const type = 'multipart/form-data; boundary=b'
const head = (name: string, file?: string) =>
  `--b\r\ncontent-disposition: form-data; name="${name}"${file ? `; filename="${file}"` : ''}\r\n\r\n`
const piece = Buffer.alloc(65_536, 'x')

/** A form with a file of so many pieces, which counts what was taken of it. */
function longForm(pieces: number) {
  const state = { sent: 0 }
  const sent = Readable.from(
    (function* () {
      yield Buffer.from(head('files', 'long.bin'))
      for (let i = 0; i < pieces; i++) {
        state.sent += piece.length
        yield piece
      }
      yield Buffer.from(`\r\n${head('folder')}other\r\n--b--\r\n`)
    })(),
    { objectMode: false },
  )
  return { sent, state }
}

test('no more of a file is read than its taker is behind', async () => {
  const { sent, state } = longForm(200)
  let taken = 0
  let behind = 0
  const fields: string[][] = []
  await readForm(sent, type, 1, {
    field: (name, value) => void fields.push([name, value]),
    async file(_name, _fileName, contents) {
      for await (const chunk of contents) {
        taken += chunk.length
        behind = Math.max(behind, state.sent - taken)
        await new Promise(setImmediate)
      }
    },
  })
  assert.deepEqual([taken, fields], [200 * piece.length, [['folder', 'other']]])
  assert.ok(behind < 10 * piece.length, `${behind} bytes behind`)
})

test('what the taker throws ends it, and the rest is let go', async () => {
  const { sent } = longForm(200)
  const ended = once(sent, 'end')
  await assert.rejects(
    readForm(sent, type, 1, {
      field: () => {},
      async file() {
        throw new Error('no room')
      },
    }),
    /no room/,
  )
  await ended
})

test('a form that breaks off ends its file with it', async () => {
  const sent = Readable.from([Buffer.from(head('files', 'a')), piece], { objectMode: false })
  let failed: unknown = null
  await assert.rejects(
    readForm(sent, type, 1, {
      field: () => {},
      async file(_name, _fileName, contents) {
        try {
          for await (const _ of contents);
        } catch (error) {
          failed = error
          throw error
        }
      },
    }),
    FormRefused,
  )
  assert.ok(failed)
})

test('a sender who goes away ends its file with it', async () => {
  const sent = new Readable({ read() {} })
  sent.push(head('files', 'a'))
  sent.push(piece)
  await assert.rejects(
    readForm(sent, type, 1, {
      field: () => {},
      async file(_name, _fileName, contents) {
        contents.once('data', () => sent.destroy(Object.assign(new Error('gone'), { code: 'ECONNRESET' })))
        await once(contents, 'close')
      },
    }),
    /gone/,
  )
})

const taker = {
  field: () => {},
  file: async (_name: string, _file: string, contents: Readable) => void contents.resume(),
}
const good = `${head('files', 'a.txt')}hello\r\n`

for (const [what, form] of Object.entries({
  'whose headers do not end': '--b\r\nabc\r\n--b--\r\n',
  'that a line like the boundary begins': `${head('files', 'a.txt')}hello\r\n--bY\r\n--b--\r\n`,
  'without a disposition': `${good}--b\r\ncontent-type: text/plain\r\n\r\nlost\r\n--b--\r\n`,
  'of another disposition': `${good}--b\r\ncontent-disposition: attachment; filename="b"\r\n\r\nlost\r\n--b--\r\n`,
  'with too many headers': `${good}--b\r\n${'x: y\r\n'.repeat(25)}content-disposition: form-data; name="files"; filename="b"\r\n\r\nlost\r\n--b--\r\n`,
}))
  test(`a form with a part ${what} is refused, and not left waiting`, async () => {
    await assert.rejects(
      readForm(Readable.from([Buffer.from(form)], { objectMode: false }), type, 5, taker),
      FormRefused,
    )
  })
