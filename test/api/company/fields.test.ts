import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { updateMember } from '../../../src/domain/tenants/members/update-member.ts'
import { startApp } from '../../support/app.ts'
import { address, createWorld, lead, member, project, system } from '../../support/factories.ts'
import { startHttpsServer } from '../../support/https-server.ts'
import { pdf } from '../../support/sample-files.ts'

const outside = await startHttpsServer((_request, response) => response.end(pdf))
const app = await startApp({
  env: { OUTBOUND_TRUSTED_HOSTS: `localhost:${outside.port}` },
  outside: { ca: outside.ca },
})
const world = await createWorld(app.database.db)
const { installer, dealer } = world
const { key } = installer
const team = {
  rep: await member(world, dealer, 'Rita Rep'),
  setter: await member(world, dealer, 'Sam Setter', 'setter'),
  manager: await member(world, installer, 'Mona Manager', 'manager'),
  surveyor: await member(world, installer, 'Sue Surveyor', 'surveyor'),
  sub: await member(world, installer, 'Bob Builder', 'subcontractor'),
}
const staff = ({ name, email, phone }: { name: string; email: string; phone: string | null }) => ({
  name,
  email,
  phone,
})
const coBorrower = { firstName: 'Luis', lastName: null, email: 'luis@example.com', phone: null }
const customer = { firstName: 'Ada', lastName: 'Moreno', email: 'ada@example.com', phone: '(619) 555-0100' }
const newLead = {
  ...customer,
  reference: 'LeadUid001',
  coBorrower,
  utility: { name: 'SDG&E', monthlyBill: '184.35' },
  source: { name: 'Web', subSource: 'Landing page' },
  externalId: 'crm-77',
  notes: 'Dog in the yard',
  salesRepEmail: team.rep.email,
  setterEmail: team.setter.email.toUpperCase(),
}
const financing = {
  type: 'loan' as const,
  lender: 'GoodLeap',
  amount: '28728.50',
  aprPercent: '4.99',
  termMonths: 300,
  monthlyPayment: '167.89',
  dealerFeePercent: '17.5',
}
const solar = await project(dealer, newLead, {
  reference: 'ProjUid001',
  financing,
  notes: 'Steep roof',
  projectManagerId: team.manager.id,
  siteSurveyorId: team.surveyor.id,
  subcontractorId: team.sub.id,
})
const hi = await project(installer, { productLine: 'hi' }, { contractSignedAt: null, contractPrice: null })
after(() => outside.close())

const now = /^20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
const recent = (text: string) => now.test(text) && Math.abs(Date.now() - Date.parse(text)) < 60_000

test('a lead has every field, with the values of its record', async () => {
  const { body } = await app.get(`/v1/leads/${solar.leadId}`, dealer.key)
  assert.ok(recent(body.createdAt) && recent(body.updatedAt))
  assert.deepEqual(body, {
    id: solar.leadId,
    reference: 'LeadUid001',
    productLine: 'solar',
    status: 'sold',
    archived: false,
    createdAt: body.createdAt,
    updatedAt: body.updatedAt,
    customer,
    coBorrower,
    address,
    utility: { name: 'SDG&E', monthlyBill: 184.35 },
    source: { name: 'Web', subSource: 'Landing page' },
    externalId: 'crm-77',
    notes: 'Dog in the yard',
    salesRep: staff(team.rep),
    setter: staff(team.setter),
    project: { id: solar.projectId, reference: 'ProjUid001' },
    links: { record: `${app.url}/leads/${solar.leadId}` },
  })
  const listed = (await app.get('/v1/leads', dealer.key)).body.data
  assert.deepEqual(listed, [body])
})

test('a lead with nothing known says null, never leaves a field out', async () => {
  const id = await lead(installer)
  const { body } = await app.get(`/v1/leads/${id}`, key)
  assert.deepEqual(
    [body.reference, body.coBorrower, body.externalId, body.notes, body.salesRep, body.setter, body.project],
    Array(7).fill(null),
  )
  assert.deepEqual(
    [body.status, body.utility, body.source],
    ['new', { name: null, monthlyBill: null }, { name: null, subSource: null }],
  )
  assert.deepEqual([body.customer.email, body.customer.phone], [null, null])
})

