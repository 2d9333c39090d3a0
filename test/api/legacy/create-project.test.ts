import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkRenderings } from '../../../src/domain/deals/renderings/rerender.ts'
import { patchStage } from '../../../src/domain/tenants/ladders/patch-stage.ts'
import { startAppWithFiles } from '../../support/app-with-files.ts'
import { adder, createWorld, equipment, member } from '../../support/factories.ts'
import { expected, solarLead, solarProject } from '../../support/legacy-reading.ts'
import { newProject } from '../../support/new-project.ts'

const { app, at, asked } = await startAppWithFiles()
const { db, rows } = app.database
const world = await createWorld(db)
const { installer } = world
const { key } = installer
const tenant = installer.company.id

const panel = await equipment(installer, 1, {
  kind: 'panel',
  manufacturer: 'Qcells',
  model: 'Q.TRON 400',
  default: true,
  watts: '400',
  efficiencyPercent: '21.4',
  warrantyYears: 25,
})
const inverter = await equipment(installer, 2, {
  kind: 'inverter',
  manufacturer: 'Enphase',
  model: 'IQ8+',
  default: false,
  ratedOutputWatts: '290',
  efficiencyPercent: null,
  microinverter: true,
  warrantyYears: 25,
})
const people = {
  rep: await member(world, installer, 'Ron Rep'),
  setter: await member(world, installer, 'Selma Lind', 'setter'),
}

const post = (body: object, as = key) => app.call('POST', '/legacy/create_project', { key: as, body })
async function created(body: object, as = key) {
  const answer = await post(body, as)
  assert.equal(answer.status, 200, answer.text)
  const { success, message, data, ...rest } = answer.body
  assert.deepEqual([success, Object.keys(data), rest], [true, ['project_id', 'lead_id'], {}])
  const lead = (await app.get(`/v1/leads/${data.lead_id}`, as)).body
  const project = (await app.get(`/v1/projects/${data.project_id}`, as)).body
  return { message: message as string, data, lead, project }
}
/** Both legacy readings are what /v1 says. */
async function assertAgree({ data, lead, project }: Awaited<ReturnType<typeof created>>): Promise<void> {
  const reading = { lead, project, zone: 'America/Denver' }
  const shown = (await app.get(`/legacy/fetch_project?id=${data.project_id}`, key)).body
  assert.equal(shown.id, data.project_id)
  const allFilesURL = expected(solarProject, reading).allFilesURL
  assert.deepEqual({ ...shown.data, allFilesURL }, expected(solarProject, reading))
  const shownLead = (await app.get(`/legacy/fetch_lead?id=${data.lead_id}`, key)).body
  assert.deepEqual(shownLead, { id: data.lead_id, ...expected(solarLead, reading) })
}

test('the least that it takes makes a sold lead and its project, read alike in both worlds', async () => {
  const made = await created(newProject(installer))
  const { data, lead, project, message } = made
  assert.match(data.project_id, /^[A-Za-z0-9]{10}$/)
  assert.match(data.lead_id, /^[A-Za-z0-9]{10}$/)
  assert.match(message, /nobody@example\.com, Nobody/)
  assert.deepEqual(
    [lead.reference, lead.productLine, lead.status, lead.project],
    [data.lead_id, 'solar', 'sold', { id: project.id, reference: data.project_id }],
  )
  assert.deepEqual(
    [project.reference, project.leadId, project.customer],
    [data.project_id, lead.id, lead.customer],
  )
  assert.deepEqual(lead.customer, {
    firstName: 'Ada',
    lastName: 'Moreno',
    email: 'ada@example.com',
    phone: '(619) 555-0100',
  })
  const place = { line1: '1 Market St', line2: 'Unit 4', city: 'San Diego', state: 'CA', postalCode: '92101' }
  assert.deepEqual(lead.address, { ...place, country: 'US' })
  assert.deepEqual([project.salesRep, project.setter], [null, null])
  assert.deepEqual(project.contract, { signedAt: null, price: 28728.5, files: [] })
  const nothing = { lender: null, amount: null, aprPercent: null, termMonths: null }
  assert.deepEqual(project.financing, {
    type: 'cash',
    ...nothing,
    monthlyPayment: null,
    dealerFeePercent: null,
  })
  assert.deepEqual(project.system, {
    sizeKw: 8.4,
    annualProductionKwh: 12650.5,
    panels: { count: null, manufacturer: null, model: null },
    inverters: { count: null, manufacturer: null, model: null, name: null, microinverter: false },
    batteries: null,
    pricePerWatt: { base: 2.95, final: 3.42 },
    adders: [],
  })
  const today = new Intl.DateTimeFormat('sv', { timeZone: 'America/Denver' }).format(new Date(project.soldAt))
  assert.deepEqual([project.stage.name, project.milestones], ['Sold', { contractSigned: today }])
  assert.ok(Math.abs(Date.now() - Date.parse(project.soldAt)) < 60_000)
  assert.ok(Object.values(project.files).every((files) => (files as string[]).length === 0))
  await assertAgree(made)
})

