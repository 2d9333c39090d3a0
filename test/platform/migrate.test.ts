import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, beforeEach, test } from 'node:test'
import { parse } from 'libpg-query'
import { openDatabase } from '../../src/platform/db.ts'
import { examineMigrations, migrate, readMigrations } from '../../src/platform/migrate.ts'
import { notConcurrent, stepsOf } from '../../src/platform/migration-text.ts'
import { createDatabase, dropDatabase, withDatabase } from '../support/database.ts'

const name = `migrate_${process.pid}`
const url = withDatabase(process.env.TEST_DATABASE_URL!, name)
const folder = await mkdtemp(join(tmpdir(), 'sunstead-migrations-'))
const write = (file: string, text: string) => writeFile(join(folder, file), text)

beforeEach(async () => {
  await dropDatabase(name)
  await createDatabase(name)
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder)
  await write('000001_first.sql', 'create table first (n int);\n')
  await write('000002_second.sql', 'create table second (n int);\n')
})

after(async () => {
  await dropDatabase(name)
  await rm(folder, { recursive: true, force: true })
})

async function rows<Row extends object>(text: string): Promise<Row[]> {
  const db = openDatabase(url, () => {})
  return db.query<Row>({ name: '', text }, []).finally(() => db.close())
}

test('what is missing is applied once, by however many start at once', async () => {
  const all = await Promise.all(Array.from({ length: 4 }, () => migrate(url, { folder })))
  assert.deepEqual(all.flat().sort(), ['000001_first.sql', '000002_second.sql'])
  assert.deepEqual(await migrate(url, { folder }), [])
})

test('one that fails is named with its line, leaves nothing behind, and what came before it stays', async () => {
  await write(
    '000003_third.sql',
    '-- makes a table\ncreate table third (n int);\ncreate table second (\n  n int);\n',
  )
  await assert.rejects(migrate(url, { folder }), {
    message:
      /^The migration 000003_third\.sql, line 3 failed: relation "second" already exists\. Nothing of it/,
  })
  await write('000003_third.sql', 'create table third (n int);\nselect 1;\nselect nothing from first;\n')
  await assert.rejects(migrate(url, { folder }), {
    message: /^The migration 000003_third\.sql, line 3 failed: column "nothing" does not exist\./,
  })
  assert.deepEqual(await rows('select name from migrations order by name'), [
    { name: '000001_first.sql' },
    { name: '000002_second.sql' },
  ])
  assert.deepEqual(await rows(`select to_regclass('third') as third`), [{ third: null }])
  await write('000003_third.sql', 'create table third (n int);\n')
  assert.deepEqual(await migrate(url, { folder }), ['000003_third.sql'])
})

test('whoever holds a table by a transaction that is left open keeps the migration waiting, and no call', async () => {
  await migrate(url, { folder })
  await write(
    '000003_third.sql',
    'alter table first add column m int;\nalter table second add column m int;\n',
  )
  const notes: string[] = []
  let isHeld: (() => void) | undefined
  const held = new Promise<void>((resolve) => (isHeld = resolve))
  const note = (message: string) => {
    notes.push(message)
    isHeld!()
  }
  const db = openDatabase(url, () => {})
  let migrated: Promise<string[]> | undefined
  await db.transaction(async (tx) => {
    await tx.query({ name: '', text: 'select from second' }, [])
    migrated = migrate(url, { folder, note })
    await held
    await rows('insert into first values (1)')
  })
  assert.deepEqual(await migrated, ['000003_third.sql'])
  assert.deepEqual(await rows('select n, m from first'), [{ n: 1, m: null }])
  assert.deepEqual(notes, [
    'the migration 000003_third.sql waits for a transaction that is open on a table of its own',
  ])
  await db.close()
})

const indexes = `create index concurrently if not exists first_by_n on first (n);
create unique index concurrently if not exists second_by_n on second (n);
`

test('indexes are made beside writers; what an earlier try left broken is made again', async () => {
  await migrate(url, { folder })
  await rows('insert into second values (1), (1)')
  await write('000003_indexes.sql', indexes)
  await assert.rejects(migrate(url, { folder }), {
    message:
      /^The migration 000003_indexes\.sql, line 2 failed: could not create unique .* what of it was made stays\.$/,
  })
  await rows('delete from second')
  assert.deepEqual(await migrate(url, { folder }), ['000003_indexes.sql'])
  assert.deepEqual(
    await rows(`select indexrelid::regclass::text as name, indisvalid as valid from pg_index
      where indrelid in ('first'::regclass, 'second'::regclass) order by 1`),
    [
      { name: 'first_by_n', valid: true },
      { name: 'second_by_n', valid: true },
    ],
  )
})

test('a restore makes the same indexes within its transaction', () => {
  assert.deepEqual(
    stepsOf(indexes).map((step) => notConcurrent(step)),
    [
      { text: 'create index if not exists first_by_n on first (n)', line: 1 },
      { text: 'create unique index if not exists second_by_n on second (n)', line: 2 },
    ],
  )
})

test('a migration is taken apart as PostgreSQL does it', async () => {
  const hard = `-- one; two
create function f() returns text language sql as $a$ select ';$$;' $a$; /* ; */
insert into t values ('it''s; "', E'\n');; create table "a;b" (n int) -- ;
`
  const whole = [hard, ...(await readMigrations()).map(({ text }) => text)]
  for (const text of whole) {
    const { stmts = [] } = await parse(text)
    const ours = stepsOf(text).map((step) => step.text)
    assert.equal(ours.length, stmts.length)
    assert.deepEqual(
      await Promise.all(ours.map(async (one) => (await parse(one)).stmts?.length)),
      ours.map(() => 1),
    )
  }
  assert.deepEqual(
    stepsOf(hard).map(({ line }) => line),
    [2, 3, 4],
  )
})

test('one that was changed after it was applied is refused by name; line ends do not count', async () => {
  await migrate(url, { folder })
  await write('000001_first.sql', 'create table first (n int);\r\n')
  await migrate(url, { folder })
  await write('000001_first.sql', 'create table first (n bigint);\n')
  await assert.rejects(
    migrate(url, { folder }),
    /made with 000001_first\.sql .* changed since\. Put the file back/,
  )
})

test('a database that is newer is refused, with nothing applied', async () => {
  await write('000009_later.sql', 'create table later (n int);\n')
  await migrate(url, { folder })
  await rm(join(folder, '000009_later.sql'))
  await write('000003_third.sql', 'create table third (n int);\n')
  await assert.rejects(
    migrate(url, { folder }),
    /newer than this version of Sunstead .* does not know 000009_later\.sql/,
  )
  assert.deepEqual(await rows(`select to_regclass('third') as third`), [{ third: null }])
})

test('a statement of a migration may take longer than a call’s', async () => {
  await write(
    '000003_limits.sql',
    `create table limits as select current_setting('statement_timeout') as statement;\n`,
  )
  await migrate(url, { folder })
  assert.deepEqual(await rows('select * from limits'), [{ statement: '1h' }])
})

test('the difference is told without touching anything', async () => {
  await migrate(url, { folder })
  const db = openDatabase(url, () => {})
  const { pending, unknown } = await examineMigrations(db).finally(() => db.close())
  assert.ok(pending.includes('000001_schema.sql'))
  assert.deepEqual(unknown, ['000001_first.sql', '000002_second.sql'])
})
