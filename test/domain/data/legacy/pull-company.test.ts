import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eraseCustomer } from '../../../../src/domain/operations/privacy/erase-customer.ts'
import { addStage } from '../../../../src/domain/tenants/ladders/add-stage.ts'
import { addMember } from '../../../../src/domain/tenants/members/add-member.ts'
import { type Fields, legacyLead, legacyProject } from '../../../support/legacy-source.ts'
import { none, pagesOf, solarLeads, solarProjects, startMoving } from '../../../support/moving.ts'
import { pdf, png } from '../../../support/sample-files.ts'

const { database, db, store, moving } = await startMoving()

test('ids become references or external ids; a project finds its lead by its page, or by its customer', async () => {
  const { pull, leads, projects } = await moving(
    pagesOf({
      [solarLeads]: [
        legacyLead('AAAAAAAAA1', { projectURL: 'https://old.example.com/p/1', leadStatus: 'sold' }),
        legacyLead('lead-17', { leadStatus: 'Contacted' }),
        legacyLead('AAAAAAAAA3'),
      ],
      [solarProjects]: [
        legacyProject('PPPPPPPPP1', { projectURL: 'https://old.example.com/p/1' }),
        legacyProject('PPPPPPPPP3', { customerEmail: 'AAAAAAAAA3@example.com' }),
        legacyProject('PPPPPPPPP4'),
      ],
    }),
  )
  const { report } = await pull()
  assert.deepEqual(report.problems, [])
  assert.deepEqual(
    (await leads()).map(({ email, reference, externalId, status }) => [email, reference, externalId, status]),
    [
      ['AAAAAAAAA1@example.com', 'AAAAAAAAA1', null, 'sold'],
      ['AAAAAAAAA3@example.com', 'AAAAAAAAA3', null, 'sold'],
      ['lead-17@example.com', null, 'lead-17', 'contacted'],
      ['PPPPPPPPP4@example.com', null, null, 'sold'],
    ].toSorted(([a], [b]) => (a! < b! ? -1 : 1)),
  )
  const found = await projects()
  assert.deepEqual(
    found.map(({ reference, stage, price }) => [reference, stage, price]),
    ['PPPPPPPPP1', 'PPPPPPPPP3', 'PPPPPPPPP4'].map((id) => [id, 'Permitting', '28728.50']),
  )
  assert.equal(found[0]!.signed!.toISOString(), '2026-01-10T19:00:00.000Z')
})

test('what cannot be read is left out or refused by its id, and the rest comes', async () => {
  const lone = '\ud800'
  const { pull, leads, projects, company } = await moving(
    pagesOf({
      [solarLeads]: [
        legacyLead('GOOD000001'),
        legacyLead('GOOD000001', { customerEmail: 'twice@example.com' }),
        legacyLead('ODD0000002', {
          customerFirstName: ['a'],
          customerEmail: 'no email',
          customerPhoneNumber: 6_195_550_123,
          customerNotes: 'x'.repeat(20_001),
          secondaryCustomerFirstName: `B${lone}`,
          leadStatus: 'Abducted',
          monthlyBill: 'lots',
          salesRepEmail: 'nobody@example.com',
        }),
        { ...legacyLead('x'), id: null },
        { ...legacyLead('x'), id: { $ne: 1 } },
        legacyLead('y'.repeat(300)),
        legacyLead('EMPTY00003', {
          customerFirstName: '',
          customerLastName: null,
          customerEmail: '',
          customerPhoneNumber: '',
          customerStreet: '',
          customerCity: '',
          customerState: '',
          customerZip: '',
          customerAddress: '',
        }),
        'no record' as unknown as Fields,
        7 as unknown as Fields,
        null as unknown as Fields,
      ],
      [solarProjects]: [
        legacyProject('ODD0000004', {
          projectStatus: 'On the Moon',
          contractSignedDate: '02/31/2026',
          submittedDate: '12/12/2099',
          contractPrice: '99,999,999,999,999.00',
          systemSize: '1e400',
          financeType: 'barter',
          financeTerm: 'long',
          numberOfPanel: '-3',
          adders: [null, 'Trenching', { name: 'Critter guard' }, 'y'.repeat(500)],
        }),
      ],
    }),
  )
  const { report } = await pull()
  const all = await leads()
  assert.deepEqual(all.map(({ reference }) => reference).sort(), ['GOOD000001', 'ODD0000002', null])
  assert.equal(all.find(({ reference }) => reference === 'GOOD000001')!.email, 'GOOD000001@example.com')
  assert.deepEqual(
    (await projects()).map(({ stage, price }) => [stage, price]),
    [['Sold', null]],
  )
  // Three without an id, one with too long a one, one that says nothing, and a text for which there is no record.
  assert.equal(report.records['lead solar']!.refused, 7)
  const said = report.problems.map(({ field, message }) => `${field}: ${message}`)
  for (const expected of [
    'projectStatus: left out: the solar ladder has no stage “On the Moon”',
    'salesRepEmail: left out: nobody who works for your company has the email nobody@example.com',
    'customerEmail: left out: it is not an email address',
    'contractSignedDate: left out: it is not a date such as 01/31/2026',
    'contractPrice: left out: it is not an amount such as 12,345.67',
    'systemSize: left out: it is not a number such as 8.4',
    'leadStatus: left out: there is no status “Abducted”',
    ': the lead did not come: it says nothing about a customer',
  ])
    assert.ok(said.includes(expected), `${expected}\n${said.join('\n')}`)
  const phones = await database.rows<{ phone: string }>(
    `select phone from leads where installer_id = $1 and reference = 'ODD0000002'`,
    [company.id],
  )
  assert.equal(phones[0]!.phone, '6195550123')

  const again = await pull()
  assert.deepEqual([again.report.records['lead solar']!.made, (await leads()).length], [0, 3])
})