test('everything that it takes is there: system, adders by their units, financing, stage, photos', async () => {
  const [stage] = await rows<{ id: string }>(
    "select id from stages where installer_id = $1 and name = 'Permitting'",
    [tenant],
  )
  const message = { subject: '{firstName}: {stage}', body: '{company} says hello' }
  await patchStage(db, new Date(), tenant, stage!.id, { alerts: ['salesRep'], messages: [message] })
  await adder(installer, 1, { name: 'Critter guard', unit: 'perPanel', unitPrice: '35' })
  const trench = await adder(installer, 2, { name: 'Trenching', unit: 'perFoot', unitPrice: '10.1' })
  await adder(installer, 3, { name: 'Steep roof', unit: 'perWatt', unitPrice: '0.0375' })
  await adder(installer, 4, { name: 'Upgrade', unit: 'flat', unitPrice: '2500.1' })
  await adder(installer, 5, { name: 'EV charger', unit: 'each', unitPrice: '0.1' })
  const made = await created(
    newProject(installer, {
      sales_rep: 'ron rep',
      setter: people.setter.id,
      panel_profile_id: panel.id,
      panel_count: '21',
      inverter_profile_id: inverter.id,
      inverter_count: 21,
      adders: [
        'critter GUARD',
        { id: trench.id, quantity: 0.35 },
        'Steep roof',
        { name: 'Upgrade' },
        { name: 'EV charger', quantity: 3 },
      ],
      financing_type: 'PPA',
      term_years: '12.5',
      apr: 5.49,
      lease_ppa_rate: '0.1625',
      escalator_rate: '2.9',
      pre_itc_payment: '150.25',
      project_stage: 'permitting',
      site_survey_photos: [at('/roof.png'), at('/main%20panel.pdf'), at('/roof.png')],
    }),
  )
  const { lead, project } = made
  assert.equal(made.message, 'Project created.')
  assert.deepEqual([lead.salesRep.name, lead.setter.name], ['Ron Rep', 'Selma Lind'])
  assert.deepEqual(project.system.panels, { count: 21, manufacturer: 'Qcells', model: 'Q.TRON 400' })
  assert.deepEqual(project.system.inverters, {
    count: 21,
    manufacturer: 'Enphase',
    model: 'IQ8+',
    name: 'Enphase IQ8+',
    microinverter: true,
  })
  assert.deepEqual(project.system.adders, [
    { name: 'Critter guard', quantity: 21, total: 735 },
    { name: 'Trenching', quantity: 0.35, total: 3.54 },
    { name: 'Steep roof', quantity: 8400, total: 315 },
    { name: 'Upgrade', quantity: 1, total: 2500.1 },
    { name: 'EV charger', quantity: 3, total: 0.3 },
  ])
  const { type, termMonths, aprPercent, monthlyPayment } = project.financing
  assert.deepEqual([type, termMonths, aprPercent, monthlyPayment], ['ppa', 150, 5.49, 150.25])
  const [kept] = await rows<{ financing: object; system: object }>(
    'select financing, system from projects where id = $1',
    [project.id],
  )
  assert.partialDeepStrictEqual(kept!.financing, { rate: '0.1625', escalatorPercent: '2.9' })
  assert.partialDeepStrictEqual(kept!.system, {
    annualConsumptionKwh: '11800',
    pricePerWatt: { adders: '0.47' },
  })

  assert.deepEqual(
    [project.stage.name, Object.keys(project.milestones)],
    ['Permitting', ['plansetCompleted']],
  )
  const items = await rows('select label from checklist_items where project_id = $1 order by ordinal', [
    project.id,
  ])
  assert.deepEqual(items, [
    { label: 'Permit application sent' },
    { label: 'Interconnection application sent' },
  ])
  const told = await rows('select member_id from notifications where project_id = $1', [project.id])
  assert.deepEqual(told, [{ member_id: people.rep.id }])
  const mails = await rows<{ to_address: string; subject: string }>(
    'select to_address, subject from mails order by id',
  )
  assert.deepEqual(
    mails.map((m) => [m.to_address, m.subject]),
    [
      [people.rep.email, 'Ada Moreno’s project is now in Permitting'],
      ['ada@example.com', 'Ada: Permitting'],
    ],
  )

  const names = project.files.siteSurvey.map((url: string) => url.split('/').at(-1))
  assert.deepEqual([names, asked.length], [['roof.png', 'main%20panel.pdf'], 2])
  for (const url of project.files.siteSurvey)
    assert.equal((await app.send('GET', url.slice(app.url.length))).status, 200)
  const feed = (await app.get(`/v1/leads/${lead.id}/activities`, key)).body.data as Record<string, string>[]
  assert.deepEqual(
    feed.toReversed().map((a) => a.type),
    ['leadCreated', 'assigned', 'projectCreated', 'alert', 'message', 'fileAdded', 'fileAdded'],
  )
  assert.equal(feed.at(-2)!.body, 'Assigned to Ron Rep (sales rep) and Selma Lind (setter)')
  assert.ok(feed.every((a) => a.author === 'Sunrise Solar CRM' && a.createdAt === lead.updatedAt))
  const events = await rows<{ type: string; subject_id: string }>(
    'select type, subject_id from events where lead_id = $1 order by at, ordinal',
    [lead.id],
  )
  assert.deepEqual(
    events.map((e) => e.type),
    ['lead.created', 'project.created', 'file.added', 'file.added'],
  )
  assert.deepEqual(
    events.slice(0, 2).map((e) => e.subject_id),
    [lead.id, project.id],
  )
  await assertAgree(made)
})

