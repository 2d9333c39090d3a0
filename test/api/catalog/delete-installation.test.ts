import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runMonth } from '../../../src/domain/billing/runs/run-month.ts'
import { findAlerts } from '../../../src/domain/sites/alerts/find-alerts.ts'
import { as, during, site as roof, time } from '../../domain/sites/alerts/roof.ts'
import { store } from '../../domain/sites/alerts/store.ts'
import { startApp } from '../../support/app.ts'
import { energy, send } from '../../support/energy.ts'
import { createWorld, project } from '../../support/factories.ts'
import { draftBody, invoiceIn, invoicesPath, plan, plansPath } from '../../support/invoices.ts'
import { installation, panel, panelBody, wholeList } from '../../support/panels.ts'

const app = await startApp()
const { db, rows } = app.database
const { installer, dealer, sister, other } = await createWorld(db)
const { key } = installer
const path = '/catalog/v1/installations'
const remove = (id: string, as = key) => app.call('DELETE', `${path}/${id}`, { key: as })
const readings = (panelId: string, kwh: number) => [
  { panel_id: panelId, timestamp: '2026-06-15T18:00:00Z', kwh },
  { panel_id: panelId, timestamp: '2026-06-15T19:00:00Z', kwh },
]
const june = { start_date: '2026-06-01', end_date: '2026-06-30' }
const eventsAfter = (at: Date) =>
  rows<{ type: string; subject_id: string; data: Record<string, unknown> }>(
    'select type, subject_id, data from events where installer_id = $1 and at > $2 order by at, ordinal',
    [installer.company.id, at],
  )
const clock = async () =>
  (
    await rows<{ now: Date }>('select now from tenant_clocks where installer_id = $1', [installer.company.id])
  )[0]!.now

test('it is gone with its panels, and what it made and was billed stays', async () => {
  const site = await installation(app, installer)
  const panels = [await panel(app, installer, site), await panel(app, installer, site)]
  await send(app, key, readings(panels[0]!, 0.3))
  const invoice = await invoiceIn(app, key, 'open', { ...draftBody, installation_id: site })
  const draft = await invoiceIn(app, key, 'draft', { ...draftBody, installation_id: site })
  const before = await energy(app, key, june)
  const [listed, panelsListed] = [
    await wholeList(app, key, path),
    await wholeList(app, key, '/catalog/v1/panels'),
  ]
  const since = await clock()

  const answer = await remove(site)
  assert.deepEqual([answer.status, answer.text], [204, ''])
  assert.equal((await remove(site)).status, 404)
  assert.equal((await app.get(`${path}/${site}`, key)).status, 404)
  for (const id of panels) assert.equal((await app.get(`/catalog/v1/panels/${id}`, key)).status, 404)
  assert.equal((await wholeList(app, key, path)).length, listed.length - 1)
  assert.equal((await wholeList(app, key, '/catalog/v1/panels')).length, panelsListed.length - 2)
  for (const list of ['panels', 'monitoring/alerts', 'billing/invoices', 'monitoring/quarantine'])
    assert.equal((await app.get(`/catalog/v1/${list}?installation_id=${site}`, key)).status, 404, list)
  const ofSite = new URLSearchParams({ ...june, installation_id: site })
  assert.equal((await app.get(`/catalog/v1/monitoring/energy?${ofSite}`, key)).status, 404)

  assert.deepEqual((await energy(app, key, june)).data, before.data)
  for (const id of [invoice, draft]) {
    const { status, body } = await app.get(`${invoicesPath}/${id}`, key)
    assert.deepEqual([status, body.installation_id], [200, site])
  }
  const finalized = await app.call('POST', `${invoicesPath}/${draft}/finalize`, { key })
  assert.equal(finalized.status, 200)
  assert.equal((await app.get(`${invoicesPath}/${draft}/pdf`, key)).status, 200)

  const told = (await eventsAfter(since)).filter(({ type }) => type.endsWith('.deleted'))
  assert.deepEqual(
    told.map(({ type, subject_id }) => [type, subject_id]),
    [...panels.map((id) => ['panel.deleted', id]), ['installation.deleted', site]],
  )
  assert.deepEqual([told[2]!.data['panel_count'], told[2]!.data['version']], [2, 4])
})

test('nothing can be put into it, measured at it or billed for it any more', async () => {
  const site = await installation(app, installer)
  const own = await panel(app, installer, site)
  await remove(site)
  const made = await app.call('POST', '/catalog/v1/panels', { key, body: panelBody(site) })
  assert.equal(made.status, 400)
  assert.match(made.body.error.message, /^installation_id/)
  const taken = await send(app, key, readings(own, 0.1))
  assert.deepEqual([taken.accepted, taken.rejected_count], [0, 2])
  assert.equal((await app.call('PATCH', `${path}/${site}`, { key, body: { name: 'X' } })).status, 404)
  assert.equal((await app.get(`${plansPath}/${site}`, key)).status, 404)
  const drafted = await app.call('POST', invoicesPath, { key, body: { ...draftBody, installation_id: site } })
  assert.equal(drafted.status, 400)
})

