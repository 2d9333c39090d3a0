import assert from 'node:assert/strict'
import { test } from 'node:test'
import { folders } from '../../../src/domain/kernel/folder.ts'
import { startAppWithFiles } from '../../support/app-with-files.ts'
import { type Actors, createWorld, lead, member, project, system } from '../../support/factories.ts'
import {
  expected,
  type Fields,
  folderOf,
  hiLead,
  hiProject,
  solarLead,
  solarProject,
} from '../../support/legacy-reading.ts'

const { app, at } = await startAppWithFiles()
const world = await createWorld(app.database.db)
const { installer, dealer } = world
const { key } = installer
const zone = 'America/Denver'

const team = {
  rep: await member(world, dealer, 'Rita Rep'),
  setter: await member(world, dealer, 'Sam Setter', 'setter'),
  manager: await member(world, installer, 'Mona Manager', 'manager'),
  surveyor: await member(world, installer, 'Sue Surveyor', 'surveyor'),
  sub: await member(world, installer, 'Bob Builder', 'subcontractor'),
}
const fullLead = {
  firstName: 'Ada',
  lastName: 'Moreno',
  email: 'ada@example.com',
  phone: '(619) 555-0100',
  coBorrower: { firstName: 'Luis', lastName: 'Prado', email: 'luis@example.com', phone: '+1 619 555 0101' },
  utility: { name: 'SDG&E', monthlyBill: '184.30' },
  source: { name: 'Web', subSource: 'Landing page' },
  notes: 'Dog in the yard',
  salesRepEmail: team.rep.email,
  setterEmail: team.setter.email,
}
const fullSale = {
  // In Denver it is still the 9th.
  contractSignedAt: new Date('2026-01-10T05:30:00.000Z'),
  contractPrice: '1028728.50',
  financing: {
    type: 'loan' as const,
    lender: 'GoodLeap',
    amount: '28728.50',
    aprPercent: '4.99',
    termMonths: 300,
    monthlyPayment: '167.80',
    dealerFeePercent: '17.5',
  },
  notes: 'Steep roof',
  projectManagerId: team.manager.id,
  siteSurveyorId: team.surveyor.id,
  subcontractorId: team.sub.id,
}
const adders = [
  { name: 'Main panel upgrade', quantity: 1, total: '2500.10' },
  { name: 'Critter guard', quantity: 21, total: '735.20' },
]
const products = [
  { name: 'Roof', price: '1015000.10' },
  { name: 'Gutters', price: '14000.20' },
]
const solar = await project(
  dealer,
  { ...fullLead, reference: 'LeadUid001' },
  { ...fullSale, reference: 'ProjUid001', system: { ...system, adders } },
)
const hi = await project(dealer, { ...fullLead, productLine: 'hi' }, { ...fullSale, products })
const openSolar = await lead(dealer, { ...fullLead, status: 'appointmentSet' })
const openHi = await lead(dealer, { ...fullLead, productLine: 'hi', reference: 'OpenHiUid1' })
for (const { projectId } of [solar, hi]) {
  for (const folder of folders) {
    const files = [1, 2].map((i) => ({ url: at(`/${folder}-${i}.pdf`) }))
    const body = { folder, files }
    assert.equal((await app.call('POST', `/v1/projects/${projectId}/files`, { key, body })).status, 201)
  }
  const body = { installDate: '2026-09-01', ntpGranted: true }
  await app.call('PATCH', `/v1/projects/${projectId}`, { key, body })
}
for (const [{ projectId }, stage] of [
  [solar, 'Permitting'],
  [hi, 'Ordered'],
] as const) {
  await app.call('POST', `/v1/projects/${projectId}/stage`, { key, body: { stage } })
}

