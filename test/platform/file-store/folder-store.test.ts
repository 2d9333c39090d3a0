import assert from 'node:assert/strict'
import { mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { type FileStore, newFileKey } from '../../../src/platform/file-store/file-store.ts'
import { folderStore } from '../../../src/platform/file-store/folder-store.ts'
import { openFileStore } from '../../../src/platform/file-store/open-file-store.ts'

let folder = ''
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'file-store-'))
})
after(() => rm(folder, { recursive: true }))

let stores = 0
function newStore() {
  const root = join(folder, `missing-${stores++}`, 'files')
  return { root, store: folderStore(root) }
}

async function putText(store: FileStore, contents: string): Promise<string> {
  const key = newFileKey()
  const temp = await store.tempFile()
  await writeFile(temp.path, contents)
  await store.put(key, temp.path)
  await temp.discard()
  return key
}

test('keeps a file in a private place two folders deep and gives it back', async () => {
  const { root, store } = newStore()
  const key = await putText(store, 'hello')
  const path = join(root, key.slice(0, 2), key.slice(2, 4), key)
  assert.equal(await readFile(path, 'utf8'), 'hello')
  assert.equal((await stat(path)).mode & 0o777, 0o600)
  for (const part of [root, join(root, key.slice(0, 2)), join(root, key.slice(0, 2), key.slice(2, 4))]) {
    assert.equal((await stat(part)).mode & 0o777, 0o700)
  }
  const stored = await store.open(key)
  assert.equal(stored?.size, 5)
  assert.equal(await text(stored!.stream), 'hello')
  assert.equal(await store.size(key), 5)
  assert.deepEqual(await readdir(join(root, 'tmp')), [])
})

test('gives a range with the size of the whole', async () => {
  const { store } = newStore()
  const key = await putText(store, '0123456789')
  const stored = await store.open(key, { start: 2, end: 4 })
  assert.equal(stored?.size, 10)
  assert.equal(await text(stored!.stream), '234')
})

test('a missing file is null, and removing twice is the same as once', async () => {
  const { store } = newStore()
  assert.equal(await store.open(newFileKey()), null)
  assert.equal(await store.size(newFileKey()), null)
  const key = await putText(store, 'x')
  await store.remove(key)
  await store.remove(key)
  assert.equal(await store.open(key), null)
})

test('refuses keys that could lead out of the folder', async () => {
  const { store } = newStore()
  for (const key of [
    '',
    'short',
    '../../../../etc/passwd',
    'A'.repeat(20),
    'a'.repeat(65),
    `${'a'.repeat(20)}/b`,
  ]) {
    await assert.rejects(async () => store.open(key), /file key/)
    await assert.rejects(async () => store.remove(key), /file key/)
  }
})

test('lists what it holds and nothing else', async () => {
  const { store } = newStore()
  assert.deepEqual(await Array.fromAsync(store.list()), [])
  const keys = [await putText(store, 'a'), await putText(store, 'b')]
  await store.tempFile()
  const listed = await Array.fromAsync(store.list())
  assert.deepEqual(listed.map(({ key }) => key).sort(), keys.sort())
  assert(listed.every(({ modifiedMs }) => Math.abs(modifiedMs - Date.now()) < 60_000))
})

test('clears temp files of long ago only', async () => {
  const { store } = newStore()
  assert.equal(await store.clearStaleTemps(0), 0)
  const old = await store.tempFile()
  const fresh = await store.tempFile()
  const hourAgo = Date.now() / 1000 - 3600
  await utimes(old.path, hourAgo, hourAgo)
  assert.equal(await store.clearStaleTemps(30 * 60 * 1000), 1)
  await assert.rejects(stat(old.path))
  assert.ok(await stat(fresh.path))
})

test('its check leaves nothing behind, and fails where nothing can be kept', async () => {
  const { store } = newStore()
  await store.check()
  assert.deepEqual(await Array.fromAsync(store.list()), [])
  const blocked = join(folder, 'a-file')
  await writeFile(blocked, '')
  await assert.rejects(folderStore(`${blocked}/files`).check())
})

test('understands paths as an operator writes them', async () => {
  const target = join(folder, 'with space')
  const open = (storageUrl: string) => openFileStore({ storageUrl, s3: null, dataDir: folder })
  const key = await putText(await open(`file:${relative(process.cwd(), target)}`), 'x')
  assert.equal(await (await open(pathToFileURL(target).href)).size(key), 1)
})