test('its alerts are resolved and none is found any more', async () => {
  const ids = await store(app.database, installer.company, [
    roof([as(1), as(1), as(1), as(1), during(20, 40, 0)]),
  ])
  await findAlerts(db, installer.company.id, time(0, 20.6 * 24))
  const open = await wholeList(app, key, '/catalog/v1/monitoring/alerts?status=active')
  const [alert] = open.filter(({ panel_id }) => panel_id === ids.get('p4'))
  const since = await clock()
  await remove(alert!.installation_id)
  const { body } = await app.get(`/catalog/v1/monitoring/alerts/${alert!.id}`, key)
  assert.equal(body.status, 'resolved')
  assert.equal(body.updated_at, body.resolved_at)
  const told = (await eventsAfter(since)).filter(({ type }) => type === 'alert.resolved')
  assert.deepEqual(
    told.map(({ subject_id }) => subject_id),
    [alert!.id],
  )
  await findAlerts(db, installer.company.id, time(0, 24 * 24))
  const after = await wholeList(app, key, '/catalog/v1/monitoring/alerts?status=active')
  assert.ok(after.every(({ installation_id }) => installation_id !== alert!.installation_id))
})

test('what is quarantined of it is dropped', async () => {
  const site = await installation(app, installer)
  const own = await panel(app, installer, site)
  const taken = await send(app, key, [{ panel_id: own, timestamp: '2026-06-15T18:00:00Z', kwh: 500 }])
  assert.equal(taken.quarantined, 1)
  const waiting = (await app.get('/catalog/v1/monitoring/quarantine', key)).body.meta.total
  await remove(site)
  assert.equal((await app.get('/catalog/v1/monitoring/quarantine', key)).body.meta.total, waiting - 1)
})

test('its billing ends with the day, and what it made until then is drafted', async () => {
  const site = await installation(app, installer, { timezone: 'America/Denver' })
  const own = await panel(app, installer, site)
  await plan(installer, site, { startDate: '2026-06-01', rate: '0.1', completenessPercent: '0' })
  await send(app, key, readings(own, 0.5))
  const plans = await wholeList(app, key, plansPath)
  assert.ok(plans.some(({ installation_id }) => installation_id === site))
  await remove(site)
  assert.equal((await wholeList(app, key, plansPath)).length, plans.length - 1)
  await runMonth(db, new Date(), { month: '2026-06', installer: installer.company.id })
  const invoices = await wholeList(app, key, invoicesPath)
  const drafted = invoices.filter(({ installation_id }) => installation_id === site)
  assert.deepEqual(
    drafted.map(({ status, period_start, amount_due }) => [status, period_start, amount_due]),
    [['draft', '2026-06-01', 0.1]],
  )
})

test('a dealer deletes its own, its installer too, and nobody else', async () => {
  const site = await installation(app, dealer)
  for (const { key: stranger } of [sister, other]) assert.equal((await remove(site, stranger)).status, 404)
  const installers = await installation(app, installer)
  assert.equal((await remove(installers, dealer.key)).status, 404)
  assert.equal((await remove(site, dealer.key)).status, 204)
  assert.equal((await remove(await installation(app, dealer))).status, 204)
})

test('a project that had become it can become another one', async () => {
  const { projectId } = await project(installer)
  const move = (stage: string) =>
    app.call('POST', `/v1/projects/${projectId}/stage`, { key, body: { stage } })
  const siteOf = async () =>
    (await app.get(`/legacy/fetch_project?id=${projectId}`, key)).body.data.projectSiteId as string
  await move('Installed')
  const first = await siteOf()
  assert.match(first, /^inst_/)
  const before = (await app.get(`/v1/projects/${projectId}`, key)).body.updatedAt
  assert.equal((await remove(first)).status, 204)
  assert.equal(await siteOf(), '')
  assert.ok((await app.get(`/v1/projects/${projectId}`, key)).body.updatedAt > before)
  await move('Inspection')
  await move('Installed')
  const second = await siteOf()
  assert.match(second, /^inst_/)
  assert.notEqual(second, first)
  assert.equal((await app.get(`${path}/${second}`, key)).body.project_id, projectId)
})

test('two at once delete it once', async () => {
  const site = await installation(app, installer)
  await panel(app, installer, site)
  const statuses = (await Promise.all([remove(site), remove(site), remove(site)])).map(({ status }) => status)
  assert.deepEqual(statuses.sort(), [204, 404, 404])
})
