import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import pg from 'pg'
import { readAnswer } from '../../../src/platform/citus/answer.ts'
import { asOfOneServer } from '../../../src/platform/citus/errors.ts'
import { asOneAnswer, markTables, onlyReads, tablesOf } from '../../../src/platform/citus/shard-text.ts'
import { asText } from '../../../src/platform/citus/values.ts'
import { folded, inOrder } from '../../../src/platform/sql/gather.ts'
import {
  boolean,
  bytes,
  day,
  decimal,
  float,
  floats,
  instant,
  integer,
  json,
  text,
  texts,
} from '../../../src/platform/sql/row.ts'
import { createTestDatabase } from '../../support/database.ts'

const database = await createTestDatabase()
after(() => database.drop())

test('values and rows are the same by text and JSON as by the driver', async () => {
  const columns = {
    ...{ a: text, b: texts, c: bytes, d: instant, e: decimal, f: float, g: json, h: boolean, i: day },
    ...{ j: integer, k: floats, l: text, m: texts },
  }
  const types =
    'text text[] bytea timestamptz numeric float8 jsonb boolean date int8 float8[] text text[]'.split(' ')
  const values = [
    `it's "quoted", \\ a {brace}, $1 and @leads@ \n\t é 👩‍👩‍👧 \u0001`,
    ['', 'null', 'NULL', ' a ', 'b,c', '"d"', '\\e', '{f}', "g'h"],
    Buffer.from([0, 1, 92, 255]),
    new Date('2026-11-01T08:30:00.123Z'),
    '12345678901234567890.10',
    0.1 + 0.2,
    { a: [1, 'x"y', null], b: { c: "d'e" } },
    true,
    '2026-03-08',
    9007199254740991,
    [1.5, null, -0.25],
    null,
    [],
  ]
  const names = Object.keys(columns)
  const statement = `select ${names.map((name, i) => `$${i + 1}::${types[i]} as "${name}"`)}`
  const [plain] = await database.db.query({ text: statement, columns }, [
    ...values.map((value) =>
      value && typeof value === 'object' && 'b' in value ? JSON.stringify(value) : value,
    ),
  ])
  const client = new pg.Client(database.url)
  await client.connect()
  const given = values.map((value) => {
    const written = asText(value)
    return written === null ? 'null' : client.escapeLiteral(written)
  })
  await client.query(`prepare asked as ${asOneAnswer(statement, columns)}`)
  const { rows } = await client.query({ text: `execute asked(${given.join(',')})`, rowMode: 'array' })
  await client.end()
  assert.deepEqual(readAnswer(rows[0]?.[0], columns), [plain])
})

test('tables are found where they stand, and names of its own, strings and functions are left', () => {
  const statement = `with leads_of as (select extract(day from at) as d from events e where note = 'from leads' -- join mails
    and x is distinct from y), done as (update projects set a = 1 from leads_of where b = any($1) returning id)
    insert into activities as a (id) select id from done join lateral unnest(c) on true left join "members" m using (id)
    on conflict (id) do update set id = excluded.id`
  assert.deepEqual(tablesOf(statement).toSorted(), ['activities', 'events', 'projects'])
  assert.match(
    markTables('delete from leads using files where leads.id = files.id'),
    /@leads@ as leads using @files@ as files/,
  )
})

test('what answers nothing, and a column called as nothing else is, come as they are', async () => {
  const run = async (statement: string) => {
    const rows = await database.rows<Record<string, string | null>>(asOneAnswer(statement, {}))
    return rows.map((row) => Object.values(row)[0])
  }
  assert.deepEqual(await run(`insert into settings (name, value) values ('tried', 'x')`), [null])
  assert.deepEqual(await run(`select value as answer, 1 as "answers" from settings where name = 'tried'`), [
    '[{"answer":"x","answers":1}]',
  ])
  for (const queries of ['', 'with few as (select 1)'])
    assert.deepEqual(await run(`${queries} (select 1 as n limit 1) union all (select 2 limit 1)`), [
      '[{"n":1}, \n {"n":2}]',
    ])
  assert.deepEqual(await run(`delete from settings where name = 'tried' returning name`), [
    '[{"name":"tried"}]',
  ])
})

test('what only reads is told from what writes, locks or asks for work', () => {
  assert.ok(onlyReads(`select l.updated_at from leads l where l.status = 'update' -- for update`))
  for (const text of [
    'with made as (insert into leads (id) values ($1) returning id) select id from made',
    'select from leads where id = $1 for update',
    'select from leads where id = $1 for key share',
    `select queue_job('mail', $1, 'mail')`,
  ])
    assert.ok(!onlyReads(text), text)
})

test('an error of a node has the names of plain PostgreSQL', () => {
  const failed = (message: string, code: string) =>
    asOfOneServer(Object.assign(new pg.DatabaseError(message, 1, 'error'), { code })) as pg.DatabaseError
  const twice = failed('duplicate key value violates unique constraint "members_by_email_102345"', '23505')
  assert.deepEqual(
    [twice.constraint, twice.message],
    ['members_by_email', 'duplicate key value violates unique constraint "members_by_email"'],
  )
  assert.equal(
    failed('… violates unique constraint "readings_2026_11_pkey_1023456"', '23505').constraint,
    'readings_2026_11_pkey',
  )
  assert.equal(failed('relation "leads_102008" does not exist', '42P01').constraint, undefined)
})

test('parts of several nodes become one answer', () => {
  const parts = [
    { installerId: 'b', id: '1' },
    { installerId: 'a', id: '2' },
    { installerId: 'a', id: '1' },
  ]
  assert.deepEqual(inOrder<(typeof parts)[0]>('installerId', 'id')(parts, { limit: 2 }), [parts[2], parts[1]])
  const early = new Date(1)
  const counted = [
    { kind: 'x', waiting: 1, oldest: null },
    { kind: 'y', waiting: 2, oldest: new Date(5) },
    { kind: 'x', waiting: 3, oldest: early },
  ]
  assert.deepEqual(folded({ waiting: 'sum', oldest: 'least' }, 'kind')(counted), [
    { kind: 'x', waiting: 4, oldest: early },
    counted[1],
  ])
  assert.deepEqual(folded({ waiting: 'sum', oldest: 'least' })([]), [])
})
