import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { readDealPage } from '../../../../src/domain/deals/changes/deal.ts'
import { readLegacyProjectPage } from '../../../../src/domain/deals/projects/queries.ts'
import {
  type CountedList,
  createCountedLists,
  type FoundPage,
} from '../../../../src/domain/deals/renderings/counted-lists.ts'
import { productLines } from '../../../../src/domain/kernel/tenant/stage.ts'
import type { Db, Statement } from '../../../../src/platform/db.ts'
import { withinTransaction } from '../../../../src/platform/within-transaction.ts'
import { oneServerOnly } from '../../../support/citus.ts'
import { clockMoved } from '../../../support/clock-watch.ts'
import { createTestDatabase } from '../../../support/database.ts'
import { createWorld, project } from '../../../support/factories.ts'

const database = await createTestDatabase()
after(() => database.drop())
const { db, rows } = database
const { installer, dealer, other } = await createWorld(db)

const [written] = await rows<{ columns: string }>(
  `select string_agg(column_name, ', ') as columns from information_schema.columns
   where table_schema = 'public' and table_name = 'leads' and is_generated = 'NEVER'`,
)

/** Some thousand records of two tenants, two companies and both lines: copies of one of each. */
for (const who of [installer, dealer, other]) {
  for (const productLine of productLines) {
    const { leadId } = await project(who, { productLine })
    const copies = `generate_series(1, 700) n where r.installer_id = $1`
    await rows(
      `with clock as (${clockMoved})
        insert into leads (${written!.columns}) select ${written!.columns} from (
          select (jsonb_populate_record(r, jsonb_build_object('id', r.id || n, 'project_id', r.project_id || n,
            'updated_at', r.updated_at - n * interval '1 s'))).* from leads r, ${copies} and r.id = $2
        ) copied`,
      [who.company.installerId, leadId],
    )
    await rows(
      `insert into projects select (jsonb_populate_record(r, jsonb_build_object('id', r.id || n,
          'lead_id', r.lead_id || n, 'updated_at', r.updated_at - n * interval '1 s'))).* from projects r, ${copies} and r.lead_id = $2`,
      [who.company.installerId, leadId],
    )
  }
}
// What autovacuum does in the background; without it an index alone cannot tell which rows are visible.
await rows('vacuum analyze leads')
await rows('vacuum analyze projects')

interface Plan {
  'Node Type': string
  'Relation Name'?: string
  'Index Name'?: string
  Plans?: Plan[]
}

/** The plan that the server's own connections use: made once, whatever the values. */
async function planOf({ text }: Statement, values: readonly unknown[]): Promise<Plan[]> {
  const literal = (value: unknown) => {
    const text = value instanceof Date ? value.toISOString() : value
    return typeof text === 'number' ? text : `'${text}'`
  }
  const found = await db.transaction(async (tx) => {
    // Where a tenant has a third of a small table, reading all of it is as cheap; in a large one it is not.
    for (const way of ['seqscan', 'bitmapscan'])
      await tx.query({ name: '', text: `set local enable_${way} = off` }, [])
    await tx.query({ name: '', text: `prepare planned as ${text}` }, [])
    const execute = `explain (format json) execute planned(${values.map(literal).join(', ')})`
    const result = await tx.query<{ 'QUERY PLAN': { Plan: Plan }[] }>({ name: '', text: execute }, [])
    await tx.query({ name: '', text: 'deallocate planned' }, [])
    return result
  })
  return under(found[0]!['QUERY PLAN'][0]!.Plan)
}

/** A node and all that are below it. */
function under(plan: Plan): Plan[] {
  return [plan, ...(plan.Plans ?? []).flatMap(under)]
}

/** Every statement that reading a page takes. */
async function statementsOf(list: CountedList, page: number) {
  const seen: { statement: Statement; values: readonly unknown[] }[] = []
  const recording: Db = {
    query: (statement, values) => {
      seen.push({ statement, values })
      return db.query(statement, values)
    },
  }
  await createCountedLists()(
    withinTransaction(recording),
    list,
    page,
    async (from, start): Promise<FoundPage<unknown>> =>
      list.table === 'leads'
        ? readDealPage(from, list.scope, start)
        : readLegacyProjectPage(from, list.scope, start),
  )
  return seen
}

for (const table of ['leads', 'projects'] as const) {
  for (const companyId of [null, dealer.company.id]) {
    const index = `${table}_by_${companyId ? 'company_' : ''}line_change`
    test(`pages of ${table} ${companyId ? 'of a company' : 'of a tenant'} go by ${index} alone`, {
      skip: oneServerOnly(),
    }, async () => {
      const scope = { installerId: installer.company.id, companyId, productLine: 'solar' as const }
      const seen = await statementsOf({ table, scope }, 6)
      assert.equal(seen.length, 4)
      for (const { statement, values } of seen) {
        const nodes = await planOf(statement, values)
        const where = `${statement.name}: ${nodes.map((n) => `${n['Node Type']} ${n['Index Name'] ?? ''}`).join(' > ')}`
        // A record's own files are put in order; the list must come in order by itself.
        const sorts = nodes.filter((node) => node['Node Type'].includes('Sort'))
        const sorted = sorts.flatMap(under).some((node) => node['Relation Name'] === table)
        assert.ok(!sorted, where)
        assert.ok(!nodes.some((node) => /Seq Scan|Bitmap/.test(node['Node Type'])), where)
        const own = nodes.filter((node) => node['Relation Name'] === table)
        // Where a version before has written, all are counted, from whichever index is smallest.
        const ways = [index, 'leads_counted']
        assert.ok(own.length > 0 && own.every((node) => ways.includes(node['Index Name'] ?? '')), where)
      }
    })
  }
}
