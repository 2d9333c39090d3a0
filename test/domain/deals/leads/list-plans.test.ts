import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { LeadFilters } from '../../../../src/domain/deals/leads/asked-leads.ts'
import { listLeadRows } from '../../../../src/domain/deals/leads/list-queries.ts'
import { oneServerOnly } from '../../../support/citus.ts'
import { createTestDatabase } from '../../../support/database.ts'
import { atFileEnd } from '../../../support/endings.ts'
import { createWorld } from '../../../support/factories.ts'
import { withGenericPlans } from '../../../support/generic-plans.ts'

const database = await createTestDatabase()
atFileEnd(() => database.drop())
const { db, rows } = database
const { installer, dealer } = await createWorld(db)
const scope = { installerId: installer.company.id, companyId: null, productLine: null }

/** Fails where the leads of a page are not looked through along that index, or not in it `alone`. */
async function assertLookedThrough(filters: LeadFilters, index: string, alone: boolean): Promise<void> {
  const explaining = await withGenericPlans(db, database.url)
  const page = await listLeadRows(explaining.db, scope, filters, { by: 'changed', reversed: false }, null, 50)
  await explaining.close()
  assert.equal(page.rows.length, 50)
  const [plan] = explaining.plans.filter((text) => /WindowAgg/.test(text))
  assert.match(plan!, new RegExp(`Index ${alone ? 'Only ' : ''}Scan Backward using ${index} on leads`))
}

test('a page of leads by filters is looked for in an index alone, and one by words along a narrow one', {
  skip: oneServerOnly(),
}, async () => {
  // More than can be put in order at once, whatever is asked for, and changed in another order than they were made.
  await rows(
    `insert into leads (installer_id, id, company_id, product_line, status, archived, first_name, created_at, updated_at, rendering)
     select $1, 'lead_' || lpad(n::text, 20, '0'), case when n % 2 = 0 then $1 else $2 end, 'solar',
       case when n % 3 = 0 then 'new' else 'lost' end, n % 4 = 1, 'Zed', now(), now() - n * 7919 % 15000 * interval '1 minute',
       repeat('x', 1000)
     from generate_series(1, 15000) n`,
    [installer.company.id, dealer.company.id],
  )
  // What autovacuum does in the background: without it an index alone cannot tell which rows are visible. Again while somebody
  // else reads from before.
  const isVisible = async () => {
    await rows('vacuum analyze leads')
    const [leads] = await rows<{ all: boolean }>(
      `select relallvisible >= relpages as all from pg_class where oid = 'leads'::regclass`,
    )
    return leads!.all
  }
  while (!(await isVisible()));

  await assertLookedThrough({ rep: 'none', source: 'none' }, 'leads_listed', true)
  await assertLookedThrough({ status: 'new', rep: 'none' }, 'leads_listed_by_status', true)
  await assertLookedThrough({ status: 'new', company: dealer.company.id }, 'leads_listed_by_status', true)
  await assertLookedThrough({ source: 'none', archived: 'only' }, 'leads_archived_listed', true)
  await assertLookedThrough({ search: 'zed' }, 'leads_by_change', false)
  await assertLookedThrough({ search: 'zed', status: 'new' }, 'leads_by_status_change', false)
})
