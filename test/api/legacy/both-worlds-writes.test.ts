import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkRenderings } from '../../../src/domain/deals/renderings/rerender.ts'
import { patchStage } from '../../../src/domain/tenants/ladders/patch-stage.ts'
import { updateMember } from '../../../src/domain/tenants/members/update-member.ts'
import { startAppWithFiles } from '../../support/app-with-files.ts'
import { type Actors, createWorld, member, project } from '../../support/factories.ts'
import { expected, hiLead, hiProject, solarLead, solarProject } from '../../support/legacy-reading.ts'

const { app, at, asked } = await startAppWithFiles()
const { db, rows } = app.database
const world = await createWorld(db)
const { installer, dealer } = world
const { key } = installer
const tenant = installer.company.id
const rep = await member(world, dealer, 'Rita Rep')
const surveyor = await member(world, installer, 'Sue Surveyor', 'surveyor')
const solar = await project(
  dealer,
  { salesRepEmail: rep.email, email: 'ada@example.com', phone: '(619) 555-0100' },
  { siteSurveyorId: surveyor.id },
)
const hi = await project(dealer, { productLine: 'hi', setterEmail: rep.email, reference: 'HiLeadUid1' })
const lines = [
  { deal: solar, suffix: '', isHi: false, lead: solarLead, project: solarProject, stage: 'Design' },
  { deal: hi, suffix: '_hi', isHi: true, lead: hiLead, project: hiProject, stage: 'Measure' },
] as const

const v1 = async (path: string) => (await app.get(`/v1/${path}`, key)).body
const legacy = async (operation: string, as: Actors = installer) => {
  const { status, body, text } = await app.get(`/legacy/${operation}`, as.key)
  assert.equal(status, 200, text)
  return body
}
const post = async (operation: string, body: object, as: Actors = installer) => {
  const answer = await app.call('POST', `/legacy/${operation}`, { key: as.key, body })
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}
const clock = async () => {
  const [row] = await rows<{ now: Date }>('select now from tenant_clocks where installer_id = $1', [tenant])
  return row!.now.toISOString()
}
const changedSince = async (list: string, since: string): Promise<string[]> =>
  (await v1(`${list}?limit=100&updatedSince=${since}`)).data.map((row: { id: string }) => row.id)
const records = async ({ leadId, projectId }: { leadId: string; projectId: string }) => ({
  lead: await v1(`leads/${leadId}`),
  project: await v1(`projects/${projectId}`),
  zone: 'America/Denver',
})
/** Everything that a change would leave behind it. */
const traces = () =>
  rows(
    `select (select count(*) from events) as events, (select count(*) from activities) as activities,
      (select json_agg(t order by id) from (select id, updated_at from leads union all select id, updated_at from projects) t) as times`,
  )

/** Both readings of both records agree, in single reads and in lists. */
async function assertAgree(): Promise<void> {
  for (const { deal, suffix, lead, project } of lines) {
    const reading = await records(deal)
    const { data } = await legacy(`fetch_project${suffix}?id=${deal.projectId}`)
    const pages = suffix ? data.allFilesURL : expected(project, reading).allFilesURL
    assert.deepEqual({ ...data, allFilesURL: pages }, expected(project, reading))
    const { id, ...shown } = await legacy(`fetch_lead${suffix}?id=${deal.leadId}`)
    assert.deepEqual(shown, expected(lead, reading))
    const org = `org_id=${dealer.company.number}&page=1`
    const projects = (await legacy(`fetch_all_project${suffix}?${org}`)).data
    assert.deepEqual(
      projects.find((p: { id: string }) => p.id === deal.projectId),
      { id: deal.projectId, ...data },
    )
    const leads = (await legacy(`fetch_all_lead${suffix}?${org}`)).data
    assert.deepEqual(
      leads.find((l: { id: string }) => l.id === id),
      { id, ...shown },
    )
  }
}

test('what PATCH /v1/leads changes is in every legacy reading at once', async () => {
  const body = {
    firstName: 'Zoë',
    lastName: 'O’Hara "Z"',
    email: 'zoe@example.com',
    phone: '+1 760 555 0199',
    notes: 'Ring twice',
    address: { line1: '7 Elm Ave', city: 'Reno', state: 'NV', postalCode: '89501' },
    coBorrower: { firstName: 'Uwe', lastName: 'Ott', email: 'uwe@example.com', phone: '775 555 0111' },
  }
  for (const { deal, suffix } of lines) {
    await app.call('PATCH', `/v1/leads/${deal.leadId}`, { key: dealer.key, body })
    const { data } = await legacy(`fetch_project${suffix}?id=${deal.leadId}`, dealer)
    assert.deepEqual(
      [data.customerFirstName, data.customerLastName, data.customerAddress, data.secondaryCustomerLastName],
      ['Zoë', 'O’Hara "Z"', '7 Elm Ave, Reno, NV 89501', 'Ott'],
    )
    assert.equal((await legacy(`fetch_lead${suffix}?id=${deal.leadId}`)).customerNotes, 'Ring twice')
  }
  await assertAgree()
})

