import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { listInvoices } from '../../src/domain/billing/invoices/list-queries.ts'
import type { Scope } from '../../src/domain/kernel/context.ts'
import { listFleet } from '../../src/domain/sites/monitoring/fleet-queries.ts'
import type { Db, Statement } from '../../src/platform/db.ts'
import { type App, startApp } from '../support/app.ts'
import { oneServerOnly } from '../support/citus.ts'
import { createWorld, lead, type World } from '../support/factories.ts'
import { addPerson, signedIn } from '../support/people.ts'

const count = 25

describe('lists sorted by their headers', () => {
  let app: App
  let world: World
  let owner: Awaited<ReturnType<typeof signedIn>>
  let dealer: Awaited<ReturnType<typeof signedIn>>

  before(async () => {
    app = await startApp()
    world = await createWorld(app.database.db)
    const { installer } = world
    owner = await signedIn(app, await addPerson(app, installer.company.id, 'owner', 'Olga Owner'))
    dealer = await signedIn(app, await addPerson(app, world.dealer.company.id, 'owner', 'Dora Dealer'))
    // Many of the dealer's and few of the installer's, with ties, and drafts that are not due yet.
    await app.database.rows(
      `insert into invoices (installer_id, id, company_id, status, currency, customer, line_items, payment_term_days,
          amount_due, due_date, number, finalized_at, created_at, rendering)
        select $1, 'inv_' || lpad(n::text, 24, '0'), case when n % 5 = 0 then $1 else $2 end,
          case when n % 7 = 0 then 'draft' else 'open' end, 'USD', '{"name": "Ada", "email": null, "address": null}', '[]', 30,
          (n % 9) * 100 + 0.5, case when n % 7 = 0 then null else date '2026-03-01' + (n * 37 % 11) end,
          case when n % 7 = 0 then null else 'N-' || n end, case when n % 7 = 0 then null else now() end, now(), '{}'
        from generate_series(1, $3::int) n returning id`,
      [installer.company.id, world.dealer.company.id, count],
    )
    await app.database.rows(
      `insert into installations (installer_id, id, company_id, name, address, region, timezone, capacity_kw, created_at)
        select $1, 'inst_' || lpad(n::text, 24, '0'), case when n % 5 = 0 then $1 else $2 end, 'Site ' || chr(65 + n * 7 % 26),
          '1 Elm St', 'US-CA', 'America/Los_Angeles', (n % 6) + 0.25, now()
        from generate_series(1, $3::int) n returning id`,
      [installer.company.id, world.dealer.company.id, count],
    )
  })

  /** All pages, four at a time. */
  async function all<T>(who: typeof owner, path: string, part: string): Promise<T[]> {
    const found: T[] = []
    for (let after: string | null = ''; after !== null; ) {
      const more = after ? `&after=${encodeURIComponent(after)}` : ''
      const answer = await who.get(`${path}${path.includes('?') ? '&' : '?'}limit=4${more}`)
      assert.equal(answer.status, 200, answer.text)
      found.push(...answer.body[part])
      after = answer.body.next
    }
    return found
  }

  const ordered = <T>(rows: readonly T[], key: (row: T) => (string | number)[], down: boolean) =>
    [...rows].sort((a, b) => {
      const [x, y] = [key(a), key(b)]
      const at = x.findIndex((value, i) => value !== y[i])
      return at < 0 ? 0 : (x[at]! < y[at]! ? -1 : 1) * (down ? -1 : 1)
    })

  interface InvoiceRow {
    id: string
    dueDate: string | null
    amountDue: string
    status: string
  }
  const invoiceKeys: Record<string, (row: InvoiceRow) => (string | number)[]> = {
    made: ({ id }) => [id],
    due: ({ dueDate, id }) => [dueDate ?? '9999', id],
    amount: ({ amountDue, id }) => [Number(amountDue), id],
  }

  test('invoices by when they were made, are due and by how much, each both ways, page by page', async () => {
    for (const [by, down] of [
      ['made', true],
      ['due', false],
      ['amount', true],
    ] as const)
      for (const reversed of [false, true])
        for (const [who, filter, most] of [
          [owner, '', count],
          [dealer, '', 20],
          [owner, '&status=open', 22],
          [owner, '&search=N-1', 10],
        ] as const) {
          const path = `/billing/invoices?sort=${by}${reversed ? '-reversed' : ''}${filter}`
          const rows = await all<InvoiceRow>(who, path, 'invoices')
          assert.equal(new Set(rows.map(({ id }) => id)).size, most, path)
          const right = ordered(rows, invoiceKeys[by]!, down !== reversed)
          assert.deepEqual(
            rows.map(({ id }) => id),
            right.map(({ id }) => id),
            path,
          )
        }
  })

  test('every filter together with every other, in every order', async () => {
    const filters = [
      'status=open',
      'month=2026-03',
      'installation=inst_000000000000000000000001',
      'search=N-1%20N-2',
    ]
    const orders = ['made', 'due', 'amount'].flatMap((by) => [by, `${by}-reversed`])
    for (const who of [owner, dealer])
      for (const sort of orders)
        for (let chosen = 0; chosen < 2 ** filters.length; chosen++) {
          const some = filters.filter((_, i) => chosen & (2 ** i))
          const path = `/billing/invoices?${[`sort=${sort}`, ...some].join('&')}`
          assert.equal((await who.get(path)).status, 200, path)
        }
  })

  test('installations by trouble, name and size', async () => {
    type Row = { id: string; name: string; capacityKw: number }
    for (const who of [owner, dealer]) {
      const usual = await all<Row>(who, '/monitoring', 'installations')
      for (const reversed of [false, true]) {
        const suffix = reversed ? '-reversed' : ''
        const byName = await all<Row>(who, `/monitoring?sort=name${suffix}`, 'installations')
        assert.equal(byName.length, usual.length)
        assert.deepEqual(
          byName,
          ordered(byName, ({ name, id }) => [name, id], reversed),
        )
        const bySize = await all<Row>(
          who,
          `/monitoring?sort=size${suffix}&region=US-CA&search=site`,
          'installations',
        )
        assert.equal(bySize.length, usual.length)
        assert.deepEqual(
          bySize,
          ordered(bySize, ({ capacityKw, id }) => [capacityKw, id], !reversed),
        )
      }
    }
    assert.deepEqual(await all(owner, '/monitoring?sort=name&kind=outage', 'installations'), [])
  })

  test('leads by when they were changed and made, each both ways', async () => {
    for (let i = 0; i < 9; i++) await lead(world.installer, { firstName: `L${i}` })
    const made = await all<{ id: string }>(owner, '/leads?sort=made', 'leads')
    assert.equal(made.length, 9)
    const oldest = await all<{ id: string }>(owner, '/leads?sort=made-reversed', 'leads')
    assert.deepEqual(
      oldest.map(({ id }) => id),
      made.map(({ id }) => id).reverse(),
    )
    await owner.call('PATCH', `/leads/${oldest[0]!.id}`, { body: { phone: '1' } })
    const stale = await all<{ id: string }>(owner, '/leads?sort=changed-reversed', 'leads')
    assert.equal(stale.at(-1)!.id, oldest[0]!.id)
    assert.equal((await all<{ id: string }>(owner, '/leads', 'leads'))[0]!.id, oldest[0]!.id)
  })

  test('an order that is not there, or a place of another one, is refused', async () => {
    for (const path of [
      '/billing/invoices?sort=luck',
      '/billing/invoices?sort=due&after=inv_000000000000000000000001',
      '/billing/invoices?after=2026-03-01~inv_000000000000000000000001',
      '/billing/invoices?sort=due&after=2026-02-31~inv_000000000000000000000001',
      '/billing/invoices?sort=amount&after=lots~inv_000000000000000000000001',
      '/monitoring?sort=trouble-reversed',
      '/monitoring?sort=size&after=inst_000000000000000000000001~large',
      '/monitoring?sort=name&after=1-2-inst_000000000000000000000001',
      '/monitoring?after=inst_000000000000000000000001~Site',
      '/leads?sort=name',
    ])
      assert.equal((await owner.get(path)).status, 400, path)
  })

  test('each order goes by its own index, and sorts nothing', { skip: oneServerOnly() }, async () => {
    const { db, rows } = app.database
    const { installer } = world
    await rows(
      `insert into invoices (installer_id, id, company_id, status, currency, customer, line_items, payment_term_days,
          amount_due, due_date, number, finalized_at, created_at, rendering)
        select $1, 'inv_9' || lpad(n::text, 23, '0'), case when n % 50 = 0 then $2 else $1 end, 'open', 'USD',
          '{"name": "Ada", "email": null, "address": null}', '[]', 30, n % 997, date '2020-01-01' + n % 2000, 'M-' || n,
          now(), now(), '{}' from generate_series(1, 6000) n returning id`,
      [installer.company.id, world.dealer.company.id],
    )
    await rows(
      `insert into installations (installer_id, id, company_id, name, address, region, timezone, capacity_kw, created_at)
        select $1, 'inst_9' || lpad(n::text, 23, '0'), case when n % 50 = 0 then $2 else $1 end, 'Roof ' || n % 997,
          '1 Elm St', 'US-CA', 'America/Los_Angeles', n % 300, now() from generate_series(1, 6000) n returning id`,
      [installer.company.id, world.dealer.company.id],
    )
    await rows('analyze invoices')
    await rows('analyze installations')
    const tenant: Scope = { installerId: installer.company.id, companyId: null, productLine: null }
    const company: Scope = { ...tenant, companyId: world.dealer.company.id }
    const page = { words: [], limit: 20 }
    for (const [scope, of] of [
      [tenant, ''],
      [company, '_company'],
    ] as const)
      for (const reversed of [false, true]) {
        const later = { afterKey: '2023-05-05', afterId: 'inv_9' }
        const due = { by: 'due', reversed } as const
        const amount = { by: 'amount', reversed } as const
        await goesBy(db, `invoices_by${of}_due`, (db) =>
          listInvoices(db, { ...scope, ...page, ...due, ...later }),
        )
        const half = { afterKey: '500.00', afterId: 'inv_9' }
        await goesBy(db, `invoices_by${of}_amount`, (db) =>
          listInvoices(db, { ...scope, ...page, ...amount, ...half }),
        )
        const today = '2026-11-01'
        const named = { key: 'Roof 500', id: 'inst_9' }
        const name = { by: 'name', reversed } as const
        await goesBy(db, `installations_by${of}_name`, (db) =>
          listFleet(db, { ...scope, ...name, today, after: named, limit: 20 }),
        )
        const sized = { key: '150', id: 'inst_9' }
        const size = { by: 'size', reversed } as const
        await goesBy(db, `installations_by${of}_size`, (db) =>
          listFleet(db, { ...scope, ...size, today, after: sized, limit: 20 }),
        )
      }
  })
})

