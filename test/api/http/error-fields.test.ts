import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../support/app.ts'
import { createWorld, leadBody, project } from '../../support/factories.ts'
import { invoicesPath } from '../../support/invoices.ts'

const app = await startApp()
const { installer } = await createWorld(app.database.db)
const { key } = installer
const { projectId } = await project(installer)

const refused = async (method: string, path: string, body?: unknown) => {
  const answer = await app.call(method, path, { key, ...(body === undefined ? {} : { body }) })
  assert.equal(answer.status, 400, answer.text)
  return answer.body.error ?? answer.body
}
const paths = ({ fields = [] }: { fields?: { path: string }[] }) => fields.map(({ path }) => path).sort()

test('what a schema finds wrong is told field by field', async () => {
  const { address, ...rest } = leadBody
  const { line1: _, ...noLine1 } = address
  const wrong = await refused('POST', '/v1/leads', { ...rest, firstName: 7, address: noLine1, colour: 'red' })
  assert.deepEqual(paths(wrong), ['address.line1', 'colour', 'firstName'])
  const messages = new Map(
    wrong.fields.map((field: { path: string; message: string }) => [field.path, field.message]),
  )
  assert.deepEqual(
    [messages.get('address.line1'), messages.get('firstName')],
    ['is required', 'must be a text'],
  )
  for (const { path, message } of wrong.fields) assert.ok(wrong.message.includes(`${path} ${message}`))
  assert.deepEqual(paths(await refused('GET', '/v1/leads?limit=0&updatedSince=x')), ['limit', 'updatedSince'])
  const files = { folder: 'permit', files: [{ url: 'https://a.example/a.pdf' }, {}] }
  assert.deepEqual(paths(await refused('POST', `/v1/projects/${projectId}/files`, files)), ['files[1].url'])
})

test('and so is what a use case finds wrong', async () => {
  const files = { folder: 'permit', files: [{ url: 'http://127.0.0.1/a.pdf' }] }
  const file = await refused('POST', `/v1/projects/${projectId}/files`, files)
  assert.deepEqual(paths(file), ['files[0].url'])
  assert.match(file.message, /Nothing was added\.$/)
  assert.deepEqual(
    file.fields.map(({ message }: { message: string }) => message),
    [/(the address .*)\. Nothing/.exec(file.message)![1]],
  )
  assert.deepEqual(paths(await refused('POST', `/v1/projects/${projectId}/stage`, { stage: 'Moon' })), [
    'stage',
  ])
  assert.deepEqual(paths(await refused('POST', '/v1/leads', { ...leadBody, lastName: 'a\u0000' })), [
    'lastName',
  ])
})

test('the catalogue and the legacy interface name fields as they call them', async () => {
  const panel = { name: 'P1', capacity_kw: 0.4, installation_id: 'inst_unknown0000' }
  const unknown = await refused('POST', '/catalog/v1/panels', panel)
  assert.deepEqual(paths(unknown), ['installation_id'])
  const lines = [{ description: 'x', quantity: 1, unit_price: 1 }]
  const invoice = {
    customer: { name: 'Ada' },
    line_items: lines,
    period_start: '2026-02-01',
    period_end: '2026-01-01',
  }
  assert.deepEqual(paths(await refused('POST', invoicesPath, invoice)), ['period_end'])
  const { period_end: _, ...half } = invoice
  assert.deepEqual(paths(await refused('POST', invoicesPath, half)), ['period_end'])
  const start = '2026-06-01T00:00:00Z'
  for (const [path, field] of [
    ['panels?cursor=x', 'cursor'],
    [`panels?updated_since=${start}&cursor=x`, 'cursor'],
    [`panels?updated_since=${start}&page=2`, 'page'],
    [`monitoring/readings?start=${start}`, 'panel_id'],
  ])
    assert.deepEqual(paths(await refused('GET', `/catalog/v1/${path}`)), [field])
  const hook = await refused('POST', '/catalog/v1/webhooks', { url: 'https://127.0.0.1/x', events: ['*'] })
  assert.deepEqual(hook.fields, [
    { path: 'url', message: 'the address must not hold an IP address; use a public host name' },
  ])
  const legacy = await refused('POST', '/legacy/create-lead', { firstName: 'Ada' })
  assert.deepEqual(Object.keys(legacy), ['success', 'message', 'code', 'fields'])
  assert.ok(paths(legacy).includes('lastName'), JSON.stringify(legacy))
  assert.deepEqual(
    paths(await refused('POST', `/legacy/update_stage?id=${projectId}&project_stage_name=Moon`)),
    ['project_stage_name'],
  )
})

test('where no field is at fault there are none', async () => {
  for (const body of [[], 'text', 7])
    assert.equal('fields' in (await refused('POST', '/v1/leads', body)), false)
  const missing = await app.get('/v1/leads/lead_unknown0000', key)
  assert.deepEqual([missing.status, 'fields' in missing.body.error], [404, false])
})