test('a stage and a rep that are added later are taken up by the next run', async () => {
  const { pull, projects, company, context } = await moving(
    pagesOf({
      [solarLeads]: [legacyLead('LATE000001', { salesRepEmail: 'bob@example.com' })],
      [solarProjects]: [legacyProject('LATE000002', { projectStatus: 'Utility Review' })],
    }),
  )
  await pull()
  assert.deepEqual(
    (await projects()).map(({ stage }) => stage),
    ['Sold'],
  )
  const ctx = context(db)
  await addStage(
    { ...ctx, actor: { ...ctx.actor, role: 'owner' } },
    { productLine: 'solar', name: 'Utility Review', after: null },
  )
  const { id } = await addMember(db, new Date(), {
    company: company.id,
    email: 'bob@example.com',
    name: 'Bob',
    role: 'rep',
  })
  const { report } = await pull()
  assert.deepEqual(report.problems, [])
  assert.deepEqual(
    (await projects()).map(({ stage }) => stage),
    ['Utility Review'],
  )
  const reps = await database.rows<{ rep: string }>(
    `select sales_rep_id as rep from leads where installer_id = $1 and reference = 'LATE000001'`,
    [company.id],
  )
  assert.deepEqual(reps, [{ rep: id }])
})

test('a lead that is sold there later is sold here, with its own project', async () => {
  const page = 'https://old.example.com/p/9'
  const lists: Record<string, Fields[]> = { [solarLeads]: [legacyLead('SOLDLATER1')], [solarProjects]: [] }
  const { pull, leads, projects } = await moving((...call) => pagesOf(lists)(...call))
  await pull()
  lists[solarLeads] = [legacyLead('SOLDLATER1', { projectURL: page, customerPhoneNumber: '619 555 0199' })]
  lists[solarProjects] = [legacyProject('SOLDLATER2', { projectURL: page })]
  const { report } = await pull()
  assert.deepEqual(report.problems, [])
  assert.deepEqual(
    (await leads()).map(({ reference, status }) => [reference, status]),
    [['SOLDLATER1', 'sold']],
  )
  assert.deepEqual(
    (await projects()).map(({ reference }) => reference),
    ['SOLDLATER2'],
  )
})

test('a record that the database refuses is refused alone, and comes with the next run', async () => {
  const { pull, leads } = await moving(
    pagesOf({ [solarLeads]: ['POISON0001', 'POISON0002', 'POISON0003'].map((id) => legacyLead(id)) }),
  )
  await database.rows(
    `alter table leads add constraint no_poison check (reference <> 'POISON0002') not valid`,
  )
  const { report } = await pull()
  assert.deepEqual(
    report.problems.map(({ example, message }) => [example, message]),
    [['POISON0002', 'the lead did not come: it could not be written (23514)']],
  )
  assert.equal((await leads()).length, 2)
  await database.rows('alter table leads drop constraint no_poison')
  const again = await pull()
  assert.deepEqual(again.report.records['lead solar'], { made: 1, updated: 0, unchanged: 2, refused: 0 })
})