// As the spec lists them.
const names = (text: string) => text.split(/\s+/)
const customerNames = names(
  `customerFirstName customerLastName customerPhoneNumber customerEmail customerAddress customerStreet customerCity
  customerState customerZip secondaryCustomerFirstName secondaryCustomerLastName secondaryCustomerPhoneNumber
  secondaryCustomerEmail`,
)
const sellerNames = names('salesRepName salesRepEmail salesRepPhone setterName setterEmail setterPhone')
const solarNames = [
  ...customerNames,
  ...names('projectStatus contractSignedDate submittedDate projectSiteId'),
  ...names('contractURL proposalURL projectURL allFilesURL'),
  ...names('systemSize estProduction numberOfPanel panelModel numberOfInverter inverterName numberOfBattery'),
  ...names('batteryName contractPrice financeCompany financeAmount financeAPR financeTerm financeType'),
  ...names('basePPW finalPPW addersCost adders'),
  ...[...sellerNames, 'siteSurveyorName', 'subContractorName'],
]
const hiLeadNames = [
  ...customerNames,
  ...names('customerNotes projectStatus contractSignedDate submittedDate contractURL proposalURL projectURL'),
  ...names('financeCompany financeAmount financeAPR financeDealerFee financeTerm monthlyPayment financeType'),
  ...names('Products adjustments contractPrice'),
  ...sellerNames,
]
const solarLeadNames = [
  ...customerNames,
  ...names('customerNotes leadStatus projectStatus utilityCompany monthlyBill'),
  ...[...sellerNames, 'siteSurveyorName', 'subContractorName', 'proposalURL', 'projectURL'],
]
const folderNames = names(
  `surveyFiles personalFiles utilityBills insuranceFiles driverLicense installationPhotos plansets materials
  otherDocuments interconnection permits internalDocuments`,
)

async function read(leadId: string, of: Actors) {
  const { body } = await app.get(`/v1/leads/${leadId}`, of.key)
  const project = body.project ? (await app.get(`/v1/projects/${body.project.id}`, of.key)).body : null
  return { lead: body, project, zone }
}
const fetchOne = async (operation: string, id: string, of: Actors) => {
  const { status, body, text } = await app.get(`/legacy/${operation}?id=${id}`, of.key)
  assert.equal(status, 200, text)
  return body
}

