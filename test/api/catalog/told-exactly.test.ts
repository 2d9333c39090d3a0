import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { withBaseUrl } from '../../../src/domain/deals/renderings/rendering.ts'
import { startApp } from '../../support/app.ts'
import { createWorld, leadBody, project } from '../../support/factories.ts'
import { draftBody, invoicesPath } from '../../support/invoices.ts'
import { at } from '../../support/meters.ts'
import { installation, panel } from '../../support/panels.ts'
import { webhookIn } from '../../support/watched.ts'

const app = await startApp()
const world = await createWorld(app.database.db)
const { installer } = world
const { key } = installer
await webhookIn(app.database, installer)
await app.database.rows(`update webhooks set events = '{*}', status = 'disabled'`)
await app.database.rows('update tenant_clocks set directory_version = directory_version + 1')

const call = (method: string, path: string, body?: unknown) =>
  app.call(method, path, { key, ...(body === undefined ? {} : { body }) })

interface Told {
  type: string
  data: Record<string, unknown> & { version: number; previous: Record<string, unknown> }
}

async function toldOf(id: string): Promise<Told[]> {
  const rows = await app.database.rows<{ body: string }>(
    'select body from webhook_messages where subject_id = $1 order by number',
    [id],
  )
  return rows.map(({ body }) => JSON.parse(withBaseUrl(body, app.url)))
}

/** Moves with every change, so nothing is said of it; and what one event has beside its record. */
const beside = ['updatedAt', 'updated_at', 'version', 'previous', 'payment']
const recordIn = (data: object) =>
  Object.fromEntries(Object.entries(data).filter(([name]) => !beside.includes(name)))

/**
 * Each message with what was before put back is the message before it, its version is higher, or the same where both tell
 * of one change, and the last one is what the API reads now.
 */
async function assertExact(id: string, path: string): Promise<void> {
  const told = await toldOf(id)
  assert.ok(told.length > 0, id)
  const [first, ...others] = told as [Told, ...Told[]]
  assert.deepEqual(first.data.previous, {}, 'what is new was nothing before')
  let before = first
  for (const next of others) {
    const sameChange = next.data.version === before.data.version
    assert.ok(next.data.version >= before.data.version, `${next.type}: ${next.data.version}`)
    if (sameChange) assert.deepEqual(recordIn(next.data), recordIn(before.data), next.type)
    else if (!next.type.endsWith('.deleted')) {
      const was = { ...recordIn(next.data), ...next.data.previous }
      assert.deepEqual(was, recordIn(before.data), `${before.type} → ${next.type}`)
      const same = Object.keys(next.data.previous).filter(
        (name) => JSON.stringify(next.data.previous[name]) === JSON.stringify(next.data[name]),
      )
      assert.deepEqual(same, [], `${next.type}: said to have changed`)
    }
    before = next
  }
  if (before.type.endsWith('.deleted')) return
  const read = await app.get(path, key)
  assert.equal(read.status, 200, path)
  assert.deepEqual(recordIn(before.data), recordIn(read.body), path)
}

const pick = fc.nat(50)
const word = fc.constantFrom(
  'Ada',
  'Bea',
  '',
  ' ',
  'Núñez',
  'O’Brien "the" {}',
  '\u{1F31E}',
  '}],"previous":{',
)

test('invoices: whatever is done with them, what was told adds up', async () => {
  const action = fc.oneof(
    fc.record({
      do: fc.constant('create' as const),
      price: fc.integer({ min: 0, max: 100 }),
      who: fc.nat(1),
    }),
    fc.record({ do: fc.constantFrom('finalize', 'void', 'delete', 'pay', 'part', 'patch'), at: pick, word }),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(action, { minLength: 6, maxLength: 20 }), async (actions) => {
      const ids: string[] = []
      const story = Math.random().toString(36).slice(2)
      const create = async (price: number, who: number) => {
        const customer = { name: `Who ${who} ${story}`, email: null }
        const line_items = [{ description: 'Visit', unit_price: price }]
        ids.push((await call('POST', invoicesPath, { ...draftBody, customer, line_items })).body.id)
      }
      await create(50, 0)
      for (const one of actions) {
        if (!('at' in one)) {
          await create(one.price, one.who)
          continue
        }
        const id = ids[one.at % ids.length]
        const path = `${invoicesPath}/${id}`
        const { status } =
          one.do === 'delete'
            ? await call('DELETE', path)
            : one.do === 'patch'
              ? await call('PATCH', path, {
                  line_items: [{ description: one.word || '-', unit_price: one.at }],
                })
              : one.do === 'part'
                ? await call('POST', `${path}/pay`, { amount: 1 + one.at })
                : await call('POST', `${path}/${one.do}`)
        assert.ok([200, 204, 400, 404].includes(status), `${one.do}: ${status}`)
      }
      for (const id of ids) await assertExact(id, `${invoicesPath}/${id}`)
    }),
    { numRuns: 12, interruptAfterTimeLimit: 8_000, markInterruptAsFailure: false, endOnFailure: true },
  )
})

