import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { qrCode } from '../../web/pages/account/qr-code.ts'

const secret = 'ABCDEFGHIJKLMNOP'.repeat(3)

// As a reader of another make has read them back: a small one, one of some blocks, one with its version written in it.
const known: [text: string, side: number, sha256: string][] = [
  ['Sunstead', 21, 'a0bd17937e1beac52704595dcf55db80ef5b4b86fa4d0e627733c8433fa22035'],
  [
    `otpauth://totp/Sunstead:ada%40example.com?secret=${secret}&issuer=Sunstead&digits=6&period=30`,
    41,
    '7726ce668ddd37a36a17adc5b8050b08d9c7e9845dd5433070e187cb736a83c4',
  ],
  ['x'.repeat(400), 69, 'c689e5090c3a99c062094a1891f7a01daf567a07efd427e56c1ff543a1575cd1'],
]

test('a text becomes the code that readers read', () => {
  for (const [text, side, sha256] of known) {
    const rows = qrCode(text)
    assert.equal(rows.length, side)
    const squares = rows.map((row) => row.map(Number).join('')).join('\n')
    assert.equal(createHash('sha256').update(squares).digest('hex'), sha256, text)
  }
})

test('what does not fit is refused', () => {
  assert.equal(qrCode('x'.repeat(858)).length, 97)
  assert.throws(() => qrCode('x'.repeat(859)), /too long/)
})