test('files come from addresses, lists of them and pages of links; what is none is said; none comes twice', async () => {
  let signature = 0
  let host = ''
  const { pull, files, projects, source } = await moving((operation, query, response) => {
    const own = host
    if (operation === solarProjects) {
      if (query.get('page') !== '1') return none
      return {
        data: [
          legacyProject('FILES00001', {
            contractURL: `${own}/contract.pdf?signature=${++signature}`,
            allFilesURL: {
              surveyFiles: `${own}/folder?token=1`,
              permits: `${own}/gone.pdf`,
              utilityBills: [`${own}/bill.png`, `${own}/bill.png`, { url: 7 }, null],
              plansets: 'http://10.0.0.1/secret.pdf',
              internalDocuments: `${own}/page-of-a-site`,
              otherDocuments: '',
            },
          }),
        ],
      }
    }
    if (operation === 'folder') {
      const more =
        query.get('after') === null ? '<a href="?after=2">More</a>' : '<a class="x" href="roof2.png">2</a>'
      const html = `<html><a href="/roof%201.png?a=1&amp;b=2">1</a><a href='https://example.com/'>x</a>${more}</html>`
      return void response.writeHead(200, { 'content-type': 'text/html' }).end(html)
    }
    if (operation === 'page-of-a-site')
      return void response
        .writeHead(200, { 'content-type': 'text/html' })
        .end('<a href="/imprint">Imprint</a>')
    if (operation === 'imprint')
      return void response.writeHead(200, { 'content-type': 'text/html' }).end('<p>')
    if (operation.endsWith('.png')) return void response.end(Buffer.concat([png, Buffer.from(operation)]))
    if (operation === 'contract.pdf') return void response.end(pdf)
    if (operation === 'gone.pdf') return void response.writeHead(404).end()
    return none
  })
  host = source.url
  const { report } = await pull()
  const came = await files()
  assert.deepEqual(
    came.map(({ folder: name, name: file }) => `${name} ${file}`),
    ['contract contract.pdf', 'siteSurvey roof 1.png', 'siteSurvey roof2.png', 'utilityBill bill.png'],
  )
  assert.equal(report.files, 4)
  const said = report.problems.map(({ field, message }) => `${field} ${message}`).join('\n')
  assert.match(said, /allFilesURL.permits a file did not come: its address answered 404/)
  assert.match(said, /allFilesURL.plansets a file did not come: the address must begin with https/)
  assert.match(said, /allFilesURL.utilityBills left out: it is no address/)

  const { id } = (await projects())[0]!
  await database.rows(`update files set revoked_at = now() where project_id = $1 and name = 'bill.png'`, [id])
  const again = await pull()
  assert.equal(again.report.files, 0)
  assert.equal((await files()).length, 3)
})

test('the catalogue comes by its names, once', async () => {
  const { pull, company } = await moving((operation) => {
    if (operation === 'fetch_all_panel')
      return [{ brand: 'Qcells', model: 'Q.TRON', wattage: 400 }, { model: 'No watts' }, 'x']
    if (operation === 'fetch_all_inverter') return { data: [{ manufacturer: 'Enphase', model: 'IQ8' }] }
    if (operation === 'fetch_all_adders')
      return { adders: [{ name: 'Trenching', price: '$12.50', unit: 'Per Foot' }, { name: 'Free' }] }
    return none
  })
  const { catalogue } = await pull()
  const [panels, , adders] = Object.values(catalogue) as { made: number; refused: object[] }[]
  assert.deepEqual([panels!.made, panels!.refused.length, adders!.made, adders!.refused.length], [1, 2, 1, 1])
  await pull()
  const found = await database.rows(
    `select name from adders where installer_id = $1 union all select model from equipment where installer_id = $1`,
    [company.id],
  )
  assert.deepEqual(found.map((row) => Object.values(row)[0]).sort(), ['IQ8', 'Q.TRON', 'Trenching'])
})

test('a customer who was erased here does not come back, and nothing of them is kept', async () => {
  const { pull, leads, context } = await moving(pagesOf({ [solarLeads]: [legacyLead('ERASED0001')] }))
  await pull()
  const { leadId } = (await leads())[0]!
  await eraseCustomer(context(db), { store, note: async () => {} }, leadId)
  const { report } = await pull()
  assert.deepEqual(report.records['lead solar'], { made: 0, updated: 0, unchanged: 1, refused: 0 })
  assert.deepEqual(
    (await leads()).map(({ email }) => email),
    [null],
  )
  const [row] = await database.rows<{ marks: object; key: string | null }>(
    `select marks, customer_key as key from legacy_records where lead_id = $1`,
    [leadId],
  )
  assert.deepEqual(row, { marks: {}, key: null })
})
