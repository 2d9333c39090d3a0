import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { folderPaths, opensFolder } from '../../../../src/domain/deals/files/folder-address.ts'
import { folders } from '../../../../src/domain/kernel/folder.ts'

const project = { id: 'proj_0123456789abcdef', folderSecret: 'a secret of the project' }
const tokenIn = (path: string) => path.split('/').at(-1)!
const tokenFor = (folder: (typeof folders)[number], of = project) => tokenIn(folderPaths(1042, of)(folder))

test('the address names installer, project and folder, and ends with 160 bits of the hash of the secret', () => {
  // Given out once, an address holds: the folders' order is part of it, so a new one comes last.
  const all = createHash('shake256', { outputLength: 240 }).update(project.folderSecret).digest()
  const [first, last] = [all.subarray(0, 20), all.subarray(220)].map((part) => part.toString('base64url'))
  const paths = folderPaths(1042, project)
  assert.equal(paths('contract'), `/folders/1042/proj_0123456789abcdef/contract/${first}`)
  assert.equal(paths('internal'), `/folders/1042/proj_0123456789abcdef/internal/${last}`)
})

test('each folder has a token of its own, which opens it and no other', () => {
  assert.equal(new Set(folders.map((folder) => tokenFor(folder))).size, folders.length)
  for (const folder of folders) {
    for (const other of folders) {
      assert.equal(opensFolder(project.folderSecret, other, tokenFor(folder)), folder === other)
    }
  }
})

test('another secret closes the addresses', () => {
  const token = tokenFor('internal')
  assert.ok(opensFolder(project.folderSecret, 'internal', token))
  assert.ok(!opensFolder('a new secret', 'internal', token))
})

test('only the one spelling of the token opens', () => {
  const token = tokenFor('permit')
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  // The last letter carries four bits of the hash and two that mean nothing.
  const spellings = [...alphabet].map((last) => token.slice(0, -1) + last)
  const sameBytes = spellings.filter((s) =>
    Buffer.from(s, 'base64url').equals(Buffer.from(token, 'base64url')),
  )
  assert.equal(sameBytes.length, 4)
  assert.deepEqual(
    spellings.filter((spelling) => opensFolder(project.folderSecret, 'permit', spelling)),
    [token],
  )
  for (const wrong of ['', token.slice(1), `${token}=`, `${token}A`, 'é'.repeat(token.length), '\0']) {
    assert.ok(!opensFolder(project.folderSecret, 'permit', wrong), wrong)
  }
})
