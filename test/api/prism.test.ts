import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { findAlerts } from '../../src/domain/sites/alerts/find-alerts.ts'
import { as, during, site, time } from '../domain/sites/alerts/roof.ts'
import { store } from '../domain/sites/alerts/store.ts'
import { startApp } from '../support/app.ts'
import { createWorld, keyFor, lead, leadBody, project } from '../support/factories.ts'
import { startHttpsServer } from '../support/https-server.ts'
import { draftBody, plan } from '../support/invoices.ts'
import { goodValues, legacyOperations, placesOf, stockOf } from '../support/legacy-operations.ts'
import { installationBody, panelBody } from '../support/panels.ts'
import { startPrism } from '../support/prism.ts'
import { png } from '../support/sample-files.ts'

const outside = await startHttpsServer((_request, response) => response.end(png))
const app = await startApp({
  env: { OUTBOUND_TRUSTED_HOSTS: `localhost:${outside.port}` },
  outside: { ca: outside.ca },
})
after(() => outside.close())
const { db, rows } = app.database
const world = await createWorld(db)
const { installer } = world
const { key } = installer
const readOnly = (await keyFor(world, installer, { access: 'read' })).secret
const stock = await stockOf(world, `${outside.url}/roof.png`)

type Prism = Awaited<ReturnType<typeof startPrism>>

/** Each operation without a key, with one that may only read, and about what is not there. */
async function refusals({ call, operations }: Prism): Promise<void> {
  for (const id of operations) {
    assert.equal((await call(id)).status, 401, id)
    for (const as of [key, readOnly]) {
      const { status } = await call(id, { key: as, query: { nonsense: 'x' } })
      assert.ok(status === 400 || status === 403 || status === 404 || status < 300, `${id} → ${status}`)
    }
  }
}

test('catalogue API: Prism finds every call and every answer as described', async () => {
  const prism = await startPrism(app, 'catalogue-api', '/catalog')
  const good = (id: string, options: Parameters<Prism['good']>[1] = {}) => prism.good(id, { key, ...options })

  const place = await good('createInstallation', { body: installationBody })
  const at = { installation_id: place.id }
  await good('changeInstallation', { at, body: { name: 'Cabin' } })
  await good('readInstallation', { at })
  await good('listInstallations', { query: { updated_since: '2026-01-01T00:00:00Z', per_page: '1' } })
  const panel = await good('createPanel', { body: panelBody(place.id, { metadata: { a: [1] } }) })
  await good('changePanel', { at: { panel_id: panel.id }, body: { status: 'maintenance' } })
  await good('readPanel', { at: { panel_id: panel.id } })
  for (const query of [{ status: 'maintenance' }, at, { updated_since: '2026-01-01T00:00:00Z' }])
    await good('listPanels', { query: query as Record<string, string> })

  const reading = (timestamp: string, kwh: number) => ({ panel_id: panel.id, timestamp, kwh })
  const readings = [
    reading('2026-06-15T18:00:00Z', 0.3),
    reading('2026-06-15T19:00:00Z', 500),
    reading('2026-06-15T20:00:00Z', 500),
    { panel_id: 'x', timestamp: 'x', kwh: 1 },
  ]
  await good('takeReadings', { body: { readings: readings.slice(0, 3) } })
  await good('listReadings', {
    query: { panel_id: panel.id, start: '2026-06-01T00:00:00Z', end: '2026-07-01T00:00:00Z' },
  })
  await good('readEnergy', { query: { start_date: '2026-06-01', end_date: '2026-06-30', ...at } })
  const { data: waiting } = await good('listQuarantine')
  await good('releaseQuarantinedReading', { at: { id: waiting[0].id } })
  await good('dropQuarantinedReading', { at: { id: waiting[1].id } })

  await store(app.database, installer.company, [site([as(1), as(1), as(1), as(1), during(20, 40, 0)])])
  await findAlerts(db, installer.company.id, time(0, 20.6 * 24))
  const { data: alerts } = await good('listAlerts')
  for (const id of ['readAlert', 'acknowledgeAlert', 'resolveAlert'])
    await good(id, { at: { id: alerts[0].id } })

  const invoice = await good('createInvoice', { body: { ...draftBody, installation_id: place.id } })
  const named = { at: { id: invoice.id } }
  await good('changeInvoice', { ...named, body: { due_date: '2027-01-31' } })
  await good('finalizeInvoice', named)
  await good('readInvoice', named)
  await good('readInvoicePdf', named)
  await good('payInvoice', { ...named, body: { amount: 1, method: 'check', reference: '1' } })
  await good('listInvoicePayments', named)
  await good('voidInvoice', named)
  await good('listInvoices', { query: at })
  const draft = await good('createInvoice', { body: draftBody })
  await good('deleteInvoice', { at: { id: draft.id } })
  const { data: credits } = await good('listCredits')
  await good('readCredit', { at: { id: credits[0].id } })
  await good('refundCredit', { at: { id: credits[0].id } })

  await good('setBillingPlan', { at, body: { kind: 'ppa', rate: 0.13, start_date: '2026-06-01' } })
  await good('readBillingPlan', { at })
  await good('listBillingPlans', { query: { kind: 'ppa' } })
  await plan(installer, place.id, { startDate: '2026-06-01' })
  await rows(
    `insert into billing_months (installer_id, installation_id, month, state, reason, at)
      values ($1, $2, '2026-06-01', 'held', 'Too little came in', now())`,
    [installer.company.id, place.id],
  )
  await good('releaseHeldMonth', { at: { ...at, month: '2026-06' }, body: { as: 'measured' } })
  await good('removeBillingPlan', { at })

  const url = `${outside.url}/hook`
  const hook = await good('createWebhook', { body: { url, events: ['panel.created'] } })
  const endpoint = { at: { webhook_id: hook.id } }
  await good('changeWebhook', { ...endpoint, body: { events: ['*'], status: 'disabled' } })
  await good('enableWebhook', endpoint)
  await good('testWebhook', endpoint)
  await good('rotateWebhookSecret', endpoint)
  await good('listWebhooks')
  await good('listWebhookDeliveries', endpoint)
  await good('redeliverWebhook', { ...endpoint, body: { since: '2026-01-01T00:00:00Z' } })
  await good('deleteWebhook', endpoint)
  const { status, found } = await prism.call('listPanels', { key, query: { per_page: 'ten' } })
  assert.deepEqual([status, found.map(({ location }) => location)], [400, [['request', 'query', 'per_page']]])
  await good('deletePanel', { at: { panel_id: panel.id } })
  await good('deleteInstallation', { at })
  assert.deepEqual(prism.missed(), [])
  await refusals(prism)
})

