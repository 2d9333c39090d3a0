import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import fc from 'fast-check'
import { startApp } from '../support/app.ts'
import { createWorld } from '../support/factories.ts'
import { addPerson, signedIn } from '../support/people.ts'

const app = await startApp()
const world = await createWorld(app.database.db)
const admin = await signedIn(app, await addPerson(app, world.installer.company.id, 'admin', 'Amir Admin'))

const labels = [
  'First name',
  'Last name',
  'Email',
  'Phone',
  'Street',
  'City',
  'State',
  'Zip',
  'External ID',
  'Notes',
  'Sales rep',
  'Status',
  'Created',
  'Monthly bill',
  'Stage',
  'Contract price',
  'Something else',
]
/** What people and programs leave in cells. */
const nasty = fc.constantFrom(
  '',
  ' ',
  '\u00a0',
  '=cmd|calc!A1',
  '-1+1',
  '@SUM(A1)',
  '#REF!',
  'NULL',
  'null',
  '0',
  '-5',
  '1e309',
  '182,50',
  '1.234,50',
  '$1,234.50',
  '31/12/2025',
  '02/30/2026',
  '2026-02-30',
  '45291',
  '9999-12-31',
  'sold',
  'Sold',
  'Design',
  "O'Brien; drop table leads",
  '"quoted"',
  'line\nend',
  'carriage\rreturn',
  '\ttab',
  '\u202egnirts',
  '\u0000',
  'ﬀ\u0301',
  'İ@brİghtridge.com',
  'a@b',
  'ada@example.com',
  '+1 (619) 555-0100 ext. 4',
  '☀️'.repeat(300),
  'x'.repeat(25_000),
  '__proto__',
  'constructor',
)
const cell = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom('Ada', 'Moreno', '1 Market St', 'San Diego', 'CA', '92101') },
  { weight: 2, arbitrary: nasty },
  fc.string({ maxLength: 30, unit: 'binary' }),
)
const table = fc.record({
  // Mostly what a lead needs, at first.
  header: fc
    .tuple(fc.boolean(), fc.uniqueArray(fc.nat(labels.length - 1), { minLength: 1, maxLength: 12 }))
    .map(([whole, places]) => [...new Set([...(whole ? [0, 1, 4, 5, 6, 7] : []), ...places])]),
  doubled: fc.boolean(),
  rows: fc.array(fc.array(cell, { maxLength: 14 }), { minLength: 1, maxLength: 25 }),
  delimiter: fc.constantFrom(',', ';', '\t'),
  lineEnd: fc.constantFrom('\n', '\r\n'),
  bom: fc.boolean(),
  unclosed: fc.boolean(),
})

const wellFormed = {
  header: [0, 1, 4, 5, 6, 7],
  doubled: false,
  rows: [['Ada', 'Moreno', '1 Market St', 'San Diego', 'CA', '92101']],
  delimiter: ',',
  lineEnd: '\n',
  bom: false,
  unclosed: false,
}

const written = (text: string) => (/[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

test('whatever is in a table, it is taken or refused with a reason, row by row, and nothing breaks', async () => {
  let taken = 0
  const until = performance.now() + 12_000
  await fc.assert(
    fc.asyncProperty(table, async ({ header, doubled, rows, delimiter, lineEnd, bom, unclosed }) => {
      // Bounded in time, once something was taken: a slow machine tries fewer tables.
      if (taken > 0 && performance.now() > until) return
      const names = header.map((place) => labels[place]!)
      if (doubled) names.push(names[0]!)
      const lines = [names, ...rows].map((cells) => cells.map(written).join(delimiter))
      const text = `${bom ? '\ufeff' : ''}${lines.join(lineEnd)}${unclosed ? `${lineEnd}"Ada` : ''}`
      const sent = await app.send('PUT', '/console/api/imports?name=leads.csv', {
        raw: Buffer.from(text),
        headers: { cookie: admin.cookie, 'x-sunstead-console': '1' },
      })
      assert.ok([201, 400].includes(sent.status), `${sent.status} ${sent.text}`)
      if (sent.status === 400) {
        assert.ok(sent.body.error.message.length > 10, sent.text)
        return
      }
      const path = `/imports/${sent.body.id}`
      const settled = async () => {
        for (const limit = Date.now() + 60_000; Date.now() < limit; await wait(25)) {
          const found = (await admin.get(path)).body
          if (!['checking', 'running', 'undoing'].includes(found.state)) return found
        }
        throw new Error('the import does not come to an end')
      }
      const { columns } = (await admin.get(path)).body
      const mapping = columns.map(({ field }: { field: string | null }) => field)
      const checked = await admin.call('POST', `${path}/check`, { body: { mapping } })
      assert.ok([200, 400].includes(checked.status), checked.text)
      if (checked.status === 400) return
      const ready = await settled()
      assert.equal(ready.state, 'checked', String(ready.failure))
      const begun = await admin.call('POST', `${path}/start`, { body: { again: true } })
      const started = begun.status === 400 ? await admin.call('POST', `${path}/start`) : begun
      assert.ok([200, 400].includes(started.status), started.text)
      if (started.status === 400) return
      const done = await settled()
      assert.equal(done.state, 'done', String(done.failure))
      const { made, updated, unchanged, refused, rowsTotal } = done
      assert.equal(made + updated + unchanged + refused, rowsTotal)
      taken += made
    }),
    {
      // One that is well, so that something is taken whatever chance brings.
      examples: [[wellFormed]],
      numRuns: 25,
      endOnFailure: true,
    },
  )
  assert.ok(taken > 0)
  // Whatever came in is read by all interfaces.
  const { key } = world.installer
  for (const path of ['/v1/leads?limit=100', '/v1/projects?limit=100', '/legacy/fetch_leads?page=1']) {
    const read = await app.get(path, key)
    assert.ok(read.status === 200 || read.status === 404, `${path}: ${read.text.slice(0, 300)}`)
  }
})