test('the way of paying is as named, or what the other fields speak of', async () => {
  const cases: [object, string, number | null][] = [
    [{}, 'cash', null],
    [{ financing_type: 'Lease', lease_ppa_rate: '120' }, 'lease', null],
    [{ financing_type: '', lease_ppa_rate: '0.15', term_years: 25 }, 'ppa', 300],
    [{ apr: 0 }, 'loan', null],
    [{ term_years: '20' }, 'loan', 240],
    [{ financing_type: 'cash', term_years: '', apr: 3 }, 'cash', null],
  ]
  for (const [more, type, termMonths] of cases) {
    const { financing } = (await created(newProject(installer, more))).project
    assert.deepEqual([financing.type, financing.termMonths], [type, termMonths], JSON.stringify(more))
  }
})

test('an adder is found by its name in any letters', async () => {
  await adder(installer, 6, { name: 'Éclairage ÜBER 日本', unit: 'flat', unitPrice: '12' })
  for (const name of ['Éclairage ÜBER 日本', 'éclairage über 日本', ' ÉCLAIRAGE ÜBER 日本 ']) {
    const { project } = await created(newProject(installer, { adders: [name] }))
    assert.deepEqual(project.system.adders, [{ name: 'Éclairage ÜBER 日本', quantity: 1, total: 12 }])
  }
})

test('an adder counted by panels has no total where their number is not known', async () => {
  await adder(installer, 7, { name: 'Bird mesh', unit: 'perPanel', unitPrice: '12' })
  const { project, data } = await created(newProject(installer, { adders: ['bird mesh'] }))
  assert.equal(project.system.adders[0].total, null)
  const shown = (await app.get(`/legacy/fetch_project?id=${data.project_id}`, key)).body.data
  assert.deepEqual([shown.adders, shown.addersCost], [['Bird mesh'], ''])
})

test('an address is read into its parts, or kept whole', async () => {
  const whole = 'Behind the old mill, third gate'
  const made = await created(newProject(installer, { address: whole }))
  const nothing = { line2: null, city: null, state: null, postalCode: null, country: null }
  assert.deepEqual(made.project.address, { line1: whole, ...nothing })
  const { data } = (await app.get(`/legacy/fetch_project?id=${made.data.project_id}`, key)).body
  assert.deepEqual([data.customerAddress, data.customerStreet, data.customerCity], [whole, whole, ''])
  const { lead } = await created(newProject(installer, { address: '350 5th Ave Apt 4B New York NY 10118' }))
  assert.deepEqual([lead.address.line2, lead.address.city], ['Apt 4B', 'New York'])
})

test('no rendering is stale', async () => {
  const { checked, stale } = await checkRenderings(db, new Date(), tenant, false)
  assert.deepEqual([checked > 10, stale], [true, []])
})
