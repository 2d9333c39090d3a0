import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eraseCustomer } from '../../../../src/domain/operations/privacy/erase-customer.ts'
import { createWorld } from '../../../support/factories.ts'
import { legacyLead, legacyProject } from '../../../support/legacy-source.ts'
import { none, pagesOf, solarLeads, solarProjects, startMoving } from '../../../support/moving.ts'
import { pdf } from '../../../support/sample-files.ts'

const { database, db, store, moving } = await startMoving()

/** All that there is of a company's leads, projects and files. */
const allOf = (companyId: string) =>
  database.rows<{ lead: object; project: object; files: object[] }>(
    `select to_jsonb(l) as lead, to_jsonb(p) as project,
        (select coalesce(jsonb_agg(f order by f.id), '[]') from files f
          where f.installer_id = l.installer_id and f.project_id = l.project_id) as files
      from leads l left join projects p on p.installer_id = l.installer_id and p.id = l.project_id
      where l.company_id = $1 order by l.id`,
    [companyId],
  )

test('what belongs to another company is not matched by its id, its page or its customer, and is named', async () => {
  const { dealer, sister } = await createWorld(db)
  const page = 'https://old.example.com/p/1'
  const victims = await moving(
    pagesOf({
      [solarLeads]: [legacyLead('VICTIM0001', { projectURL: page }), legacyLead('VICTIM0002')],
      [solarProjects]: [legacyProject('VICTIM0003', { projectURL: 'https://old.example.com/p/3' })],
    }),
    { into: sister.company },
  )
  await victims.pull()
  const before = await allOf(sister.company.id)
  assert.equal(before.length, 3)

  let host = ''
  const evil = { secondaryCustomerFirstName: 'Mallory', secondaryCustomerEmail: 'mallory@evil.example' }
  const { pull, source } = await moving(
    (operation, query, response) => {
      if (operation === 'planted.pdf') return void response.end(pdf)
      if (query.get('page') !== '1') return none
      const planted = { ...evil, contractURL: `${host}/planted.pdf` }
      if (operation === solarLeads)
        return [
          legacyLead('VICTIM0001', { ...evil, projectURL: page }),
          legacyLead('VICTIM0002', evil),
          legacyLead('OWNLEAD001'),
        ]
      if (operation === 'fetch_all_lead_hi_installer')
        return [
          {
            ...legacyProject('VICTIM0001', evil),
            Products: [],
            customerNotes: '',
            financeDealerFee: '',
            monthlyPayment: '',
          },
        ]
      if (operation === solarProjects)
        return [
          legacyProject('PLANTED001', { ...planted, projectURL: page }),
          legacyProject('PLANTED002', { ...planted, customerEmail: 'VICTIM0002@example.com' }),
          legacyProject('VICTIM0003', { ...planted, projectStatus: 'Installation' }),
          legacyProject('OWNPROJ001', { customerEmail: 'OWNLEAD001@example.com' }),
        ]
      return none
    },
    { into: dealer.company },
  )
  host = source.url
  const refusals = [
    'lead VICTIM0001 3 the lead did not come: what it is here belongs to Sister Sales',
    'project VICTIM0003 1 the project did not come: what it is here belongs to Sister Sales',
  ]
  for (const dryRun of [true, false, false]) {
    const { report } = await pull({ dryRun })
    const said = report.problems.filter(({ message }) => message.includes('did not come'))
    assert.deepEqual(
      said.map(({ kind, example, records, message }) => `${kind} ${example} ${records} ${message}`).sort(),
      refusals,
    )
    assert.deepEqual(await allOf(sister.company.id), before)
  }
  const own = await allOf(dealer.company.id)
  const references = own.map(({ lead, project }) =>
    [lead, project].map((one) => (one as { reference: string | null } | null)?.reference ?? null),
  )
  // Projects that are nobody else's here come with leads of their own.
  assert.deepEqual(references.sort(), [
    [null, 'PLANTED001'],
    [null, 'PLANTED002'],
    ['OWNLEAD001', 'OWNPROJ001'],
  ])
})

test('an installer’s import finds what came for its dealers before, whatever the ids, and brings back nobody', async () => {
  const { installer, dealer, other } = await createWorld(db)
  const records = pagesOf({
    [solarLeads]: [legacyLead('lead-17'), legacyLead('lead-18'), legacyLead('SAMELEAD01')],
    [solarProjects]: [legacyProject('project-1')],
  })
  const first = await moving(records, { into: dealer.company })
  await first.pull()
  const erased = (await first.leads()).find(({ externalId }) => externalId === 'lead-18')!
  await eraseCustomer(first.context(db), { store, note: async () => {} }, erased.leadId)
  const before = await allOf(dealer.company.id)

  const from = first.source
  const { report } = await (await moving(records, { into: installer.company, from })).pull()
  assert.deepEqual(
    [report.problems, report.records['lead solar'], report.records['project solar']],
    [
      [],
      { made: 0, updated: 0, unchanged: 3, refused: 0 },
      { made: 0, updated: 0, unchanged: 1, refused: 0 },
    ],
  )
  assert.deepEqual(await allOf(dealer.company.id), before)
  assert.deepEqual(await allOf(installer.company.id), [])

  // Another tenant knows nothing of it.
  await (await moving(records, { into: other.company, from })).pull()
  assert.equal((await allOf(other.company.id)).length, 4)
})

test('the same id of another customer, of an account that counts by itself, is another record', async () => {
  const { installer, dealer } = await createWorld(db)
  let name = 'Ada'
  const records: Parameters<typeof moving>[0] = (...call) =>
    pagesOf({ [solarLeads]: [legacyLead('1', { customerFirstName: name })] })(...call)
  const first = await moving(records, { into: dealer.company })
  await first.pull()
  name = 'Grace'
  await (await moving(records, { into: installer.company, from: first.source })).pull()
  assert.deepEqual(
    [(await allOf(dealer.company.id)).length, (await allOf(installer.company.id)).length],
    [1, 1],
  )
})
