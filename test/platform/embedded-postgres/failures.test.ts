import assert from 'node:assert/strict'
import { chmod, cp, mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, test } from 'node:test'
import pg from 'pg'
import { installedBinaries } from '../../../src/platform/embedded-postgres/binaries.ts'
import { openEmbeddedPostgres } from '../../../src/platform/embedded-postgres/embedded-postgres.ts'

const settings = { fsync: 'off' }
const cleanups: (() => Promise<unknown>)[] = []

afterEach(async () => {
  for (const clean of cleanups.splice(0).reverse()) await clean()
})

async function makeDataDir(): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'sunstead-test-'))
  await chmod(root, 0o755)
  cleanups.push(() => rm(root, { recursive: true, force: true }))
  await mkdir(join(root, 'data'))
  return join(root, 'data')
}

async function open(dataDir: string) {
  const opened = await openEmbeddedPostgres({ dataDir, role: 'server', settings })
  cleanups.push(() => opened.close())
  return opened
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

test('a failed initdb leaves nothing that a later start would take for a database', async () => {
  const dataDir = await makeDataDir()
  const broken = join(dataDir, '../broken')
  await mkdir(join(broken, 'share/postgresql'), { recursive: true })
  await mkdir(join(broken, 'bin'))
  await writeFile(join(broken, 'share/postgresql/postgres.bki'), '')
  await writeFile(join(broken, 'bin/postgres'), '#!/bin/sh\n', { mode: 0o755 })
  const initdb =
    '#!/bin/sh\nd=$(echo "$1" | cut -d= -f2); mkdir "$d"; echo 18 > "$d/PG_VERSION"; echo no space; exit 1\n'
  await writeFile(join(broken, 'bin/initdb'), initdb, { mode: 0o755 })
  await assert.rejects(
    openEmbeddedPostgres({ dataDir, role: 'server', settings, binariesDir: broken }),
    /could not make its database in .*no space/,
  )
  assert.deepEqual(await readdir(dataDir), ['postgres.json'])
  assert.deepEqual(await query((await open(dataDir)).url, 'select 1 as n'), [{ n: 1 }])
})

test('where the system has no such locale, the database is made without it, and knows capital letters all the same', async () => {
  const dataDir = await makeDataDir()
  const old = join(dataDir, '../old')
  await cp(installedBinaries(), old, { recursive: true, verbatimSymlinks: true })
  await rename(join(old, 'bin/initdb'), join(old, 'bin/real-initdb'))
  const refusing = `#!/bin/sh
case "$*" in *--lc-ctype=*) echo 'initdb: error: invalid locale name "C.UTF-8"' >&2; exit 1;; esac
exec "$(dirname "$0")/real-initdb" "$@"
`
  await writeFile(join(old, 'bin/initdb'), refusing, { mode: 0o755 })
  const opened = await openEmbeddedPostgres({ dataDir, role: 'server', settings, binariesDir: old })
  cleanups.push(() => opened.close())
  const known = await query(
    opened.url,
    `select datctype as ctype, lower('ЖÉ') as small from pg_database where datname = current_database()`,
  )
  assert.deepEqual(known, [{ ctype: 'C', small: 'жé' }])
})

test('a start that PostgreSQL refuses shows its log', async () => {
  const dataDir = await makeDataDir()
  await assert.rejects(
    openEmbeddedPostgres({ dataDir, role: 'server', settings: { ...settings, shared_buffers: 'plenty' } }),
    /did not start on .*invalid value for parameter "shared_buffers"/s,
  )
  assert.deepEqual(await query((await open(dataDir)).url, 'select 1 as n'), [{ n: 1 }])
})

test('a lost database or a lost record is reported, and deleting the folder starts again', async () => {
  const dataDir = await makeDataDir()
  const first = await open(dataDir)
  await query(first.url, 'create table t (n int)')
  await first.close()
  await rename(join(dataDir, 'postgres.json'), join(dataDir, 'record'))
  await assert.rejects(open(dataDir), /postgres\.json with its password is missing/)
  await rename(join(dataDir, 'record'), join(dataDir, 'postgres.json'))
  await rename(join(dataDir, 'postgres'), join(dataDir, 'elsewhere'))
  await assert.rejects(open(dataDir), /the database is in .*postgres, but it is not there/)
  await rm(dataDir, { recursive: true })
  const fresh = await open(dataDir)
  assert.deepEqual(await query(fresh.url, `select to_regclass('t') as t`), [{ t: null }])
})
