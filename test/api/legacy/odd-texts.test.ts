import assert from 'node:assert/strict'
import { test } from 'node:test'
import { patchStage } from '../../../src/domain/tenants/ladders/patch-stage.ts'
import { updateMember } from '../../../src/domain/tenants/members/update-member.ts'
import { startAppWithFiles } from '../../support/app-with-files.ts'
import { createWorld, lead, member, project, system } from '../../support/factories.ts'
import { newProject } from '../../support/new-project.ts'

const { app, at } = await startAppWithFiles()
const { db, rows } = app.database
const world = await createWorld(db)
const { installer, dealer } = world
const { key } = installer

const texts = [
  `He said "hi", {"id":"x"},[1]`,
  'back\\slash \\u0001 \\" end',
  'a\u0001b\u0002c\u0003d\u0003e',
  '\u0003\u0003',
  '\u0001',
  'tab\tnew\nline\r\u001f\u007f\u2028\u2029\ufeff.',
  '</script><script>alert(1)</script><!--',
  "$& $1 $$ $' %s {x} '; drop table leads; --",
  '👩‍👩‍👧 é e\u0301 日本 \u202eRTL',
]

for (const odd of texts) {
  test(`${JSON.stringify(odd)} is the same in single readings and in lists, for installer and dealer`, async () => {
    const person = { firstName: odd, lastName: `${odd}.`, email: null, phone: odd.slice(0, 40) }
    const rep = await member(world, dealer, `rep ${texts.indexOf(odd)}`)
    // What cannot be anybody's name is refused there.
    const repName = await updateMember(db, new Date(), dealer.company.id, rep.id, { name: odd }).then(
      () => odd,
      () => rep.name,
    )
    const details = {
      ...{ firstName: odd, lastName: `${odd}.`, phone: person.phone, coBorrower: person, notes: odd },
      utility: { name: odd, monthlyBill: null },
      address: { line1: odd, line2: null, city: odd, state: 'CA', postalCode: '92101', country: 'US' },
      salesRepEmail: rep.email,
    }
    const financing = {
      ...{ type: 'loan' as const, lender: odd, amount: null, aprPercent: null, termMonths: null },
      ...{ monthlyPayment: null, dealerFeePercent: null },
    }
    const panels = { count: 1, manufacturer: odd, model: odd }
    const adders = [{ name: odd, quantity: 1, total: null }]
    const inverters = { ...panels, name: odd, microinverter: false }
    const sold = { ...system, panels, inverters, adders, batteries: { ...panels, capacityKwh: null } }
    const solar = await project(dealer, details, { financing, system: sold })
    const products = [{ name: odd, price: null }]
    const hi = await project(dealer, { ...details, productLine: 'hi' }, { financing, products })
    for (const { projectId } of [solar, hi]) {
      const body = { folder: 'contract', files: [{ url: at('/a.pdf'), name: `${odd}.pdf` }] }
      await app.call('POST', `/v1/projects/${projectId}/files`, { key, body })
      await app.call('POST', `/v1/projects/${projectId}/files`, {
        key,
        body: { ...body, folder: 'internal' },
      })
    }
    const shared = {
      ...{ customerFirstName: odd, customerLastName: `${odd}.`, customerPhoneNumber: person.phone },
      ...{ customerStreet: odd, customerCity: odd, customerAddress: `${odd}, ${odd}, CA 92101` },
      ...{
        secondaryCustomerFirstName: odd,
        secondaryCustomerPhoneNumber: person.phone,
        salesRepName: repName,
      },
    }
    const onlySolar = {
      ...{ financeCompany: odd, panelModel: odd, inverterName: odd, batteryName: `${odd} ${odd}` },
      adders: [odd],
    }
    const onlyHi = {
      ...{ financeCompany: odd, customerNotes: odd },
      Products: [{ product_name: odd, product_cost: '' }],
    }
    const cases = [
      ['fetch_project', 'fetch_all_project', solar.projectId, { ...shared, ...onlySolar }],
      ['fetch_lead', 'fetch_all_lead', solar.leadId, { ...shared, customerNotes: odd, utilityCompany: odd }],
      ['fetch_project_hi', 'fetch_all_project_hi', hi.projectId, { ...shared, ...onlyHi }],
      ['fetch_lead_hi', 'fetch_all_lead_hi', hi.leadId, { ...shared, ...onlyHi }],
    ] as const
    for (const who of [installer, dealer]) {
      for (const [single, list, id, fields] of cases) {
        const { body } = await app.get(`/legacy/${single}?id=${id}`, who.key)
        const shown = body.data ?? body
        const picked = Object.fromEntries(Object.keys(fields).map((name) => [name, shown[name]]))
        assert.deepEqual(picked, fields, single)
        const page = await app.get(`/legacy/${list}?org_id=${dealer.company.number}&page=1`, who.key)
        const item = page.body.data.find((record: { id: string }) => record.id === id)
        assert.deepEqual(item, { id, ...shown }, list)
        for (const url of [shown.contractURL ?? []].flat())
          assert.equal((await app.send('GET', url.slice(app.url.length))).status, 200, url)
      }
    }
  })

  test(`${JSON.stringify(odd)} sent through the legacy API is what both worlds read`, async () => {
    const trimmed = odd.trim()
    const made = await app.call('POST', '/legacy/create_project', {
      key,
      body: newProject(installer, { first_name: odd, address: odd, sales_rep: odd }),
    })
    assert.equal(made.status, 200, made.text)
    assert.ok(made.body.message.includes(trimmed))
    const { lead_id, project_id } = made.body.data
    const first = (await app.get(`/v1/leads/${lead_id}`, key)).body
    assert.deepEqual([first.customer.firstName, first.address.line1], [trimmed, trimmed])
    const sent = { id: lead_id, home_improvement: false, primary_last_name: odd, secondary_first_name: odd }
    const record = (await app.call('POST', '/legacy/update_lead', { key, body: sent })).body
    assert.deepEqual([record.primary_last_name, record.secondary_first_name], [trimmed, trimmed])
    const { data } = (await app.get(`/legacy/fetch_project?id=${project_id}`, key)).body
    assert.deepEqual(
      [data.customerFirstName, data.customerLastName, data.customerAddress, data.secondaryCustomerFirstName],
      [trimmed, trimmed, trimmed, trimmed],
    )
    const notes = { project_id, installer_id: installer.company.id, notes: odd }
    await app.call('POST', '/legacy/create_activity', { key, body: notes })
    const [note] = (await app.get(`/v1/leads/${lead_id}/activities?limit=1`, key)).body.data
    assert.equal(note.body, trimmed)
  })
}

