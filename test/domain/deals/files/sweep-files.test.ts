import assert from 'node:assert/strict'
import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { joinStore } from '../../../../src/domain/deals/files/join-store.ts'
import { findOrphans, sweepFiles } from '../../../../src/domain/deals/files/sweep-files.ts'
import { newFileKey } from '../../../../src/platform/file-store/file-store.ts'
import { folderStore } from '../../../../src/platform/file-store/folder-store.ts'
import { createTestDatabase } from '../../../support/database.ts'
import { createWorld, project } from '../../../support/factories.ts'

const database = await createTestDatabase()
const world = await createWorld(database.db)
const folder = await mkdtemp(join(tmpdir(), 'sunstead-sweep-'))
const store = folderStore(folder)
assert.equal(await joinStore(database.db, store), null)
after(async () => {
  await database.drop()
  await rm(folder, { recursive: true })
})

const hourAndMore = new Date(Date.now() - 2 * 3_600_000)

async function stored(old: boolean): Promise<string> {
  const key = newFileKey()
  const temp = await store.tempFile()
  await writeFile(temp.path, 'contents')
  await store.put(key, temp.path)
  const [path] = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith(key))
  if (old) await utimes(join(folder, path!), hourAndMore, hourAndMore)
  return key
}

test('what a killed process left behind is swept up: old copies without a record, and nothing else', async () => {
  const [recorded, orphan, young] = [await stored(true), await stored(true), await stored(false)]
  // The recorded one belongs to the second installer: every tenant is asked.
  const { projectId } = await project(world.other)
  await database.rows(
    `insert into files (installer_id, id, project_id, company_id, folder, name, source_url, source_hash, store_key, token,
       type, extension, inline, size, sha256, added_at, ordinal)
     values ($1, 'file_x', $2, $1, 'other', 'n', 'u', '\\x00', $3, 't', 'text/plain', 'txt', true, 1, '\\x00', now(), 0)`,
    [world.other.company.id, projectId, recorded],
  )
  const temp = await store.tempFile()
  await utimes(temp.path, hourAndMore, hourAndMore)

  assert.deepEqual(await findOrphans(database.db, store, new Date()), [orphan])
  assert.equal(await sweepFiles(database.db, store, new Date()), 1)
  assert.equal(await store.size(orphan), null)
  assert.equal(await store.size(recorded), 8)
  assert.equal(await store.size(young), 8)
  assert.deepEqual(await readdir(join(folder, 'tmp')), [])
})

test('a store is one database’s: another is refused, sweeps nothing there, and says so of a store that it does not know', async () => {
  const kept = await stored(true)
  const other = await createTestDatabase()
  try {
    await createWorld(other.db)
    await assert.rejects(joinStore(other.db, store), /STORAGE_URL .* holds the files of another database/)
    assert.equal(await sweepFiles(other.db, store, new Date()), 0)
    assert.equal(await store.size(kept), 8)

    // One of a version that gave stores no names is known by the files in it.
    await rm(join(folder, 'store-id'))
    assert.match((await joinStore(other.db, store))!, /holds files, and none of them is this database's/)
    assert.equal(await sweepFiles(other.db, store, new Date()), 0)
    assert.equal(await store.size(kept), 8)
    assert.equal(await joinStore(database.db, store), null)

    // What another host keeps for itself is not what this database's files are in.
    const elsewhere = folderStore(join(folder, 'elsewhere'))
    assert.match((await joinStore(database.db, elsewhere))!, /is empty.*share one store/)
    assert.equal(await elsewhere.readId(), null)
    assert.equal(await joinStore(database.db, elsewhere, { anyway: true }), null)
    assert.equal(await joinStore(database.db, elsewhere), null)
  } finally {
    await other.drop()
  }
})