const row = (body: Record<string, unknown>) => {
  const keys = [
    'id',
    'reference',
    'leadId',
    'productLine',
    'stage',
    'soldAt',
    'updatedAt',
    'ntpGranted',
    'customer',
    'address',
  ]
  return Object.fromEntries(keys.map((name) => [name, body[name]]))
}
const noFiles = Object.fromEntries(
  'contract utilityBill identification material siteSurvey planset permit interconnection other homeInsurance installationPhoto internal'
    .split(' ')
    .map((folder) => [folder, []]),
)

test('a solar project has every field, a system and null products', async () => {
  const { body } = await app.get(`/v1/projects/${solar.projectId}`, key)
  assert.ok(recent(body.soldAt) && recent(body.updatedAt) && recent(body.stage.enteredAt))
  const day = new Intl.DateTimeFormat('sv', { timeZone: 'America/Denver' }).format(
    new Date(body.stage.enteredAt),
  )
  assert.match(body.stage.id, /^stg_\w{20,}$/)
  assert.match(body.links.proposal, new RegExp(`^${app.url}/proposals/[\\w-]{22,}$`))
  assert.deepEqual(body, {
    id: solar.projectId,
    reference: 'ProjUid001',
    leadId: solar.leadId,
    productLine: 'solar',
    stage: { id: body.stage.id, name: 'Sold', enteredAt: body.stage.enteredAt },
    soldAt: body.soldAt,
    updatedAt: body.updatedAt,
    ntpGranted: false,
    customer,
    address,
    coBorrower,
    notes: { customer: 'Dog in the yard', project: 'Steep roof' },
    company: { name: 'Bright Doors' },
    salesRep: staff(team.rep),
    setter: staff(team.setter),
    projectManager: staff(team.manager),
    siteSurveyor: staff(team.surveyor),
    subcontractor: staff(team.sub),
    contract: { signedAt: '2026-01-10T18:30:00.000Z', price: 28728.5, files: [] },
    financing: {
      type: 'loan',
      lender: 'GoodLeap',
      amount: 28728.5,
      aprPercent: 4.99,
      termMonths: 300,
      monthlyPayment: 167.89,
      dealerFeePercent: 17.5,
    },
    system: {
      ...system,
      sizeKw: 8.4,
      annualProductionKwh: 12650.5,
      batteries: { ...system.batteries, capacityKwh: 13.5 },
      pricePerWatt: { base: 2.95, final: 3.42 },
      adders: [
        { name: 'Main panel upgrade', quantity: 1, total: 2500 },
        { name: 'Trenching', quantity: 12.5, total: null },
      ],
    },
    products: null,
    milestones: { contractSigned: day },
    files: noFiles,
    links: { project: `${app.url}/projects/${solar.projectId}`, proposal: body.links.proposal },
  })
  assert.deepEqual((await app.get('/v1/projects', dealer.key)).body.data, [row(body)])
  assert.deepEqual(
    Object.keys((await app.get('/v1/projects', dealer.key)).body.data[0]),
    Object.keys(row(body)),
  )
})

test('an HI project has products and a null system', async () => {
  const { body } = await app.get(`/v1/projects/${hi.projectId}`, key)
  assert.equal(body.productLine, 'hi')
  assert.equal(body.system, null)
  assert.deepEqual(body.products, [
    { name: 'Roof', price: 15000 },
    { name: 'Gutters', price: null },
  ])
  assert.deepEqual(body.contract, { signedAt: null, price: null, files: [] })
  assert.deepEqual(body.financing, {
    type: 'cash',
    lender: null,
    amount: null,
    aprPercent: null,
    termMonths: null,
    monthlyPayment: null,
    dealerFeePercent: null,
  })
  assert.deepEqual(
    [body.projectManager, body.siteSurveyor, body.subcontractor, body.reference],
    [null, null, null, null],
  )
  assert.deepEqual(body.company, { name: 'Sunrise Solar' })
})

