import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { checkRenderings } from '../../src/domain/deals/renderings/rerender.ts'
import { newId } from '../../src/platform/ids.ts'
import { project } from '../support/factories.ts'
import { addPerson, signedIn } from '../support/people.ts'
import { startUndoing } from '../support/undoing.ts'

const { app, world, installer, owner, desk, setStage } = await startUndoing()
await setStage('Installed', {
  alerts: ['salesRep', 'owner'],
  messages: [{ subject: 'Hello {firstName}', body: 'You are in {stage}.' }],
})

describe('moving a stage in the console', () => {
  const customer = { firstName: 'Ada', lastName: 'Moreno', email: 'ada@example.com' }

  const sold = () => project(installer, customer)
  const read = async (id: string) => (await app.get(`/v1/projects/${id}`, installer.key)).body
  const move = (id: string, body: object) => desk.call('POST', `/projects/${id}/stage`, { body })
  const undo = (id: string, moveId: string, as = desk) =>
    as.call('POST', `/projects/${id}/undo-move`, { body: { moveId } })
  const mails = (leadId: string) =>
    app.database.rows<{ to: string; waits: number }>(
      `select to_address as "to", round(extract(epoch from next_attempt_at - created_at))::int as waits from mails
       where lead_id = $1 order by to_address`,
      [leadId],
    )
  const count = async (text: string, id: string) =>
    (await app.database.rows<{ n: number }>(`select count(*)::int as n from ${text}`, [id]))[0]!.n
  const notices = (id: string) => count('notifications where project_id = $1', id)
  const items = (id: string) => count('checklist_items where project_id = $1', id)
  const feed = async (leadId: string): Promise<{ type: string; body: string }[]> =>
    (await app.get(`/v1/leads/${leadId}/activities`, installer.key)).body.data
  const told = async (subjectId: string) =>
    (
      await app.database.rows<{ type: string }>(
        'select type from webhook_messages where subject_id = $1 order by number',
        [subjectId],
      )
    ).map(({ type }) => type)

  test('says beforehand who will be told, and does nothing', async () => {
    const { projectId, leadId } = await sold()
    const { body } = await desk.get(`/projects/${projectId}/move?stage=installed`)
    assert.deepEqual(body, {
      stage: 'Installed',
      customer: { name: 'Ada Moreno', email: 'ada@example.com', subjects: ['Hello Ada'] },
      people: ['Olga Owner'],
      installationPanels: 21,
    })
    const quiet = await desk.get(`/projects/${projectId}/move?stage=Complete`)
    assert.deepEqual(quiet.body, { stage: 'Complete', customer: null, people: [], installationPanels: null })
    const here = await desk.get(`/projects/${projectId}/move?stage=Sold`)
    assert.equal(here.body.customer, null)
    const unknown = await desk.get(`/projects/${projectId}/move?stage=Nowhere`)
    assert.equal(unknown.status, 400)
    assert.match(unknown.body.error.message, /The stages are: /)
    assert.deepEqual([(await read(projectId)).stage.name, await mails(leadId)], ['Sold', []])
  })

  test('its mails wait for 30 seconds; by the API they do not', async () => {
    const byPerson = await sold()
    const moved = await move(byPerson.projectId, { stage: 'Installed' })
    assert.ok(Math.abs(Date.parse(moved.body.undo.until) - Date.now() - 30_000) < 29_000)
    const wait = await mails(byPerson.leadId)
    assert.deepEqual(
      wait.map(({ to }) => to),
      ['ada@example.com', owner.email],
    )
    for (const { waits } of wait) assert.ok(waits >= 30, `${waits} s`)

    const byKey = await sold()
    await app.call('POST', `/v1/projects/${byKey.projectId}/stage`, {
      key: installer.key,
      body: { stage: 'Installed' },
    })
    assert.deepEqual(
      (await mails(byKey.leadId)).map(({ waits }) => waits),
      [0, 0],
    )
    const same = await move(byPerson.projectId, { stage: 'Installed' })
    assert.deepEqual(same.body, { changed: false, stage: 'Installed', undo: null })
  })

  test('customer and team can be left out, each by itself', async () => {
    const one = await sold()
    await move(one.projectId, { stage: 'Installed', notifyCustomer: false })
    assert.deepEqual(
      (await mails(one.leadId)).map(({ to }) => to),
      [owner.email],
    )
    assert.ok((await feed(one.leadId)).every(({ type }) => type !== 'message'))
    const other = await sold()
    await move(other.projectId, { stage: 'Installed', notifyTeam: false })
    assert.deepEqual(
      (await mails(other.leadId)).map(({ to }) => to),
      ['ada@example.com'],
    )
    assert.equal(await notices(other.projectId), 0)
  })

  test('an undo takes all of it back, and is a move of its own', async () => {
    const { projectId, leadId } = await sold()
    const before = await read(projectId)
    const counts = async () => (await app.get('/catalog/v1/installations', installer.key)).body.meta.total
    const panels = async () => (await app.get('/catalog/v1/panels', installer.key)).body.meta.total
    const [sites, made] = [await counts(), await panels()]
    const moved = await move(projectId, { stage: 'Installed' })
    const during = await read(projectId)
    const [{ id: site }] = (await app.database.rows<{ id: string }>(
      'select id from installations where project_id = $1',
      [projectId],
    )) as [{ id: string }]
    assert.deepEqual([await counts(), await panels()], [sites + 1, made + 21])
    assert.ok(during.milestones.installCompleted)
    assert.ok((await notices(projectId)) > 0 && (await items(projectId)) > 0)

    const undone = await undo(projectId, moved.body.undo.moveId)
    assert.deepEqual([undone.status, undone.body], [200, { stage: 'Sold' }])
    const after = await read(projectId)
    assert.equal(after.stage.name, 'Sold')
    assert.ok(Date.parse(after.stage.enteredAt) > Date.parse(during.stage.enteredAt))
    assert.ok(Date.parse(after.stage.enteredAt) > Date.parse(before.stage.enteredAt))
    assert.deepEqual(after.milestones, before.milestones)
    assert.deepEqual(await mails(leadId), [])
    assert.deepEqual([await notices(projectId), await items(projectId)], [0, 0])
    assert.deepEqual([await counts(), await panels()], [sites, made])
    assert.equal((await app.get(`/catalog/v1/installations/${site}`, installer.key)).status, 404)
    const entries = await feed(leadId)
    assert.ok(entries.every(({ type }) => type !== 'message' && type !== 'alert'))
    assert.deepEqual(
      entries.filter(({ type }) => type === 'stageChanged').map(({ body }) => body),
      ['Moved back from Installed to Sold: the move was undone', 'Moved from Sold to Installed'],
    )
    const { stale } = await checkRenderings(world.db, new Date(), installer.company.id, false)
    assert.deepEqual(stale, [])
    // Endpoints heard of the move, so they hear of this one too.
    assert.deepEqual(await told(projectId), [
      'project.created',
      'project.stage_changed',
      'project.updated',
      'project.stage_changed',
      'project.updated',
    ])
    assert.deepEqual(await told(site), ['installation.created', 'installation.deleted'])

    // Built again, it gets another installation.
    assert.equal((await move(projectId, { stage: 'Installed' })).status, 200)
    assert.equal(await counts(), sites + 1)
  })

  test('what was there before the move stays, and so does what was ticked off since', async () => {
    const { projectId } = await sold()
    await app.call('POST', `/v1/projects/${projectId}/stage`, {
      key: installer.key,
      body: { stage: 'Design' },
    })
    await app.call('POST', `/v1/projects/${projectId}/stage`, { key: installer.key, body: { stage: 'Sold' } })
    const kept = await items(projectId)
    assert.ok(kept > 0)
    const again = await move(projectId, { stage: 'Design' })
    await undo(projectId, again.body.undo.moveId)
    assert.equal(await items(projectId), kept)
    assert.ok((await read(projectId)).milestones.siteSurveyCompleted)

    const { body } = await move(projectId, { stage: 'Permitting' })
    const [stage] = await app.database.rows<{ id: string }>(
      `select stage_id as id from projects where id = $1`,
      [projectId],
    )
    await desk.call('PUT', `/projects/${projectId}/checklist`, {
      body: { stageId: stage!.id, label: 'Permit application sent', done: true },
    })
    assert.equal((await undo(projectId, body.undo.moveId)).status, 200)
    assert.equal(await items(projectId), kept + 1)
  })

  test('it cannot be undone twice, late, after another move, or by whoever may not move', async () => {
    const { projectId, leadId } = await sold()
    const first = (await move(projectId, { stage: 'Installed' })).body.undo.moveId
    const dealers = await signedIn(app, await addPerson(app, world.dealer.company.id, 'owner'))
    assert.equal((await undo(projectId, first, dealers)).status, 404)
    const rep = await signedIn(app, await addPerson(app, installer.company.id, 'rep'))
    assert.equal((await undo(projectId, first, rep)).status, 404)
    const stranger = await signedIn(app, await addPerson(app, world.other.company.id, 'owner'))
    assert.equal((await undo(projectId, first, stranger)).status, 404)
    assert.equal((await undo(projectId, 'move_0')).status, 400)
    assert.equal((await mails(leadId)).length, 2)

    // A sender has one of its mails already.
    await app.database.rows(
      `update mails set lease = 'somebody' where id in (select id from mails where lead_id = $1 limit 1)`,
      [leadId],
    )
    const late = await undo(projectId, first)
    assert.equal(late.status, 400)
    assert.match(late.body.error.message, /too late/)
    assert.equal((await mails(leadId)).length, 2)
    assert.equal((await read(projectId)).stage.name, 'Installed')
    await app.database.rows(`update mails set lease = null where lead_id = $1`, [leadId])
    await app.database.rows(
      `update stage_moves set undo_until = now() - interval '1 s' where project_id = $1`,
      [projectId],
    )
    assert.match((await undo(projectId, first)).body.error.message, /too late/)
    await app.database.rows(
      `update stage_moves set undo_until = now() + interval '9 s' where project_id = $1`,
      [projectId],
    )

    const second = (await move(projectId, { stage: 'Inspection' })).body.undo.moveId
    assert.match((await undo(projectId, first)).body.error.message, /moved on/)
    assert.equal((await undo(projectId, second)).status, 200)
    assert.match((await undo(projectId, second)).body.error.message, /moved on/)
    assert.equal((await read(projectId)).stage.name, 'Installed')
  })

  test('an installation that is in use keeps the move', async () => {
    const { projectId, leadId } = await sold()
    const { moveId } = (await move(projectId, { stage: 'Installed' })).body.undo
    const [panel] = await app.database.rows<{ id: string }>(
      `select p.id from panels p join installations i using (installer_id) where i.id = p.installation_id
         and i.project_id = $1 limit 1`,
      [projectId],
    )
    const refuses = async () => {
      const refused = await undo(projectId, moveId)
      assert.equal(refused.status, 400, refused.text)
      assert.match(refused.body.error.message, /in use already/)
    }
    const alert = newId('alrt')
    await app.database.rows(
      `insert into alerts (installer_id, id, company_id, installation_id, type, severity, status, title, description,
         recommended_action, triggered_at)
       select installer_id, $2, company_id, id, 'outage', 'high', 'active', 'Nothing', 'It makes nothing.', 'Look.', now()
       from installations where project_id = $1`,
      [projectId, alert],
    )
    await refuses()
    await app.database.rows('delete from alerts where id = $1', [alert])
    const sent = await app.call('POST', '/catalog/v1/monitoring/readings', {
      key: installer.key,
      body: { readings: [{ panel_id: panel!.id, timestamp: new Date().toISOString(), kwh: 0.1 }] },
    })
    assert.equal(sent.status, 200, sent.text)
    await refuses()
    assert.equal((await mails(leadId)).length, 2)
    assert.equal((await read(projectId)).stage.name, 'Installed')
  })
})