test('what update_lead changes is in /v1 at once, on lead and project, as a change of both', async () => {
  for (const { deal, isHi } of lines) {
    const before = await records(deal)
    const since = await clock()
    const sent = { primary_last_name: 'Berg', primary_phone: 6195550123, secondary_email: '' }
    const answer = await post('update_lead', { id: deal.leadId, home_improvement: isHi, ...sent }, dealer)
    assert.deepEqual(answer, {
      id: isHi ? 'HiLeadUid1' : deal.leadId,
      home_improvement: isHi,
      primary_first_name: 'Zoë',
      primary_last_name: 'Berg',
      primary_email: 'zoe@example.com',
      primary_phone: 6195550123,
      secondary_first_name: 'Uwe',
      secondary_last_name: 'Ott',
      secondary_email: '',
      secondary_phone: 7755550111,
    })
    const now = await records(deal)
    const customer = { ...before.lead.customer, lastName: 'Berg', phone: '6195550123' }
    const coBorrower = { ...before.lead.coBorrower, email: null }
    const { updatedAt } = now.lead
    assert.deepEqual(now.lead, { ...before.lead, customer, coBorrower, updatedAt })
    const moved = now.project.updatedAt
    assert.deepEqual(now.project, { ...before.project, customer, coBorrower, updatedAt: moved })
    assert.ok(updatedAt > since && moved > since && updatedAt !== moved)
    assert.deepEqual(await changedSince('leads', since), [deal.leadId])
    assert.deepEqual(await changedSince('projects', since), [deal.projectId])
  }
  await assertAgree()
})

test('update_stage and the stage move of /v1 are one', async () => {
  for (const { deal, suffix, stage } of lines) {
    const since = await clock()
    const path = `update_stage${suffix}?id=${deal.leadId}&project_stage_name=${stage.toUpperCase()}`
    const answer = await post(path, {})
    assert.equal(answer.success, true)
    assert.deepEqual(answer.data, { project_id: deal.projectId, new_status: stage })
    const { project } = await records(deal)
    assert.equal(project.stage.name, stage)
    assert.deepEqual(await changedSince('projects', since), [deal.projectId])
    assert.deepEqual(await changedSince('leads', since), [])
    const items = await rows('select from checklist_items where project_id = $1', [deal.projectId])
    assert.ok(items.length > 0)
    const [newest] = (await v1(`leads/${deal.leadId}/activities?limit=10`)).data.filter(
      (a: { type: string }) => a.type === 'stageChanged',
    )
    assert.equal(newest.body, `Moved from Sold to ${stage}`)

    const left = await traces()
    assert.deepEqual((await post(path, {})).data, answer.data)
    assert.deepEqual(await traces(), left)
    await app.call('POST', `/v1/projects/${deal.projectId}/stage`, { key, body: { stage: 'complete' } })
    const { data } = await legacy(`fetch_project${suffix}?id=${deal.projectId}`)
    assert.equal(data.projectStatus, 'Complete')
  }
  await assertAgree()
})

const folderIds: Record<string, string> = {
  contract: 'contract',
  utility_bill: 'utilityBill',
  drivers_license: 'identification',
  materials: 'material',
  survey_photos: 'siteSurvey',
  engineering_plansets: 'planset',
  permits: 'permit',
  interconnection: 'interconnection',
  insurance: 'homeInsurance',
  installation_photos: 'installationPhoto',
  internal_documents: 'internal',
}

test('project_upload_file puts files into the folder of /v1 that is meant, once', async () => {
  for (const { deal, suffix } of lines) {
    for (const [folder_id, folder] of Object.entries(folderIds)) {
      const before = (await records(deal)).project
      const fileurl = [at(`/${folder_id}-1.png`), at(`/${folder_id}-2.pdf`)]
      const body = { fileurl, project_id: deal.projectId, folder_id }
      assert.equal((await post(`project_upload_file${suffix}`, body)).success, true)
      const now = (await records(deal)).project
      const names = now.files[folder].map((url: string) => url.split('/').at(-1))
      assert.deepEqual(names, [`${folder_id}-1.png`, `${folder_id}-2.pdf`])
      assert.ok(now.updatedAt > before.updatedAt)
      const untouched = { ...now.files, [folder]: [] }
      assert.deepEqual(untouched, before.files)

      const [left, calls] = [await traces(), asked.length]
      await post(`project_upload_file${suffix}`, body)
      assert.deepEqual([await traces(), asked.length], [left, calls])
    }
  }
  await assertAgree()
})