test('a stage of any name is shown and reached by it', async () => {
  const [stage] = await rows<{ id: string }>(
    "select id from stages where installer_id = $1 and product_line = 'solar' and name = 'Design'",
    [installer.company.id],
  )
  const { projectId, leadId } = await project(installer)
  for (const name of texts.map((text) => text.trim())) {
    await patchStage(db, new Date(), installer.company.id, stage!.id, { name })
    const query = new URLSearchParams({ id: projectId, project_stage_name: name })
    const moved = await app.call('POST', `/legacy/update_stage?${query}`, { key })
    assert.equal(moved.body.data?.new_status, name, moved.text)
    assert.equal((await app.get(`/legacy/fetch_project?id=${projectId}`, key)).body.data.projectStatus, name)
    assert.equal((await app.get(`/legacy/fetch_lead?id=${leadId}`, key)).body.projectStatus, name)
  }
})

test('NUL and lone surrogates are refused', async () => {
  const id = await lead(installer)
  for (const bad of ['a\0b', '\ud800', 'x\udfff']) {
    const raw = `{"id":"${id}","home_improvement":false,"primary_last_name":${JSON.stringify(bad)}}`
    const headers = { 'content-type': 'application/json' }
    assert.equal((await app.call('POST', '/legacy/update_lead', { key, raw, headers })).status, 400)
  }
})
