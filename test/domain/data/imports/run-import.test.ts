import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { after, before, describe, test } from 'node:test'
import { checkImport } from '../../../../src/domain/data/imports/check-import.ts'
import { createImport } from '../../../../src/domain/data/imports/create-import.ts'
import { expireImports } from '../../../../src/domain/data/imports/expiry-queries.ts'
import { findImport } from '../../../../src/domain/data/imports/queries.ts'
import { startImport } from '../../../../src/domain/data/imports/start-import.ts'
import { stopImport } from '../../../../src/domain/data/imports/stop-import.ts'
import { undoImport } from '../../../../src/domain/data/imports/undo-import.ts'
import { findOrphans } from '../../../../src/domain/deals/files/sweep-files.ts'
import { checkRenderings } from '../../../../src/domain/deals/renderings/rerender.ts'
import type { Context } from '../../../../src/domain/kernel/context.ts'
import { createDirectories } from '../../../../src/domain/kernel/tenant/directories.ts'
import { folderStore } from '../../../../src/platform/file-store/folder-store.ts'
import { createTestDatabase, type TestDatabase } from '../../../support/database.ts'
import { createWorld, type World } from '../../../support/factories.ts'
import { importIn, workOnImport } from '../../../support/imports.ts'
import { temporaryFolder } from '../../../support/process.ts'

const header = 'External ID,First Name,Last Name,Street,City,State,Zip'

describe('the run of an import', () => {
  let database: TestDatabase
  let world: World
  let folder: Awaited<ReturnType<typeof temporaryFolder>>
  let ctx: Context
  const store = () => folderStore(folder.path)

  before(async () => {
    database = await createTestDatabase()
    folder = await temporaryFolder()
    world = await createWorld(database.db)
    ctx = { ...world.installer.as(), actor: { ...world.installer.as().actor, role: 'owner' } }
  })
  after(async () => {
    await database.drop()
    await folder.remove()
  })

  const read = async (id: string) => (await findImport(database.db, ctx.actor, id))!
  const work = (id: string, options?: Parameters<typeof workOnImport>[3]) =>
    workOnImport(
      { db: database.db, directories: createDirectories(), store: store() },
      world.installer.company.id,
      id,
      options,
    )

  /** A checked import of so many rows. */
  async function checked(name: string, rows: number, workers = 1): Promise<string> {
    const lines = Array.from(
      { length: rows },
      (_, i) => `${name}-${i},Ada,Moreno,${i} Elm St,Boston,MA,02108`,
    )
    const contents = Readable.from([`${header}\n${lines.join('\n')}\n`].map((text) => Buffer.from(text)))
    const { id } = await createImport(ctx, store(), { name: `${name}.csv`, size: null, contents })
    await checkImport(ctx, id, (await read(id)).mapping)
    while ((await read(id)).state === 'checking')
      await Promise.all([1, 2, 3].slice(0, workers).map(() => work(id)))
    const { state, made, rowsDone } = await read(id)
    assert.deepEqual([state, made, rowsDone], ['checked', rows, rows])
    return id
  }

  const leads = async (name: string) => {
    const [row] = await database.rows<{ leads: number; ids: number; events: number; times: number }>(
      `select count(distinct l.id)::int as leads, count(distinct l.external_id)::int as ids, count(distinct l.updated_at)::int as times,
         count(e.subject_id)::int as events
       from leads l left join events e
         on e.installer_id = l.installer_id and e.type = 'lead.created' and e.subject_id = l.id
       where l.installer_id = $2 and l.external_id like $1`,
      [`${name}-%`, world.installer.company.id],
    )
    return row!
  }

  test('goes on where it was left, and does nothing twice', async () => {
    const id = await checked('left', 1_100)
    await startImport(ctx, id)
    const leaving = new AbortController()
    await work(id, { signal: leaving.signal, onProgress: () => leaving.abort() })
    const left = await read(id)
    assert.deepEqual([left.state, left.rowsDone, left.made], ['running', 250, 250])
    const soon = new Date(Date.now() + 7_200_000)
    assert.deepEqual(await findOrphans(database.db, store(), soon), [], 'its file is swept away')
    await work(id)
    const done = await read(id)
    assert.deepEqual([done.state, done.rowsDone, done.made], ['done', 1_100, 1_100])
    assert.equal(await store().size(left.storeKey!), null, 'its file is kept')
    assert.deepEqual(await leads('left'), { leads: 1_100, ids: 1_100, events: 1_100, times: 1_100 })
    const { checked: looked, stale } = await checkRenderings(
      database.db,
      new Date(),
      world.installer.company.id,
      false,
    )
    assert.ok(looked >= 1_100)
    assert.deepEqual(stale, [])
  })

  test('two that work on it at once do nothing twice', async () => {
    const id = await checked('twice', 1_100, 3)
    await startImport(ctx, id)
    await Promise.all([1, 2, 3].map(() => work(id)))
    assert.equal((await read(id)).made, (await leads('twice')).leads)
    await work(id)
    assert.deepEqual(await leads('twice'), { leads: 1_100, ids: 1_100, events: 1_100, times: 1_100 })
  })

  test('is stopped, goes on, and is undone', async () => {
    const id = await checked('stop', 1_100)
    await startImport(ctx, id)
    const stopped: Promise<void>[] = []
    await work(id, {
      onProgress: () => {
        if (stopped.length === 0) stopped.push(stopImport(ctx, id))
      },
    })
    await Promise.all(stopped)
    const some = await read(id)
    assert.equal(some.state, 'stopped')
    assert.ok(some.made >= 250 && some.made < 1_100, String(some.made))
    assert.equal((await leads('stop')).leads, some.made)
    await startImport(ctx, id)
    await work(id)
    assert.equal((await leads('stop')).leads, 1_100)
    await undoImport(ctx, id)
    const leaving = new AbortController()
    setImmediate(() => leaving.abort())
    await work(id, { signal: leaving.signal })
    await work(id)
    const undone = await read(id)
    assert.deepEqual([undone.state, undone.undone, undone.undoneChanged], ['undone', 1_100, 0])
    const [left] = await database.rows<{ n: number }>(
      `select count(*)::int as n from leads where external_id like 'stop-%' and not archived`,
    )
    assert.equal(left!.n, 0)
  })

  test('lets go of files that nobody came back to, of each company', async () => {
    const { db } = database
    const forgotten = [
      await importIn(database, world.installer, 'mapping'),
      await importIn(database, world.other, 'stopped'),
    ]
    const kept = await importIn(database, world.other, 'running')
    await expireImports(db, new Date(Date.now() + 86_400_000), 'gone')
    const rows = await database.rows<{ state: string; store_key: string | null }>(
      'select state, store_key from imports where id = any($1) order by array_position($1, id)',
      [[...forgotten, kept]],
    )
    assert.deepEqual(
      rows.map(({ state, store_key }) => [state, store_key === null]),
      [
        ['failed', true],
        ['done', true],
        ['running', false],
      ],
    )
  })

  test('stops and says what to do where its file is gone', async () => {
    const id = await checked('gone', 1)
    await startImport(ctx, id)
    await store().remove((await read(id)).storeKey!)
    await work(id)
    const { state, failure } = await read(id)
    assert.deepEqual([state, failure], ['stopped', 'The file is no longer here. Upload it again.'])
  })
})
