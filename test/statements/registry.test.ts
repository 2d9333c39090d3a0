import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import pg from 'pg'
import { tenantParam } from '../../src/platform/sql/sql.ts'
import type { Registered } from '../../src/platform/sql/statements.ts'
import { createTestDatabase } from '../support/database.ts'
import { describeStatement } from '../support/describe-statement.ts'
import { findKinds, placementFaults } from '../support/placement.ts'
import { root } from '../support/process.ts'
import { declaredStatements, formsOf } from '../support/statement-forms.ts'
import { tenancyHoles } from '../support/tenancy.ts'

test('no statement is written past the template', () => {
  const sources = globSync('src/**/*.ts', { cwd: root }).filter((file) => !file.startsWith('src/platform/'))
  const byHand = sources.filter((file) => /\bStatement\b/.test(readFileSync(join(root, file), 'utf8')))
  // The one gathers statistics, which cannot be prepared; the other hands on what a process of this host has declared.
  assert.deepEqual(byHand.toSorted(), ['src/cluster/write-routes.ts', 'src/demo/queries.ts'])
})

describe('every statement', async () => {
  const declared = await declaredStatements()
  let database: Awaited<ReturnType<typeof createTestDatabase>>
  let client: pg.Client
  let tables: Set<string>
  let types: Map<number, string>
  let kinds: Awaited<ReturnType<typeof findKinds>>

  before(async () => {
    database = await createTestDatabase()
    client = new pg.Client(database.url)
    await client.connect()
    const found = await client.query(
      `select table_name as name from information_schema.columns
        where column_name = 'installer_id' and table_schema = current_schema()`,
    )
    tables = new Set(found.rows.map(({ name }) => name))
    kinds = await findKinds(client)
    const known = await client.query('select oid::int as id, typname as name from pg_type')
    types = new Map(known.rows.map(({ id, name }) => [id, name]))
  })
  after(async () => {
    await client.end()
    await database.drop()
  })

  const byFile = Map.groupBy(declared, ({ at }) => at.replace(/:\d+$/, ''))
  for (const [file, statements] of byFile)
    test(`of ${file} is understood, answers its row, is held to its tenant, and can be run where its tenants live`, async () => {
      for (const statement of statements) {
        for (const { text, places } of formsOf(statement)) await check(statement, text, places)
      }
    })

  async function check({ at, row, options }: Registered, text: string, places: readonly string[]) {
    const described = await describeStatement(client, text).catch((error: Error) =>
      assert.fail(`${at}: ${error.message}\n${text}`),
    )
    if (row) {
      const wanted = Object.entries(row.columns).map(([name, { types }]) => `${name}: ${types.join(' or ')}`)
      const got = described.map(({ name, typeId }) => {
        const type = types.get(typeId)!
        return `${name}: ${row.columns[name]?.types.includes(type) ? row.columns[name].types.join(' or ') : type}`
      })
      assert.deepEqual(got.sort(), wanted.sort(), `${at}\n${text}`)
    }
    const holes = await tenancyHoles(text, tables, places[0] === tenantParam)
    if (!options.across) assert.deepEqual(holes, [], `${at}\n${text}`)
    else assert.notDeepEqual(holes, [], `${at} is held to its tenant: it needs no reason not to be\n${text}`)
    assert.deepEqual(await placementFaults(text, row?.columns ?? {}, kinds), [], `${at}\n${text}`)
  }
})
