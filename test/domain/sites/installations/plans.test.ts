import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createNumberedLists } from '../../../../src/domain/kernel/numbered-lists.ts'
import { findPanel, panelList, readPanel } from '../../../../src/domain/sites/installations/panel-queries.ts'
import { installationList } from '../../../../src/domain/sites/installations/queries.ts'
import type { Db, Statement } from '../../../../src/platform/db.ts'
import { withinTransaction } from '../../../../src/platform/within-transaction.ts'
import { oneServerOnly } from '../../../support/citus.ts'
import { createTestDatabase } from '../../../support/database.ts'
import { createWorld } from '../../../support/factories.ts'

const database = await createTestDatabase()
after(() => database.drop())
const { db, rows } = database
const { installer, dealer, other } = await createWorld(db)

// Some thousand records of two tenants and two companies.
const idsOf = (companyId: string) => companyId.replace('comp_', '')
for (const { company } of [installer, dealer, other]) {
  const values = [company.installerId, company.id]
  const ids = idsOf(company.id)
  await rows(
    `insert into installations (installer_id, id, company_id, name, address, region, timezone, created_at)
     select $1, 'inst_${ids}' || lpad(n::text, 6, '0'), $2, 'Site', 'Street', 'AT-' || n % 9, 'UTC', now() from generate_series(1, 2000) n`,
    values,
  )
  await rows(
    `insert into panels (installer_id, id, company_id, installation_id, name, capacity_kw, status, created_at, deleted_at)
     select $1, 'pnl_${ids}' || lpad(n::text, 6, '0'), $2, 'inst_${ids}' || lpad((n % 2000 + 1)::text, 6, '0'), 'Panel', 0.4,
       (array['active', 'inactive', 'maintenance'])[n % 3 + 1], now(), case when n % 50 = 0 then now() end
     from generate_series(1, 6000) n`,
    values,
  )
  await rows(
    `insert into panel_days (installer_id, panel_id, day, microkwh, readings, hours)
     select installer_id, id, '2026-01-01'::date + n, 1000, 24, '{}' from panels, generate_series(1, 4) n
     where installer_id = $1 and company_id = $2`,
    values,
  )
  await rows(
    `insert into panel_counts select installer_id, company_id, status, count(*) from panels
     where installer_id = $1 and company_id = $2 and deleted_at is null group by 1, 2, 3`,
    values,
  )
  await rows(
    `insert into installation_counts select installer_id, company_id, region, count(*) from installations
     where installer_id = $1 and company_id = $2 group by 1, 2, 3`,
    values,
  )
}
const counts = ['panel_counts', 'installation_counts']
for (const table of ['installations', 'panels', 'panel_days', ...counts])
  await rows(`vacuum analyze ${table}`)

interface Plan {
  'Node Type': string
  'Relation Name'?: string
  'Index Name'?: string
  'Actual Rows'?: number
  'Actual Loops'?: number
  Plans?: Plan[]
}

const under = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(under)]

/** How the server's own connections run what `work` asks: one plan, whatever the values. */
async function nodesOf(work: (db: Db) => Promise<unknown>): Promise<Plan[]> {
  const seen: { statement: Statement; values: readonly unknown[] }[] = []
  await work({
    query: (statement, values) => {
      seen.push({ statement, values })
      return db.query(statement, values)
    },
  })
  assert.equal(seen.length, 1)
  const { statement, values } = seen[0]!
  const literal = (value: unknown) =>
    value === null ? 'null' : typeof value === 'number' ? value : `'${value}'`
  const found = await db.transaction(async (tx) => {
    await tx.query({ name: '', text: `prepare planned as ${statement.text}` }, [])
    const execute = `explain (analyze, format json) execute planned(${values.map(literal).join(', ')})`
    const result = await tx.query<{ 'QUERY PLAN': { Plan: Plan }[] }>({ name: '', text: execute }, [])
    await tx.query({ name: '', text: 'deallocate planned' }, [])
    return result
  })
  return under(found[0]!['QUERY PLAN'][0]!.Plan)
}

const tenant = { installerId: installer.company.id, companyId: null, productLine: null }
const company = { ...tenant, companyId: dealer.company.id }

function goesBy(nodes: Plan[], table: string, indexes: string[], atMost: number): void {
  const where = nodes.map((n) => `${n['Node Type']} ${n['Index Name'] ?? ''} ${n['Actual Rows']}`).join(' > ')
  assert.ok(
    !nodes.some((n) => /Seq Scan|Sort|Bitmap/.test(n['Node Type']) && !counts.includes(n['Relation Name']!)),
    where,
  )
  const own = nodes.filter((n) => n['Relation Name'] === table)
  assert.ok(own.length > 0 && own.every((n) => indexes.includes(n['Index Name']!)), where)
  const read = own.reduce((sum, n) => sum + n['Actual Rows']! * n['Actual Loops']!, 0)
  assert.ok(read <= atMost, `${read} rows: ${where}`)
}

for (const [scope, status, index] of [
  [tenant, undefined, 'panels_in_order'],
  [tenant, 'inactive', 'panels_by_status'],
  [company, undefined, 'panels_by_company'],
  [company, 'inactive', 'panels_by_company_status'],
] as const) {
  const of = `${scope.companyId ? 'of a company' : 'of a tenant'}${status ? ' in a status' : ''}`
  test(`pages of panels ${of} go by ${index}, and count down in it alone`, {
    skip: oneServerOnly(),
  }, async () => {
    for (const [before, atMost] of [
      [0, 20],
      [200, 221],
      [1_500, 1_521],
      [99_999_999, 0],
    ] as const) {
      const page = { perPage: 20, before }
      const nodes = await nodesOf((db) =>
        createNumberedLists()(withinTransaction(db), panelList, scope, { status }, page),
      )
      goesBy(nodes, 'panels', [index], atMost)
      // One more: the day from which on the others are looked for.
      goesBy(nodes, 'panel_days', ['panel_days_pkey'], 21)
    }
  })
}

for (const [scope, region, index] of [
  [tenant, undefined, 'installations_in_order'],
  [tenant, 'AT-3', 'installations_there_by_region'],
  [company, undefined, 'installations_there_by_company'],
  [company, 'AT-3', 'installations_there_by_company_region'],
] as const) {
  const of = `${scope.companyId ? 'of a company' : 'of a tenant'}${region ? ' in a region' : ''}`
  test(`pages of installations ${of} go by ${index}, and count down in it alone`, {
    skip: oneServerOnly(),
  }, async () => {
    for (const [before, atMost] of [
      [0, 20],
      [200, 221],
      [99_999_999, 0],
    ] as const) {
      const page = { perPage: 20, before }
      const nodes = await nodesOf((db) =>
        createNumberedLists()(withinTransaction(db), installationList, scope, { region }, page),
      )
      goesBy(nodes, 'installations', [index], atMost)
    }
  })
}

test('a panel is read by its key, and its latest day by one look', { skip: oneServerOnly() }, async () => {
  const id = `pnl_${idsOf(dealer.company.id)}000001`
  for (const scope of [tenant, company]) {
    for (const work of [readPanel, findPanel]) {
      assert.ok(await work(db, scope, id))
      const nodes = await nodesOf((db) => work(db, scope, id))
      goesBy(nodes, 'panels', ['panels_pkey', 'panels_in_order', 'panels_by_company'], 1)
      goesBy(nodes, 'panel_days', ['panel_days_pkey'], 1)
    }
  }
})