test('company-key API: Prism finds every call and every answer as described', async () => {
  const prism = await startPrism(app, 'company-key-api', '')
  const good = (id: string, options: Parameters<Prism['good']>[1] = {}) => prism.good(id, { key, ...options })

  for (const id of ['readMe', 'listStages', 'listMembers', 'listAdders', 'listEquipment']) await good(id)
  const { leadId } = await good('createLead', { body: { ...leadBody, externalId: 'prism-1' } })
  await good('createLead', { body: { ...leadBody, externalId: 'prism-1' } })
  await good('changeLead', { at: { id: leadId }, body: { notes: 'Gate code 4711', phone: null } })
  await good('readLead', { at: { id: leadId } })
  await good('writeNote', { at: { id: leadId }, body: { body: 'Called' } })
  await good('listActivities', { at: { id: leadId } })
  await good('batchLeads', { body: { items: [{ ...leadBody }, { id: leadId, notes: 'Twice' }] } })
  const system = {
    panels: { id: stock.panelId, count: 20 },
    inverters: { id: stock.inverterId, count: 20 },
    annualProductionKwh: 12_000,
  }
  const sale = { contract: { price: 23_940, signedAt: '2026-10-14' }, financing: { type: 'cash' }, system }
  await good('sellLead', { at: { id: await lead(installer) }, body: sale })

  const { projectId } = await project(installer)
  const at = { id: projectId }
  await good('moveStage', { at, body: { stage: 'Permitting' } })
  await good('changeProject', { at, body: { ntpGranted: true } })
  await good('readProject', { at })
  await good('readChecklist', { at })
  const files = [{ url: `${outside.url}/plan.png` }]
  await good('addFiles', { at, body: { folder: 'planset', files } })
  const { data } = await good('listFiles', { at })
  await good('deleteFile', { at: { ...at, fileId: data[0].id } })
  for (const query of [{ limit: '2' }, { updatedSince: '2026-01-01T00:00:00Z', expand: 'project' }])
    for (const id of ['listLeads', 'listProjects']) await good(id, { query: query as Record<string, string> })
  await good('listEvents', { query: { limit: '100' } })
  assert.deepEqual(prism.missed(), [])
  await refusals(prism)
})

test('legacy workflow API: Prism finds every call and every answer as described', async () => {
  const prism = await startPrism(app, 'legacy-workflow-api', '/legacy')
  const places = await placesOf(installer, installer)
  for (const operation of legacyOperations) {
    const id = operation.path.replace('/legacy/', '').replaceAll('-', '_')
    const values = goodValues(operation, places[operation.line], stock)
    await prism.good(id, {
      key,
      ...(operation.in === 'body' ? { body: values } : { query: values as Record<string, string> }),
    })
  }
  assert.deepEqual(prism.missed(), [])
  await refusals(prism)
})
