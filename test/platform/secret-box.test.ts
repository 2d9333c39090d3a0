import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { CannotOpen, createSecretBox } from '../../src/platform/secret-box.ts'

const [first, second] = ['first key, long enough to be one', 'second key, long enough to be one']

test('what was sealed opens to the same text, and never looks the same twice', () => {
  const box = createSecretBox([first])
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      assert.equal(box.open(box.seal(text, 'webhook:1'), 'webhook:1'), text)
    }),
  )
  assert.notEqual(box.seal('same', 'webhook:1'), box.seal('same', 'webhook:1'))
})

test('it opens only for what it was sealed for, whole, and by a key that is known', () => {
  const box = createSecretBox([first])
  const sealed = box.seal('hunter2', 'webhook:1')
  assert.ok(!sealed.includes('hunter2'))
  assert.throws(() => box.open(sealed, 'webhook:2'), CannotOpen)
  assert.throws(() => createSecretBox([second]).open(sealed, 'webhook:1'), CannotOpen)
  assert.throws(() => box.open('hunter2', 'webhook:1'), CannotOpen)
  const [name, id, body] = sealed.split(':') as [string, string, string]
  fc.assert(
    fc.property(fc.nat(body.length - 2), (at) => {
      const other = body[at] === 'A' ? 'B' : 'A'
      const altered = `${name}:${id}:${body.slice(0, at)}${other}${body.slice(at + 1)}`
      assert.throws(() => box.open(altered, 'webhook:1'), CannotOpen)
      assert.throws(() => box.open(`${name}:${id}:${body.slice(0, at)}`, 'webhook:1'), CannotOpen)
    }),
  )
})

test('a newer key opens what the older one sealed, and tells that it is to be sealed again', () => {
  const before = createSecretBox([first]).seal('hunter2', 'webhook:1')
  const box = createSecretBox([second, first])
  assert.equal(box.open(before, 'webhook:1'), 'hunter2')
  assert.equal(box.isCurrent(before), false)
  assert.equal(box.isCurrent(box.seal('hunter2', 'webhook:1')), true)
})

test('where the file of keys is away, what is not known is not known, and what is known opens', () => {
  const box = createSecretBox([first], () => {
    throw new Error('ENOENT')
  })
  assert.throws(() => box.open('sealed:zzzzzzzz:'.padEnd(80, 'z'), 'x'), CannotOpen)
  assert.equal(box.open(box.seal('text', 'x'), 'x'), 'text')
})

test('whoever runs while the key is renewed seals by the new one, also when it is renewed twice', () => {
  let file = [first]
  const box = createSecretBox(file, () => file)
  file = [second, first]
  const sealed = box.seal('hunter2', 'webhook:1')
  file = ['third key, long enough to be one', second]
  assert.equal(createSecretBox(file).open(sealed, 'webhook:1'), 'hunter2')
  const gone = createSecretBox([first], () => {
    throw new Error('no such file')
  })
  assert.equal(gone.open(gone.seal('hunter2', 'webhook:1'), 'webhook:1'), 'hunter2')
})
