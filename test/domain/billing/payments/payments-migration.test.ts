import assert from 'node:assert/strict'
import { cpSync, globSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { after, test } from 'node:test'
import { openDatabase } from '../../../../src/platform/db.ts'
import { migrate } from '../../../../src/platform/migrate.ts'
import { dropDatabase, onServer, withDatabase } from '../../../support/database.ts'
import { root } from '../../../support/process.ts'

const name = `payments_${process.pid}`
const url = withDatabase(process.env.TEST_DATABASE_URL!, name)
const folder = mkdtempSync(join(tmpdir(), 'sunstead-migrations-'))
after(async () => {
  await dropDatabase(name)
  rmSync(folder, { recursive: true, force: true })
})

const own = '000039'

test('what was noted as paid becomes payments, and what was paid on void invoices a credit', async () => {
  const files = globSync('migrations/*.sql', { cwd: root })
  const copy = (file: string) => cpSync(join(root, file), join(folder, basename(file)))
  for (const file of files) if (basename(file) < own) copy(file)
  await onServer(`create database ${name}`)
  await migrate(url, { folder })
  const db = openDatabase(url, () => {})
  const rows = <Row extends object>(text: string) => db.query<Row>({ name: '', text }, [])
  await db.execute(`
    insert into companies (id, installer_id, number, kind, name, timezone, created_at)
      values ('comp_1', 'comp_1', 1001, 'installer', 'Sunrise', 'Pacific/Honolulu', now());
    insert into invoices (installer_id, id, company_id, number, status, currency, customer, payment_term_days, line_items,
        amount_due, amount_paid, created_at, finalized_at, paid_at, voided_at, rendering)
      select 'comp_1', 'inv_' || i || '00000000000', 'comp_1', '1001-' || i, s, 'USD', c::jsonb, 30, '[]', 100, p,
        '2026-01-01Z', '2026-01-02Z', case when s = 'paid' then '2026-01-05 03:00Z'::timestamptz end,
        case when s = 'void' then '2026-01-06Z'::timestamptz end,
        '{"id":"x","amount_due":100.5,"amount_paid":' || p || ',"amount_remaining":' || 100 - p || ',"note":"\\"amount_due\\":1"}'
      from (values (1, 'open', 40, '{"name":"Ada"}'), (2, 'paid', 100, '{"name":"Bo"}'), (3, 'void', 40, '{"name":"Ada","email":"ADA@example.com"}'),
        (4, 'void', 0, '{"name":"Cy"}'), (5, 'void', 30, '{"name":"Erased customer"}')) as v(i, s, p, c);
    insert into invoice_payments (installer_id, invoice_id, ordinal, amount, at, actor_kind, actor_name)
      values ('comp_1', 'inv_100000000000', 1, 25, '2026-01-03 03:00Z', 'member', 'Mara'),
        ('comp_1', 'inv_300000000000', 1, 40, '2026-01-03Z', 'key', 'CRM');`)
  for (const file of files) if (basename(file) >= own) copy(file)
  await migrate(url, { folder })
  assert.deepEqual(
    await rows(`select invoice_id as invoice, ordinal, amount, received_on::text as day, actor_name as by, id ~ '^pay_[0-9a-z]{10,40}$' as named
      from invoice_payments order by invoice_id, ordinal`),
    [
      {
        invoice: 'inv_100000000000',
        ordinal: 1,
        amount: '25.00',
        day: '2026-01-02',
        by: 'Mara',
        named: true,
      },
      {
        invoice: 'inv_100000000000',
        ordinal: 2,
        amount: '15.00',
        day: '2026-01-01',
        by: 'Sunstead',
        named: true,
      },
      {
        invoice: 'inv_200000000000',
        ordinal: 1,
        amount: '100.00',
        day: '2026-01-04',
        by: 'Sunstead',
        named: true,
      },
      { invoice: 'inv_300000000000', ordinal: 1, amount: '40.00', day: '2026-01-02', by: 'CRM', named: true },
      {
        invoice: 'inv_500000000000',
        ordinal: 1,
        amount: '30.00',
        day: '2026-01-05',
        by: 'Sunstead',
        named: true,
      },
    ],
  )
  assert.deepEqual(
    await rows(
      `select invoice_id as invoice, amount, name_key as name, email_key as email, erased from credits order by invoice_id`,
    ),
    [
      { invoice: 'inv_300000000000', amount: '40.00', name: 'ada', email: 'ada@example.com', erased: false },
      { invoice: 'inv_500000000000', amount: '30.00', name: 'erased customer', email: null, erased: true },
    ],
  )
  assert.deepEqual(await rows('select credits from credit_counts'), [{ credits: 2 }])
  const [open, voided] = (
    await rows<{ rendering: string }>(
      `select rendering from invoices where number in ('1001-1', '1001-3') order by number`,
    )
  ).map(({ rendering }) => JSON.parse(rendering))
  const note = '"amount_due":1'
  assert.deepEqual(open, {
    ...{
      id: 'x',
      subtotal: 100.5,
      credit_applied: 0,
      amount_due: 100.5,
      amount_paid: 40,
      amount_remaining: 60,
      note,
    },
  })
  assert.deepEqual([voided.amount_paid, voided.amount_remaining], [40, 0])
  await db.close()
})
