import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { cp, mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { runKind } from '../../../../src/domain/billing/runs/run.ts'
import { checkImport } from '../../../../src/domain/data/imports/check-import.ts'
import { createImport } from '../../../../src/domain/data/imports/create-import.ts'
import { importKind } from '../../../../src/domain/data/imports/import.ts'
import { findImport } from '../../../../src/domain/data/imports/queries.ts'
import { startImport } from '../../../../src/domain/data/imports/start-import.ts'
import { deleteFile } from '../../../../src/domain/deals/files/delete-file.ts'
import { sweepFiles } from '../../../../src/domain/deals/files/sweep-files.ts'
import { createLongJob } from '../../../../src/domain/journal/long-jobs/create-long-job.ts'
import type { LongJob } from '../../../../src/domain/journal/long-jobs/long-job.ts'
import { findLatestLongJob, findLongJob } from '../../../../src/domain/journal/long-jobs/queries.ts'
import { createDirectories } from '../../../../src/domain/kernel/tenant/directories.ts'
import { type CreatedBackup, createBackup } from '../../../../src/domain/operations/backups/create-backup.ts'
import { pruneBackups } from '../../../../src/domain/operations/backups/prune-backups.ts'
import { restoreBackup } from '../../../../src/domain/operations/backups/restore-backup.ts'
import { verifyBackup } from '../../../../src/domain/operations/backups/verify-backup.ts'
import { longJobKinds } from '../../../../src/domain/operations/long-jobs/kinds.ts'
import { eraseCustomer } from '../../../../src/domain/operations/privacy/erase-customer.ts'
import { createLongJobs } from '../../../../src/jobs/long-jobs.ts'
import { listBackups, tableFile } from '../../../../src/platform/backup/folder.ts'
import { takeBackupLock } from '../../../../src/platform/backup/lock.ts'
import { manifestText } from '../../../../src/platform/backup/manifest.ts'
import { readTables } from '../../../../src/platform/backup/schema.ts'
import { openSession } from '../../../../src/platform/backup/session.ts'
import type { FileStore } from '../../../../src/platform/file-store/file-store.ts'
import { folderStore } from '../../../../src/platform/file-store/folder-store.ts'
import { lineList } from '../../../../src/platform/line-file.ts'
import { createLog } from '../../../../src/platform/log.ts'
import { migrateWithin, readMigrations } from '../../../../src/platform/migrate.ts'
import { startQueue } from '../../../../src/platform/queue.ts'
import { startAppWithFiles } from '../../../support/app-with-files.ts'
import { createDatabase, dropDatabase, openTestDatabase, withDatabase } from '../../../support/database.ts'
import { createWorld, lead, project, type World } from '../../../support/factories.ts'
import { listeningSession } from '../../../support/listening.ts'
import { pdf, png } from '../../../support/sample-files.ts'

const silent = createLog('silent')
const outside = await startAppWithFiles()
let world: World
let store: FileStore
let folder: string
let dataDir: string
let erasedList: string
let backups: string
let projectId: string
const databases: string[] = []

before(async () => {
  world = await createWorld(outside.app.database.db)
  store = outside.app.server.deps.copying.store
  folder = await mkdtemp(join(tmpdir(), 'sunstead-backup-'))
  dataDir = join(folder, 'data')
  erasedList = join(dataDir, 'erased-leads.ndjson')
  backups = join(folder, 'backups')
  await folderStore(`${dataDir}/files`).check()
  await writeFile(join(dataDir, 'secret.key'), 'the key\n')
  projectId = (await project(world.installer, { email: 'ada@example.com' })).projectId
  await addFiles(['a.png', 'b.pdf'])
})
after(async () => {
  for (const name of databases) await dropDatabase(name)
  await rm(folder, { recursive: true, force: true })
})

async function addFiles(names: string[], to = projectId): Promise<void> {
  const files = names.map((name) => ({ url: outside.at(`/${name}`) }))
  const added = await outside.app.call('POST', `/v1/projects/${to}/files`, {
    key: world.installer.key,
    body: { folder: 'other', files },
  })
  assert.equal(added.status, 201, added.text)
}

function backUp(to = backups, withoutKey = false): Promise<CreatedBackup> {
  const databaseUrl = outside.app.database.url
  return createBackup({
    databaseUrl,
    store,
    dataDir,
    erasedList: lineList(erasedList, null),
    to,
    withoutKey,
    onProgress: () => {},
  })
}

async function emptyDatabase(): Promise<string> {
  const name = `restored_${process.pid}_${randomBytes(4).toString('hex')}`
  databases.push(name)
  await createDatabase(name)
  return withDatabase(process.env.TEST_DATABASE_URL!, name)
}

async function restore(databaseUrl: string, from: string, force = false, into?: FileStore) {
  const to = await mkdtemp(join(folder, 'restored-'))
  const restored = await restoreBackup({
    databaseUrl,
    store: into ?? folderStore(`${to}/files`),
    dataDir: to,
    erasedList: lineList(join(to, 'erased-leads.ndjson'), null),
    from,
    force,
    hasSecretKey: false,
    log: silent,
    onProgress: () => {},
  })
  return { ...restored, dataDir: to }
}

async function ask<Row extends object>(url: string, text: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  return client.query(text).then(
    ({ rows }) => client.end().then(() => rows as Row[]),
    (error) => client.end().then(() => Promise.reject(error)),
  )
}

/** Every table with how many rows it has and what is in them. */
async function contents(url: string): Promise<Record<string, string>> {
  const tables = await ask<{ name: string }>(
    url,
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' and relname <> 'migrations'`,
  )
  const rows = await ask<{ name: string; all: string }>(
    url,
    tables
      .map(
        ({ name }) => `select '${name}' as name, count(*) || ' ' ||
          coalesce(md5(string_agg(t::text, '|' order by t::text collate "C")), '') as all from ${name} t`,
      )
      .join(' union all '),
  )
  return Object.fromEntries(rows.map(({ name, all }) => [name, all]))
}

const shape = (url: string) =>
  ask(
    url,
    `select 'index' as kind, indexname as name, indexdef as text from pg_indexes where schemaname = 'public' and indexname !~ '_\\d{4}_\\d\\d'
     union all select 'constraint', conname, pg_get_constraintdef(oid) from pg_constraint
       where contype <> 't' and connamespace = 'public'::regnamespace and conrelid::regclass::text !~ '_\\d{4}_\\d\\d'
     union all select 'sequence', sequencename, last_value::text from pg_sequences where schemaname = 'public'
     union all select 'partition', c.relname, pg_get_expr(c.relpartbound, c.oid) from pg_class c where c.relispartition and c.relkind = 'r'
     order by 1, 2`,
  )

test('a backup brings every row, file, key and waiting job back as it was, and long work goes on', async () => {
  await ask(
    outside.app.database.url,
    `select graphile_worker.add_job('later', '{"a": 1}', run_at => '2090-01-01', job_key => 'once', max_attempts => 7)`,
  )
  const run = await runUnderWay()
  const made = await backUp()
  assert.deepEqual([made.copied, made.manifest.files.missing, made.manifest.kept], [2, [], ['secret.key']])
  const target = await emptyDatabase()
  const restored = await restore(target, backups)
  const source = await contents(outside.app.database.url)
  const there = await contents(target)
  // The server goes on noting what it does; everything else stands still.
  for (const moving of ['settings', 'request_batches', 'api_keys', 'api_key_hours'])
    for (const name of Object.keys(source)) if (name.startsWith(moving)) there[name] = source[name]!
  assert.deepEqual(there, source)
  assert.deepEqual(await shape(target), await shape(outside.app.database.url))
  assert.ok(Number(source['leads']!.split(' ')[0]) > 0)
  const jobs = await ask(
    target,
    `select task_identifier, run_at::text, key, max_attempts from graphile_worker.jobs where key = 'once'`,
  )
  assert.deepEqual(jobs, [
    { task_identifier: 'later', run_at: '2090-01-01 00:00:00+00', key: 'once', max_attempts: 7 },
  ])
  const files = await readdir(join(restored.dataDir, 'files'), { recursive: true, withFileTypes: true })
  const bytes = await Promise.all(
    files
      .filter((file) => file.isFile() && file.name !== 'store-id')
      .map((file) => readFile(join(file.parentPath, file.name))),
  )
  assert.deepEqual(bytes.map(({ length }) => length).sort(), [png.length, pdf.length].sort())
  assert.equal(await readFile(join(restored.dataDir, 'secret.key'), 'utf8'), 'the key\n')
  for (const path of [made.path, join(made.path, 'tables'), join(backups, 'files')])
    assert.equal((await stat(path)).mode & 0o777, 0o700, path)
  for (const name of ['manifest.json', 'secret.key', 'tables/leads.zst', 'files.zst'])
    assert.equal((await stat(join(made.path, name))).mode & 0o777, 0o600, name)
  assert.equal((await goesOnIn(target, run)).state, 'done')
})

/** A billing run that the server has in hand. */
async function runUnderWay(): Promise<LongJob> {
  const { actor, now, db } = world.installer.as()
  const month = { subjectId: actor.companyId, companyId: actor.companyId, input: { month: '2026-01-01' } }
  const asked = { kind: runKind, ...month, total: 0, heldUntil: new Date('2099-01-01') }
  const run = (await createLongJob(db, actor, now, asked))!
  await outside.app.database.rows(
    'update long_jobs set handed_over = true, not_before = null where id = $1',
    [run.id],
  )
  return run
}

/** How it ends where a server is started over the database. */
async function goesOnIn(url: string, job: LongJob): Promise<LongJob> {
  const db = openTestDatabase(url)
  const engine = createLongJobs({ db, directories: createDirectories(), store }, longJobKinds, silent)
  const queue = await startQueue(url, engine.tasks, silent)
  await engine.start(await listeningSession(url))
  let found = job
  while (found.state === 'running') found = (await findLongJob(db, job))!
  await Promise.all([engine.stop(), queue.stop()])
  await db.close()
  return found
}

test('the next backup copies new files only, and removing old ones leaves what the others list', async () => {
  const to = join(folder, 'pruned')
  assert.equal((await backUp(to)).copied, 2)
  assert.equal((await backUp(to)).copied, 0)
  await addFiles(['c.png?new'])
  const [file] = await outside.app.database.rows<{ id: string; store_key: string }>(
    `select id, store_key from files where source_url like '%b.pdf'`,
  )
  await deleteFile(world.installer.as(), store, projectId, file!.id)
  assert.equal(await store.size(file!.store_key), null)
  const last = await backUp(to, true)
  assert.deepEqual([last.copied, last.manifest.kept], [1, []])
  await writeFile(join(to, 'files', '.left-by-a-killed-one'), '')
  assert.deepEqual(await pruneBackups(to, 1), { backups: 2, files: 1 })
  assert.equal((await listBackups(to)).length, 1)
  const target = await emptyDatabase()
  assert.equal((await restore(target, to)).manifest.files.list.rows, 2)
  await assert.rejects(
    backUp(join(to, last.path.split('/').at(-1)!, 'manifest.json')),
    /cannot|EEXIST|ENOTDIR/,
  )
})

/** An import that is checked, and a project with a file whose customer is about to be erased. */
async function aboutToGo() {
  const ctx = { ...world.installer.as(), actor: { ...world.installer.as().actor, role: 'owner' as const } }
  const text =
    'External ID,First Name,Last Name,Street,City,State,Zip\nx-1,Ada,Moreno,1 Elm St,Boston,MA,02108\n'
  const sent = { name: 'x.csv', size: null, contents: Readable.from([Buffer.from(text)]) }
  const { id } = await createImport(ctx, store, sent)
  /** Until the server has done what was asked for. */
  const work = async () => {
    const of = { installerId: ctx.actor.installerId, kind: importKind, subjectId: id }
    while ((await findLatestLongJob(ctx.db, of))?.state === 'running');
  }
  await checkImport(ctx, id, (await findImport(ctx.db, ctx.actor, id))!.mapping)
  await work()
  const { leadId, projectId: theirs } = await project(world.installer, { email: 'gone@example.com' })
  await addFiles(['f.png?f'], theirs)
  const named = await outside.app.database.rows<{ store_key: string }>(
    `select store_key from imports where id = $1 union all select store_key from files where project_id = $2`,
    [id, theirs],
  )
  return {
    keys: named.map((row) => row.store_key),
    async go() {
      await startImport(ctx, id)
      await work()
      assert.equal((await findImport(ctx.db, ctx.actor, id))!.state, 'done')
      await eraseCustomer(ctx, { store, note: async () => {} }, leadId)
    },
  }
}

test('a drill does not get the store of the database that it is a drill of, unless it is to take it over', async () => {
  const { path: backup } = await backUp(join(folder, 'drill'))
  const url = await emptyDatabase()
  const before = await Array.fromAsync(store.list())
  await assert.rejects(restore(url, backup, false, store), /holds files of another database.*--force/s)
  assert.deepEqual(await Array.fromAsync(store.list()), before)

  const { dataDir: to } = await restore(url, backup)
  const own = await folderStore(`${to}/files`).readId()
  assert.notEqual(own, null)
  assert.notEqual(own, await store.readId())
  await restore(await emptyDatabase(), backup, true, store)
})

test('what a backup under way may need is not removed, whatever lets go of it', async () => {
  await addFiles(['d.png?d'])
  const [file] = await outside.app.database.rows<{ id: string; store_key: string }>(
    `select id, store_key from files where source_url like '%d.png%'`,
  )
  const { keys, go } = await aboutToGo()
  keys.push(file!.store_key)
  assert.equal(keys.length, 3)
  const session = await openSession(outside.app.database.url, 'sunstead-backup')
  await takeBackupLock(session)
  await deleteFile(world.installer.as(), store, projectId, file!.id)
  await go()
  const later = new Date(Date.now() + 7_200_000)
  assert.equal(await sweepFiles(outside.app.database.db, store, later), 0)
  for (const key of keys) assert.notEqual(await store.size(key), null)
  await assert.rejects(backUp(), /Another backup of this database is under way/)
  await session.end()
  while ((await sweepFiles(outside.app.database.db, store, later)) === 0);
  for (const key of keys) assert.equal(await store.size(key), null)
})

test('who was erased is on the list of every later backup, and a restore of an older one knows it', async () => {
  const to = join(folder, 'erased')
  const { leadId } = await project(world.installer, { email: 'forget@example.com' })
  const older = await backUp(to)
  const ctx = { ...world.installer.as(), actor: { ...world.installer.as().actor, role: 'owner' as const } }
  await eraseCustomer(ctx, { store, note: async () => {} }, leadId)
  // Of another host, or of leads that this database has never had.
  const line = (id: string) => JSON.stringify({ installerId: 'comp_x', companyId: 'comp_x', leadId: id })
  await writeFile(erasedList, `${line('lead_elsewhere')}\n${line('lead_elsewhere')}\n{"leadId":"lead_c`)
  const newer = await backUp(to, true)
  await rm(erasedList)
  const known = await ask<{ count: string }>(outside.app.database.url, 'select count(*) from erasures')
  assert.equal(newer.manifest.erased?.rows, Number(known[0]!.count) + 1, 'each once, and none cut off')

  const listed = async (dir: string) =>
    (await readFile(join(dir, 'erased-leads.ndjson'), 'utf8'))
      .trim()
      .split('\n')
      .map((one) => JSON.parse(one).leadId)
  const restored = await restore(await emptyDatabase(), older.path)
  assert.deepEqual(restored.unreadLists, [])
  const ids = await listed(restored.dataDir)
  assert.ok(ids.includes(leadId) && ids.includes('lead_elsewhere'))
  assert.equal(new Set(ids).size, ids.length)

  await flip(join(newer.path, 'erased-leads.zst'))
  await assert.rejects(
    verifyBackup({ from: newer.path, log: silent, onProgress: () => {} }),
    /erased-leads\.zst is damaged/,
  )
  await assert.rejects(restore(await emptyDatabase(), newer.path), /erased-leads\.zst is damaged/)
  assert.deepEqual((await restore(await emptyDatabase(), older.path)).unreadLists, [newer.path])
})

test('a file that the store has lost is told, and the rest is backed up', async () => {
  await addFiles(['e.png?e'])
  const [file] = await outside.app.database.rows<{ store_key: string }>(
    `select store_key from files where source_url like '%e.png%'`,
  )
  await store.remove(file!.store_key)
  const made = await backUp()
  assert.deepEqual(made.manifest.files.missing, [file!.store_key])
  await outside.app.database.rows(`update files set revoked_at = now() where store_key = $1`, [
    file!.store_key,
  ])
})

test('a database that holds records is replaced only on demand, and another program’s never', async () => {
  const target = await emptyDatabase()
  const made = await backUp()
  await restore(target, made.path)
  await lead(world.installer)
  const newer = await backUp()
  const was = await contents(target)
  await assert.rejects(restore(target, newer.path), /not empty.*--force/)
  assert.deepEqual(await contents(target), was)
  await restore(target, newer.path, true)
  assert.notDeepEqual(await contents(target), was)
  await ask(target, 'create table somebody_elses (id int)')
  await assert.rejects(restore(target, newer.path, true), /not Sunstead's \(somebody_elses\)/)
  await assert.rejects(
    restore(outside.app.database.url, newer.path, true),
    /server or command uses this database/,
  )
})

async function flip(path: string): Promise<void> {
  const bytes = await readFile(path)
  bytes[bytes.length >> 1]! ^= 0xff
  await writeFile(path, bytes)
}

test('verify restores on trial, and names what is damaged', async () => {
  const from = join(folder, 'verified')
  const { path } = await backUp(from)
  const verify = () => verifyBackup({ from, log: silent, onProgress: () => {} })
  assert.deepEqual(await verify().then(({ backup, notTried }) => [backup, notTried]), [path, null])
  await flip(tableFile(path, 'leads'))
  await assert.rejects(verify(), /leads\.zst is damaged/)
  const [outer] = await readdir(join(from, 'files'))
  const [key] = await readdir(join(from, 'files', outer!))
  await flip(join(from, 'files', outer!, key!))
  await assert.rejects(verify(), /is damaged: this file cannot be restored/)
})

test('what is damaged, cut off or unknown is refused with a sentence, and nothing is changed by it', async () => {
  const target = await emptyDatabase()
  const whole = await backUp(join(folder, 'whole'))
  await restore(target, whole.path)
  const was = await contents(target)
  const spoilt = async (spoil: (backup: string) => Promise<unknown>, says: RegExp) => {
    const copy = join(folder, `spoilt-${randomBytes(4).toString('hex')}`)
    await cp(join(folder, 'whole'), copy, { recursive: true })
    const backup = join(copy, (await listBackups(copy))[0]!)
    await spoil(backup)
    await assert.rejects(restore(target, backup, true), says)
    assert.deepEqual(await contents(target), was)
  }
  const { manifest } = whole
  await spoilt((backup) => flip(tableFile(backup, 'leads')), /leads\.zst is damaged/)
  // Late in the order of tables, so that others have gone in by then.
  await spoilt((backup) => flip(tableFile(backup, 'tenant_clocks')), /tenant_clocks\.zst is damaged/)
  await spoilt((backup) => truncate(tableFile(backup, 'leads'), 20), /leads\.zst is cut off/)
  await spoilt((backup) => rm(tableFile(backup, 'events')), /events\.zst is missing/)
  await spoilt((backup) => rm(join(backup, 'manifest.json')), /no whole backup/)
  await spoilt((backup) => flip(join(backup, 'manifest.json')), /manifest/)
  const altered = (change: object) => (backup: string) =>
    writeFile(join(backup, 'manifest.json'), manifestText({ ...manifest, ...change }))
  const unknown = { name: '999999_future.sql', sha256: 'a'.repeat(64) }
  await spoilt(
    altered({ migrations: [...manifest.migrations, unknown] }),
    /999999_future\.sql.*does not know/,
  )
  await spoilt(altered({ format: 2 }), /newer Sunstead/)
  const [table] = manifest.tables
  await spoilt(altered({ tables: [{ ...table, name: '../../etc' }] }), /not a manifest/)
  await spoilt(altered({ tables: [{ ...table, bounds: 'DEFAULT; drop table leads' }] }), /not a manifest/)
  await spoilt(async (backup) => {
    const contentsFolder = join(backup, '../files')
    const [outer] = await readdir(contentsFolder)
    const [key] = await readdir(join(contentsFolder, outer!))
    await flip(join(contentsFolder, outer!, key!))
  }, /is damaged: it does not hold what was backed up/)
})

const names = (await readMigrations()).map(({ name }) => name)
const onlyVersion = names.length > 1 ? false : 'there is one version of the schema so far'

test('a backup of an older version is brought to this one', { skip: onlyVersion }, async () => {
  const older = await emptyDatabase()
  const session = await openSession(older, 'sunstead-backup')
  await session.query('begin')
  await migrateWithin(session, names.slice(0, -1))
  await session.query('commit')
  await session.end()
  const to = join(folder, 'older')
  const { manifest } = await createBackup({
    databaseUrl: older,
    store,
    dataDir,
    erasedList: lineList(erasedList, null),
    to,
    withoutKey: true,
    onProgress: () => {},
  })
  assert.equal(manifest.migrations.length, names.length - 1)
  const target = await emptyDatabase()
  await restore(target, to)
  const applied = await ask<{ name: string }>(target, 'select name from migrations order by name')
  assert.deepEqual(
    applied.map(({ name }) => name),
    names,
  )
  const kept = await ask<{ value: string }>(target, `select value from settings where name = 'installation'`)
  assert.deepEqual(kept, [{ value: manifest.installation }])
})

test('a folder belongs to one database, and a killed backup leaves nothing that is taken for one', async () => {
  const to = join(folder, 'owned')
  await backUp(to)
  await cp(join(to, (await listBackups(to))[0]!), join(to, '.unfinished-1'), { recursive: true })
  await writeFile(join(to, '.lock'), JSON.stringify({ pid: 4_194_304, host: hostname() }))
  assert.equal((await backUp(to)).copied, 0)
  assert.ok(!(await readdir(to)).some((name) => name.startsWith('.')))
  await writeFile(join(to, '.lock'), JSON.stringify({ pid: process.pid, host: hostname() }))
  await assert.rejects(backUp(to), /Another backup into .* is under way/)
  await rm(join(to, '.lock'))
  await writeFile(join(to, 'sunstead-backups.json'), '{"installation": "another"}')
  await assert.rejects(backUp(to), /backups of another database/)
})

test('every table of the migrations is known as ours', async () => {
  const session = await openSession(outside.app.database.url, 'sunstead-backup')
  assert.deepEqual((await readTables(session)).foreign, [])
  await session.end()
})