/** A solar project's folders as the files that their pages list. */
async function opened(pages: Record<string, string>): Promise<Record<string, string[]>> {
  const lists = Object.entries(pages).map(async ([name, page]) => {
    if (page === '') return [name, []] as const
    assert.ok(page.startsWith(`${app.url}/`), page)
    const { status, text } = await app.send('GET', page.slice(app.url.length))
    assert.equal(status, 200, page)
    return [name, [...text.matchAll(/<a href="(\/files[^"]*)"/g)].map((link) => app.url + link[1])] as const
  })
  return Object.fromEntries(await Promise.all(lists))
}

test('the tables cover every field of the spec, and no other', () => {
  const sorted = (fields: Fields) => Object.keys(fields).sort()
  assert.deepEqual(sorted(solarProject), solarNames.sort())
  assert.deepEqual(sorted(hiLead), hiLeadNames.sort())
  assert.deepEqual(sorted(hiProject), [...hiLeadNames, 'allFilesURL'].sort())
  assert.deepEqual(sorted(solarLead), solarLeadNames.sort())
  assert.deepEqual(Object.keys(folderOf), folderNames)
})

test('nothing of the full records is empty but what cannot be there yet', async () => {
  const empty = (record: object) =>
    Object.entries(record).flatMap(([name, value]) => (value === '' || value.length === 0 ? [name] : []))
  assert.deepEqual(empty((await fetchOne('fetch_project', solar.projectId, installer)).data), [
    'projectSiteId',
  ])
  assert.deepEqual(empty((await fetchOne('fetch_project_hi', hi.projectId, installer)).data), [])
  assert.deepEqual(empty(await fetchOne('fetch_lead', solar.leadId, installer)), [])
  assert.deepEqual(empty(await fetchOne('fetch_lead_hi', hi.leadId, installer)), [])
})

test('a solar project reads as /v1 has it, every field', async () => {
  for (const id of [solar.projectId, 'ProjUid001', solar.leadId, 'LeadUid001']) {
    const { data, id: answered, ...rest } = await fetchOne('fetch_project', id, installer)
    assert.deepEqual([answered, rest], ['ProjUid001', {}])
    const { personalFiles, ...folders } = data.allFilesURL
    assert.equal(personalFiles, '')
    assert.equal(new Set(Object.values(folders)).size, 11)
    const shown = { ...data, allFilesURL: await opened(data.allFilesURL) }
    assert.deepEqual(shown, expected(solarProject, await read(solar.leadId, installer)))
  }
})

test('an HI project reads as /v1 has it, every field', async () => {
  for (const id of [hi.projectId, hi.leadId]) {
    const { data, id: answered, ...rest } = await fetchOne('fetch_project_hi', id, installer)
    assert.deepEqual([answered, rest], [hi.projectId, {}])
    assert.deepEqual(data, expected(hiProject, await read(hi.leadId, installer)))
  }
})

test('the values that both readings could have wrong alike are right', async () => {
  const { data } = await fetchOne('fetch_project', solar.projectId, installer)
  assert.deepEqual(
    [data.contractPrice, data.contractSignedDate, data.addersCost, data.financeAmount, data.financeTerm],
    ['1,028,728.50', '01/09/2026', '3235.30', '28728.50', '300'],
  )
  assert.equal(data.customerAddress, '1 Market St, Unit 4, San Diego, CA 92101')
  assert.deepEqual([data.inverterName, data.batteryName], ['IQ8 Plus', 'Tesla Powerwall 3'])
  assert.match(data.contractURL, /contract-2\.pdf$/)
  const home = (await fetchOne('fetch_project_hi', hi.projectId, installer)).data
  assert.deepEqual(
    [home.contractSignedDate, home.adjustments, home.contractPrice, home.monthlyPayment],
    ['01/09/26', '-271.80', '1,028,728.50', '167.80'],
  )
  assert.deepEqual(home.Products[0], { product_name: 'Roof', product_cost: '1015000.10' })
})

test('leads read as /v1 has them, sold and unsold, of both lines', async () => {
  const cases = [
    ['fetch_lead', solar.leadId, 'LeadUid001', solarLead],
    ['fetch_lead', openSolar, openSolar, solarLead],
    ['fetch_lead_hi', hi.leadId, hi.leadId, hiLead],
    ['fetch_lead_hi', openHi, 'OpenHiUid1', hiLead],
  ] as const
  for (const [operation, leadId, shownId, fields] of cases) {
    for (const who of [installer, dealer]) {
      const { id, ...record } = await fetchOne(operation, leadId, who)
      assert.equal(id, shownId)
      assert.deepEqual(record, expected(fields, await read(leadId, who)), leadId)
      assert.deepEqual(await fetchOne(operation, shownId, who), { id, ...record })
    }
  }
})

test('an item of a list is the single reading and its id, for the installer and for the dealer', async () => {
  const number = dealer.company.number
  for (const who of [installer, dealer]) {
    const lists = [
      [`fetch_all_project?org_id=${number}`, 'fetch_project', [solar.projectId]],
      ['fetch_all_project_installer?page=1', 'fetch_project', [solar.projectId]],
      [`fetch_all_project_hi?org_id=${number}&page=1`, 'fetch_project_hi', [hi.projectId]],
      [`fetch_all_lead?org_id=${number}`, 'fetch_lead', [solar.leadId, openSolar]],
      [`fetch_all_lead_hi?org_id=${number}&page=1`, 'fetch_lead_hi', [hi.leadId, openHi]],
    ] as const
    for (const [list, single, ids] of lists) {
      const { data } = (await app.get(`/legacy/${list}`, who.key)).body
      const singles = []
      for (const id of ids) {
        const { data: fields, ...rest } = await fetchOne(single, id, who)
        singles.push({ ...fields, ...rest })
      }
      const byId = (a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1)
      assert.deepEqual([...data].sort(byId), singles.sort(byId), list)
    }
  }
})

test('a dealer reads the same but internal documents, which are hidden', async () => {
  const mine = (await fetchOne('fetch_project', solar.projectId, dealer)).data
  const theirs = (await fetchOne('fetch_project', solar.projectId, installer)).data
  assert.notEqual(theirs.allFilesURL.internalDocuments, '')
  assert.deepEqual(mine, { ...theirs, allFilesURL: { ...theirs.allFilesURL, internalDocuments: '' } })
  const shown = { ...mine, allFilesURL: await opened(mine.allFilesURL) }
  assert.deepEqual(shown, expected(solarProject, await read(solar.leadId, dealer)))

  const mineHi = (await fetchOne('fetch_project_hi', hi.projectId, dealer)).data
  const theirsHi = (await fetchOne('fetch_project_hi', hi.projectId, installer)).data
  assert.equal(theirsHi.allFilesURL.internalDocuments.length, 2)
  assert.deepEqual(mineHi, { ...theirsHi, allFilesURL: { ...theirsHi.allFilesURL, internalDocuments: [] } })
  assert.deepEqual(mineHi, expected(hiProject, await read(hi.leadId, dealer)))
})
