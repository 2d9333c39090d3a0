import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, beforeEach, test } from 'node:test'
import { openDatabase } from '../../src/platform/db.ts'
import { examineMigrations, migrate } from '../../src/platform/migrate.ts'
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
    message: /^The migration 000003_third\.sql failed: relation "second" already exists\. Nothing of it/,
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
