import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../support/app.ts'
import { createWorld, keyFor, lead, project } from '../../support/factories.ts'
import { lesserKeys } from '../../support/key-holders.ts'
import { connectAgent } from '../../support/mcp.ts'

const app = await startApp()
const world = await createWorld(app.database.db)
const { installer, dealer, other } = world
const keys = await lesserKeys(world)
const legacyOnly = (await keyFor(world, installer, { interfaces: ['legacy'] })).secret

const reading = [
  'get_catalogue',
  'get_energy',
  'get_lead',
  'get_project',
  'list_alerts',
  'list_changes',
  'list_installations',
  'list_invoices',
  'search',
  'today',
  'who_am_i',
]
const writing = [
  'attach_files',
  'bill',
  'handle_alert',
  'mark_as_sold',
  'move_stage',
  'save_lead',
  'schedule',
  'write_note',
]

async function offered(key: string) {
  const { client } = await connectAgent(app.url, key)
  return (await client.listTools()).tools
}
const names = async (key: string) => (await offered(key)).map(({ name }) => name).toSorted()

test('each key is offered what it may do', async () => {
  assert.deepEqual(await names(installer.key), [...reading, ...writing].toSorted())
  assert.deepEqual(await names(keys.readOnly), reading)
  const installers = ['attach_files', 'get_catalogue', 'move_stage', 'schedule']
  assert.deepEqual(
    await names(dealer.key),
    [...reading, ...writing].filter((name) => !installers.includes(name)).toSorted(),
  )
  assert.deepEqual(await names(keys.catalogOnly), [
    'bill',
    'get_energy',
    'handle_alert',
    'list_alerts',
    'list_installations',
    'list_invoices',
    'who_am_i',
  ])
  assert.deepEqual(await names(legacyOnly), ['who_am_i'])
})

test('tools are described: what they take and answer, and what they do', async () => {
  for (const { name, title, description, inputSchema, outputSchema, annotations } of await offered(
    installer.key,
  )) {
    assert.ok(title && description && description.length > 40, name)
    assert.equal(inputSchema.type, 'object', name)
    assert.equal(outputSchema?.type, 'object', name)
    assert.equal(annotations?.readOnlyHint, reading.includes(name), name)
    assert.doesNotMatch(JSON.stringify(inputSchema), /x-message/)
    const properties = Object.keys(inputSchema.properties ?? {})
    assert.equal(properties.includes('dry_run'), writing.includes(name), name)
    assert.equal(properties.includes('idempotency_key'), writing.includes(name), name)
  }
  const destructive = (await offered(installer.key)).filter(({ annotations }) => annotations?.destructiveHint)
  assert.deepEqual(destructive.map(({ name }) => name).toSorted(), ['bill', 'mark_as_sold', 'move_stage'])
})

test('a tool that is not offered cannot be called', async () => {
  const leadId = await lead(installer)
  const reader = await connectAgent(app.url, keys.readOnly)
  await assert.rejects(
    reader.client.callTool({ name: 'write_note', arguments: { id: leadId, text: 'Hello' } }),
    /not offered that tool/,
  )
  await assert.rejects(reader.client.callTool({ name: 'drop_tables', arguments: {} }), /no such tool/)
  const catalogue = await connectAgent(app.url, keys.catalogOnly)
  await assert.rejects(
    catalogue.client.callTool({ name: 'get_lead', arguments: { id: leadId } }),
    /not offered that tool/,
  )
  const { projectId } = await project(installer)
  assert.match(
    await catalogue.refused('bill', {
      project_id: projectId,
      line_items: [{ description: 'Cleaning', unit_price: 10 }],
    }),
    /^forbidden: project_id/,
  )
  const feed = (await app.get(`/v1/leads/${leadId}/activities`, installer.key)).body.data
  assert.equal(feed.length, 1)
})

test('who_am_i says whose key it is and what it may not', async () => {
  const me = await (await connectAgent(app.url, dealer.key)).does('who_am_i')
  assert.equal(me.company.name, 'Bright Doors')
  assert.equal(me.company.kind, 'dealer')
  assert.match(me.may[0], /only records of this dealer/)
  assert.match(me.today, /^\d{4}-\d\d-\d\d$/)
  const legacy = await (await connectAgent(app.url, legacyOnly, 'legacy')).does('who_am_i')
  assert.equal(legacy.may.length, 3)
  const reader = await (await connectAgent(app.url, keys.readOnly)).does('who_am_i')
  assert.ok(reader.may.some((right: string) => right.includes('only read')))
})

test('nobody sees what is others’', async () => {
  const { projectId, leadId } = await project(installer)
  const own = await project(dealer, { firstName: 'Zebulon' })
  for (const key of [dealer.key, other.key]) {
    const agent = await connectAgent(app.url, key)
    assert.match(
      await agent.refused('get_project', { id: projectId }),
      /^not_found: .* Look it up with search/,
    )
    assert.match(await agent.refused('get_lead', { id: leadId }), /^not_found/)
    assert.match(await agent.refused('write_note', { id: leadId, text: 'Mine' }), /^not_found/)
    await assert.rejects(agent.client.readResource({ uri: `sunstead://projects/${projectId}` }), /not found/i)
  }
  const sister = await connectAgent(app.url, world.sister.key)
  assert.deepEqual((await sister.does('search', { text: 'Zebulon' })).projects, [])
  const seller = await connectAgent(app.url, dealer.key)
  const { projects } = await seller.does('search', { text: 'Zebulon' })
  assert.deepEqual(
    projects.map(({ id }: { id: string }) => id),
    [own.projectId],
  )
})
