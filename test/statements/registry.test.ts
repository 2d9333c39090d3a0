import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import pg from 'pg'
import { compile, controlsOf, tenantParam } from '../../src/platform/sql/sql.ts'
import { type Registered, registered } from '../../src/platform/sql/statements.ts'
import { declareChanges } from '../support/change-forms.ts'
import { createTestDatabase } from '../support/database.ts'
import { describeStatement } from '../support/describe-statement.ts'
import { findKinds, placementFaults } from '../support/placement.ts'
import { root } from '../support/process.ts'
import { tenancyHoles } from '../support/tenancy.ts'

/** Values of each form that a statement's text can have. */
function forms({ fragment }: Registered): Record<string, unknown>[] {
  const choices = new Map<string, unknown[]>()
  for (const { kind, name, choices: picked } of controlsOf(fragment.nodes)) {
    if (kind === 'pick') choices.set(name, [...picked])
    else if (kind === 'each') choices.set(name, [[], [['a']], [['a', 'b'], ['c']]])
    else if (!choices.has(name)) choices.set(name, [null, 'given'])
  }
  const all = [...choices]
  const count = all.reduce((product, [, values]) => product * values.length, 1)
  return count <= 256 ? product(all) : pairs(all)
}

type Choices = [name: string, values: unknown[]][]

function product([first, ...others]: Choices): Record<string, unknown>[] {
  if (!first) return [{}]
  const [name, values] = first
  return product(others).flatMap((rest) => values.map((value) => ({ ...rest, [name]: value })))
}

/** Every two choices together, the others being the first or the last of theirs. */
function pairs(choices: Choices): Record<string, unknown>[] {
  const bases = [0, -1].map((at) =>
    Object.fromEntries(choices.map(([name, values]) => [name, values.at(at)])),
  )
  return bases.flatMap((base) =>
    choices.flatMap((one, i) =>
      choices.slice(i).flatMap((other) => product([one, other]).map((two) => ({ ...base, ...two }))),
    ),
  )
}

test('no statement is written past the template', () => {
  const sources = globSync('src/**/*.ts', { cwd: root }).filter((file) => !file.startsWith('src/platform/'))
  const byHand = sources.filter((file) => /\bStatement\b/.test(readFileSync(join(root, file), 'utf8')))
  // The one gathers statistics, which cannot be prepared; the other hands on what a process of this host has declared.
  assert.deepEqual(byHand.toSorted(), ['src/cluster/write-routes.ts', 'src/demo/queries.ts'])
})

describe('every statement', async () => {
  const files = globSync('src/**/*.ts', { cwd: root }).filter((file) =>
    /from '.*platform\/sql\/statements\.ts'/.test(readFileSync(join(root, file), 'utf8')),
  )
  for (const file of files) await import(join(root, file))
  await declareChanges()
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

  const byFile = Map.groupBy(registered, ({ at }) => at.replace(/:\d+$/, ''))
  for (const [file, statements] of byFile)
    test(`of ${file} is understood, answers its row, is held to its tenant, and can be run where its tenants live`, async () => {
      for (const statement of statements) {
        const compiled = forms(statement).map((values) => compile(statement.fragment, values))
        const texts = new Map(compiled.map(({ text, places }) => [text, places]))
        for (const [text, places] of texts) await check(statement, text, places)
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
