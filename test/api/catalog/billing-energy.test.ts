import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runMonth } from '../../../src/domain/billing/runs/run-month.ts'
import { startApp } from '../../support/app.ts'
import { createWorld } from '../../support/factories.ts'
import { invoicesPath, plansPath, post } from '../../support/invoices.ts'
import { installation, panel } from '../../support/panels.ts'

const app = await startApp()
const { dealer } = await createWorld(app.database.db)
const { key } = dealer

const now = new Date('2026-05-10T00:00:00Z')
const run = async (month: string) => (await runMonth(app.database.db, now, { month }))[0]!
const read = async (id: string) => (await app.get(`${invoicesPath}/${id}`, key)).body

async function take(readings: { panel_id: string; timestamp: string; kwh: number }[]) {
  const answer = await app.call('POST', '/catalog/v1/monitoring/readings', { key, body: { readings } })
  assert.equal(answer.status, 200, answer.text)
  assert.deepEqual(answer.body.rejected, [])
}

test('from readings to invoices: a month over the change of the clock, held, billed, and trued up by late data', async () => {
  const home = await installation(app, dealer, { region: 'US-CA', timezone: 'America/Los_Angeles' })
  const roof = await panel(app, dealer, home)
  const garage = await panel(app, dealer, home)
  const plan = { kind: 'ppa', rate: 0.2, start_date: '2026-03-01' }
  assert.equal((await app.call('PUT', `${plansPath}/${home}`, { key, body: plan })).status, 201)

  // One reading a day and panel, half an hour before local midnight: the last of March is in April by UTC.
  const daily = (month: string, days: number, kwh: number) =>
    Array.from({ length: days }, (_, i) => {
      const day = `${month}-${String(i + 1).padStart(2, '0')}`
      const at = Temporal.PlainDate.from(day).toZonedDateTime({
        timeZone: 'America/Los_Angeles',
        plainTime: '23:30',
      })
      const timestamp = at.toInstant().toString()
      return [roof, garage].map((panel_id) => ({ panel_id, timestamp, kwh }))
    })
  const march = daily('2026-03', 31, 5.25)
  await take(march.slice(0, 29).flat())
  const held = await run('2026-03')
  assert.equal(held.outcome, 'held')
  assert.match(held.detail!, /^9\d\.\d+% of the daylight readings received, 95% needed; Roof/)
  await take(march.slice(29).flat())
  const first = await run('2026-03')
  assert.deepEqual([first.outcome, first.amountDue], ['drafted', '65.10'])
  await post(app, key, `/${first.invoiceId}/finalize`)

  // A late value takes the place of an earlier one; a deleted panel's energy stays billed.
  await take([{ ...march[7]![0]!, kwh: 7.75 }, ...daily('2026-04', 30, 5).flat()])
  assert.equal((await app.call('DELETE', `/catalog/v1/panels/${garage}`, { key })).status, 204)
  const { invoiceId } = await run('2026-04')
  const { line_items, amount_due } = await read(invoiceId!)
  assert.deepEqual(
    line_items.map((l: { quantity: number; amount: number }) => [l.quantity, l.amount]),
    [
      [300, 60],
      [2.5, 0.5],
    ],
  )
  assert.equal(amount_due, 60.5)
  await post(app, key, `/${invoiceId}/finalize`)
  assert.equal((await read(first.invoiceId!)).amount_due, 65.1)
})