test('leads and projects: whatever is done with them, what was told adds up', async () => {
  const action = fc.oneof(
    fc.record({
      do: fc.constant('lead' as const),
      field: fc.constantFrom('firstName', 'phone', 'notes', 'email'),
      word,
    }),
    fc.record({ do: fc.constant('address' as const), word }),
    fc.record({
      do: fc.constant('move' as const),
      stage: fc.constantFrom('Sold', 'Design', 'Permitting', 'Installed', 'Complete', 'Nowhere'),
    }),
    fc.record({
      do: fc.constant('project' as const),
      day: fc.constantFrom(null, '2026-07-01', '2026-07-02'),
    }),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(action, { minLength: 4, maxLength: 12 }), async (actions) => {
      const { leadId, projectId } = await project(installer)
      for (const one of actions) {
        const { status } =
          one.do === 'lead'
            ? await call('PATCH', `/v1/leads/${leadId}`, {
                [one.field]: one.field === 'email' ? '' : one.word,
              })
            : one.do === 'address'
              ? await call('PATCH', `/v1/leads/${leadId}`, {
                  address: { ...leadBody.address, line1: one.word || '2 Oak St' },
                })
              : one.do === 'move'
                ? await call('POST', `/v1/projects/${projectId}/stage`, { stage: one.stage })
                : await call('PATCH', `/v1/projects/${projectId}`, { installDate: one.day })
        assert.ok([200, 400].includes(status), `${one.do}: ${status}`)
      }
      await assertExact(leadId, `/v1/leads/${leadId}`)
      await assertExact(projectId, `/v1/projects/${projectId}`)
      const [site] = await app.database.rows<{ id: string }>(
        'select id from installations where project_id = $1',
        [projectId],
      )
      if (site) await assertExact(site.id, `/catalog/v1/installations/${site.id}`)
    }),
    { numRuns: 10, interruptAfterTimeLimit: 8_000, markInterruptAsFailure: false, endOnFailure: true },
  )
})

test('installations and panels: changed, moved and removed, what was told adds up', async () => {
  const site = await installation(app, installer, { region: 'US-CO', timezone: 'America/Denver' })
  const path = `/catalog/v1/installations/${site}`
  const first = await panel(app, installer, site)
  // Around midnight and the change of the clock, then another zone and back.
  const times = [
    '2026-03-08T06:59:00Z',
    '2026-03-08T07:00:00Z',
    '2026-03-08T09:30:00Z',
    '2026-03-09T05:59:00Z',
  ]
  const readings = times.map((time) => at(first, time, 0.01))
  await call('POST', '/catalog/v1/monitoring/readings', { readings })
  for (const body of [
    { timezone: 'America/New_York' },
    { name: 'Other' },
    { name: 'Other' },
    { region: 'US-CA', address: '2 Oak St' },
    { timezone: 'Pacific/Chatham', name: 'Third' },
    { timezone: 'America/Denver' },
  ])
    assert.equal((await call('PATCH', path, body)).status, 200, JSON.stringify(body))
  const second = await panel(app, installer, site, { name: 'Garage' })
  await call('PATCH', `/catalog/v1/panels/${second}`, { metadata: { a: 1, b: null } })
  await call('PATCH', `/catalog/v1/panels/${second}`, { status: 'maintenance', name: 'Shed' })
  await call('PATCH', `/catalog/v1/panels/${second}`, { metadata: { a: null } })
  await assertExact(second, `/catalog/v1/panels/${second}`)
  await call('DELETE', `/catalog/v1/panels/${second}`)
  await assertExact(second, '')
  await assertExact(site, path)
})