interface Plan {
  'Node Type': string
  'Index Name'?: string
  'Actual Rows': number
  Plans?: Plan[]
}
const under = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(under)]

/** The first statement that it asks is answered by an index scan in order, of few rows; only a page is ever sorted. */
async function goesBy(db: Db, index: string, work: (db: Db) => Promise<unknown>) {
  let seen: { statement: Statement; values: readonly unknown[] } | undefined
  await work({
    query: (statement, values) => {
      seen ??= { statement, values }
      return db.query(statement, values)
    },
  } as Db)
  const { statement, values } = seen!
  const explain = { name: '', text: `explain (analyze, format json) ${statement.text}` }
  const [row] = await db.query<{ 'QUERY PLAN': { Plan: Plan }[] }>(explain, [...values])
  const nodes = under(row!['QUERY PLAN'][0]!.Plan)
  const told = nodes.map((node) => `${node['Node Type']} ${node['Index Name'] ?? ''} ${node['Actual Rows']}`)
  assert.ok(
    nodes.some((node) => node['Index Name'] === index),
    `${index}: ${told.join(' > ')}`,
  )
  // A sort of the page itself is none of the list.
  assert.ok(
    nodes.filter((node) => /Sort/.test(node['Node Type'])).every((node) => node['Actual Rows'] <= 21),
    told.join(' > '),
  )
}