test("contract files are the contract folder's, and a dealer sees the internal folder empty", async () => {
  for (const folder of ['contract', 'internal', 'planset']) {
    const body = { folder, files: [{ url: `${outside.url}/${folder}.pdf`, name: `My ${folder} é.pdf` }] }
    const added = await app.call('POST', `/v1/projects/${solar.projectId}/files`, { key, body })
    assert.equal(added.status, 201, added.text)
  }
  const seen = (await app.get(`/v1/projects/${solar.projectId}`, key)).body
  const dealers = (await app.get(`/v1/projects/${solar.projectId}`, dealer.key)).body
  assert.equal(seen.files.contract.length, 1)
  assert.deepEqual(seen.contract.files, seen.files.contract)
  assert.equal(seen.files.internal.length, 1)
  assert.deepEqual(dealers, { ...seen, files: { ...seen.files, internal: [] } })
  assert.ok(!JSON.stringify(dealers).includes(seen.files.internal[0]))
  const feed = (await app.get(`/v1/leads/${solar.leadId}/activities`, dealer.key)).body.data
  assert.ok(!JSON.stringify(feed).includes('internal.pdf') && !JSON.stringify(feed).includes('My internal'))
})

test('every address in an answer opens, and all follow BASE_URL at once', async () => {
  const { body: before } = await app.get(`/v1/projects/${solar.projectId}`, key)
  const addresses = [
    before.links.project,
    before.links.proposal,
    ...Object.values(before.files).flat(),
  ] as string[]
  addresses.push((await app.get(`/v1/leads/${solar.leadId}`, key)).body.links.record)
  assert.equal(addresses.length, 6)
  for (const url of addresses) {
    assert.ok(url.startsWith(`${app.url}/`), url)
    assert.equal((await app.send('GET', url.slice(app.url.length))).status, 200, url)
  }
  const base = 'https://crm.example.com'
  const second = await startApp({ database: app.database, env: { BASE_URL: base } })
  try {
    const moved = (text: string) => JSON.parse(text.replaceAll(app.url, base))
    for (const path of [
      `/v1/projects/${solar.projectId}`,
      `/v1/leads/${solar.leadId}`,
      '/v1/leads',
      '/v1/projects',
    ]) {
      const here = await app.get(path, key)
      assert.deepEqual((await second.get(path, key)).body, moved(here.text))
    }
    const patched = await second.call('PATCH', `/v1/leads/${solar.leadId}`, {
      key,
      body: { phone: '(619) 555-0101' },
    })
    assert.equal(patched.body.links.record, `${base}/leads/${solar.leadId}`)
    const missing = await second.send('GET', '/v1/leads/x', { key })
    assert.equal(missing.body.error.docs, `${base}/docs/errors#not_found`)
  } finally {
    await second.stop()
  }
})

test('the activity feed of a lead has its project, newest first, with author and flags', async () => {
  const { body } = await app.get(`/v1/leads/${hi.leadId}/activities`, key)
  assert.deepEqual(
    body.data.map((a: { type: string }) => a.type),
    ['projectCreated', 'leadCreated'],
  )
  const [sold] = body.data
  assert.match(sold.id, /^act_/)
  assert.deepEqual(
    { ...sold, id: '', createdAt: '' },
    {
      id: '',
      type: 'projectCreated',
      body: 'Sold. The project is in Sold',
      internal: false,
      customerFacing: false,
      replyTo: null,
      author: 'Sunrise Solar console',
      createdAt: '',
    },
  )
  assert.ok(recent(sold.createdAt))
  const byKey = await app.call('PATCH', `/v1/leads/${hi.leadId}`, { key, body: { notes: 'Ring twice' } })
  assert.equal(byKey.body.notes, 'Ring twice')
  const [note] = (await app.get(`/v1/leads/${hi.leadId}/activities?limit=1`, key)).body.data
  assert.deepEqual([note.type, note.body, note.author], ['note', 'Ring twice', 'Sunrise Solar CRM'])
})

test('a member who left still shows where they worked', async () => {
  await updateMember(app.database.db, new Date(), dealer.company.id, team.setter.id, { active: false })
  const { body } = await app.get(`/v1/projects/${solar.projectId}`, key)
  assert.deepEqual(body.setter, staff(team.setter))
})