test('files added through /v1 are in contractURL and in the folders', async () => {
  for (const { deal, suffix } of lines) {
    for (const folder of ['contract', 'other']) {
      const body = { folder, files: [{ url: at('/new.pdf'), name: 'signed "copy".pdf' }] }
      await app.call('POST', `/v1/projects/${deal.projectId}/files`, { key, body })
    }
    const { data } = await legacy(`fetch_project${suffix}?id=${deal.projectId}`)
    const newest = [data.contractURL].flat().at(-1)
    assert.equal((await app.send('GET', newest.slice(app.url.length))).status, 200)
    assert.match(newest, /signed%20%22copy%22\.pdf$/)
    if (suffix) assert.equal(data.allFilesURL.otherDocuments.length, 1)
  }
  await assertAgree()
})

test('a note of create_activity is in the feed of /v1, by its key, and moves nothing', async () => {
  for (const { deal, suffix } of lines) {
    for (const who of [installer, dealer]) {
      const notes = `Gate code 4711, says ${who.company.name}`
      const before = await records(deal)
      const body = { project_id: deal.projectId, installer_id: String(installer.company.number), notes }
      const answer = await post(`create_activity${suffix}`, body, who)
      assert.deepEqual(answer.data, { project_id: deal.projectId, installer_id: tenant })
      const [newest] = (await v1(`leads/${deal.leadId}/activities?limit=1`)).data
      assert.deepEqual(
        [newest.type, newest.body, newest.author, newest.internal],
        ['note', notes, `${who.company.name} CRM`, false],
      )
      assert.deepEqual(await records(deal), before)
    }
  }
})

test('a lead of create-lead is in /v1 at once', async () => {
  const since = await clock()
  const { status, leaduid } = await post(
    'create-lead',
    {
      firstName: 'Ida',
      lastName: 'Noor',
      email: 'ida@example.com',
      phoneNumber: '619 555 0177',
      address: '1 Market St, Unit 4, San Diego, CA 92101',
      salesRepEmail: rep.email.toUpperCase(),
    },
    dealer,
  )
  assert.equal(status, 200)
  const made = await v1(`leads/${leaduid}`)
  assert.deepEqual([made.reference, made.productLine, made.status], [leaduid, 'solar', 'new'])
  assert.deepEqual([made.salesRep.name, made.address.line2], ['Rita Rep', 'Unit 4'])
  assert.deepEqual(await changedSince('leads', since), [made.id])
  const { id, ...shown } = await legacy(`fetch_lead?id=${made.id}`, dealer)
  assert.deepEqual(shown, expected(solarLead, { lead: made, project: null, zone: '' }))
  assert.equal(id, leaduid)
})

test('a renamed member and stage and a new install date show in both, and no rendering is stale', async () => {
  await updateMember(db, new Date(), dealer.company.id, rep.id, { name: 'Rita "R"', phone: null })
  await updateMember(db, new Date(), tenant, surveyor.id, { name: 'Susan' })
  const named = (await legacy(`fetch_project?id=${solar.projectId}`)).data
  assert.deepEqual(
    [named.salesRepName, named.salesRepPhone, named.siteSurveyorName],
    ['Rita "R"', '', 'Susan'],
  )
  const stages = await rows<{ id: string }>(
    "select id from stages where installer_id = $1 and name = 'Complete'",
    [tenant],
  )
  for (const { id } of stages) await patchStage(db, new Date(), tenant, id, { name: 'All done' })
  for (const { deal, suffix } of lines) {
    await app.call('PATCH', `/v1/projects/${deal.projectId}`, { key, body: { installDate: '2026-11-02' } })
    const { data, remaining } = await legacy(
      `fetch_all_project${suffix}?org_id=${dealer.company.number}&page=1`,
    )
    assert.deepEqual([data[0].id, data[0].projectStatus, remaining], [deal.projectId, 'All done', 0])
    assert.equal((await legacy(`fetch_lead${suffix}?id=${deal.leadId}`)).projectStatus, 'All done')
  }
  await assertAgree()
  const { checked, stale } = await checkRenderings(db, new Date(), tenant, false)
  assert.deepEqual([checked > 4, stale], [true, []])
})
