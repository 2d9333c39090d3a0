import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { checkRenderings } from '../../src/domain/deals/renderings/rerender.ts'
import { listWrongCounts } from '../../src/domain/operations/checks/count-queries.ts'
import { lead } from '../support/factories.ts'
import { addPerson, signedIn } from '../support/people.ts'
import { stock } from '../support/stock.ts'
import { saleOf, startUndoing } from '../support/undoing.ts'

const { app, world, installer, owner, desk, setStage } = await startUndoing()
const sale = saleOf(await stock(installer), 10)
await setStage('Sold', {
  alerts: ['owner'],
  messages: [{ subject: 'Welcome {firstName}', body: 'You are in {stage}.' }],
  checklist: ['Contract filed'],
})

describe('selling a lead in the console', () => {
  const fresh = () =>
    lead(installer, {
      firstName: 'Ada',
      lastName: 'Moreno',
      email: 'ada@example.com',
      status: 'nurture',
    } as never)
  const sell = (leadId: string, more: object = {}) =>
    desk.call('POST', `/leads/${leadId}/sale`, { body: { ...sale, ...more } })
  const undo = (leadId: string, moveId: string, as = desk) =>
    as.call('POST', `/leads/${leadId}/sale/undo`, { body: { moveId } })
  const mails = (leadId: string) =>
    app.database.rows<{ to: string; waits: number }>(
      `select to_address as "to", round(extract(epoch from next_attempt_at - created_at))::int as waits from mails
       where lead_id = $1 order by to_address`,
      [leadId],
    )
  const read = async (leadId: string) => (await app.get(`/v1/leads/${leadId}`, installer.key)).body
  const told = (leadId: string) =>
    app.database.rows<{ type: string; body: string }>(
      'select type, body from webhook_messages where lead_id = $1 order by number',
      [leadId],
    )

  test('says beforehand who will be told; their mails wait, and each can be left out', async () => {
    const leadId = await fresh()
    const { recipients } = (await desk.get(`/leads/${leadId}/sale`)).body
    assert.deepEqual(recipients, {
      customer: { name: 'Ada Moreno', email: 'ada@example.com', subjects: ['Welcome Ada'] },
      people: ['Olga Owner'],
    })
    const sold = await sell(leadId)
    assert.equal(sold.status, 200, sold.text)
    assert.ok(Math.abs(Date.parse(sold.body.undo.until) - Date.now() - 30_000) < 29_000)
    const waiting = await mails(leadId)
    assert.deepEqual(
      waiting.map(({ to }) => to),
      ['ada@example.com', owner.email],
    )
    for (const { waits } of waiting) assert.ok(waits >= 30, `${waits} s`)
    assert.equal((await desk.get(`/leads/${leadId}/sale`)).body.recipients, null)
    const again = await sell(leadId)
    assert.deepEqual([again.body.before, again.body.undo], [true, null])

    const quiet = await fresh()
    await sell(quiet, { notifyCustomer: false })
    assert.deepEqual(
      (await mails(quiet)).map(({ to }) => to),
      [owner.email],
    )
    const silent = await fresh()
    await sell(silent, { notifyCustomer: false, notifyTeam: false })
    assert.deepEqual(await mails(silent), [])
  })

  test('an undo takes back project, mails and alerts; the lead is what it was, and endpoints are told', async () => {
    const leadId = await fresh()
    const before = await read(leadId)
    const { body } = await sell(leadId)
    const { projectId, undo: offered } = body
    assert.equal((await app.get(`/v1/projects/${projectId}`, installer.key)).status, 200)
    const undone = await undo(leadId, offered.moveId)
    assert.deepEqual([undone.status, undone.body], [200, { leadId }], undone.text)
    const after = await read(leadId)
    assert.deepEqual({ ...after, updatedAt: null }, { ...before, updatedAt: null })
    assert.ok(after.updatedAt > before.updatedAt)
    assert.equal((await app.get(`/v1/projects/${projectId}`, installer.key)).status, 404)
    assert.deepEqual(await mails(leadId), [])
    for (const table of ['notifications', 'checklist_items', 'stage_moves', 'calendar_entries'])
      assert.deepEqual(
        await app.database.rows(`select 1 from ${table} where project_id = $1`, [projectId]),
        [],
        table,
      )
    const feed = (await app.get(`/v1/leads/${leadId}/activities`, installer.key)).body.data
    const types = feed.map(({ type }: { type: string }) => type)
    assert.ok(!types.includes('message') && !types.includes('alert') && !types.includes('projectCreated'))
    assert.ok(feed.some(({ body }: { body: string }) => body === 'The sale was undone'))

    const messages = await told(leadId)
    assert.deepEqual(
      messages.map(({ type }) => type),
      [
        'lead.created',
        'lead.updated',
        'project.created',
        'team.alerted',
        'message.queued',
        'project.deleted',
        'lead.updated',
        'activity.deleted',
        'activity.deleted',
      ],
    )
    const { data } = JSON.parse(messages.at(-3)!.body.replaceAll('\u0001', ''))
    assert.deepEqual([data.status, data.project, data.previous.status], ['nurture', null, 'sold'])
    const gone = JSON.parse(messages.at(-4)!.body.replaceAll('\u0001', '')).data
    assert.deepEqual([gone.id, gone.previous], [projectId, {}])
    const { installerId } = installer.company
    assert.deepEqual((await checkRenderings(world.db, new Date(), installerId, false)).stale, [])

    // And it can be sold once more.
    const second = await sell(leadId)
    assert.equal(second.status, 200, second.text)
    assert.notEqual(second.body.projectId, projectId)
    assert.equal((await undo(leadId, offered.moveId)).status, 400, 'the first sale is undone already')
  })

  test('what somebody has worked on, or whose mails have gone, stays', async () => {
    const cases: [name: string, work: (leadId: string, projectId: string) => Promise<unknown>][] = [
      [
        'moved by a key',
        (_, id) =>
          app.call('POST', `/v1/projects/${id}/stage`, { key: installer.key, body: { stage: 'Design' } }),
      ],
      [
        'customer changed',
        (id) => app.call('PATCH', `/v1/leads/${id}`, { key: installer.key, body: { phone: '619 555 0101' } }),
      ],
      [
        'ticked',
        async (_, id) => {
          const [{ stageId, items }] = (await desk.get(`/projects/${id}`)).body.checklists
          const [{ label }] = items
          return desk.call('PUT', `/projects/${id}/checklist`, { body: { stageId, label, done: true } })
        },
      ],
      [
        'shared',
        (_, id) => desk.call('POST', `/projects/${id}/links`, { body: { kind: 'folder', folder: 'permit' } }),
      ],
      ['being sent', (id) => app.database.rows(`update mails set lease = 'x' where lead_id = $1`, [id])],
      [
        'too late',
        (_, id) =>
          app.database.rows(
            `update stage_moves set undo_until = now() - interval '1 s' where project_id = $1`,
            [id],
          ),
      ],
    ]
    for (const [name, work] of cases) {
      const leadId = await fresh()
      const { projectId, undo: offered } = (await sell(leadId)).body
      await work(leadId, projectId)
      const refused = await undo(leadId, offered.moveId)
      assert.equal(refused.status, 400, `${name}: ${refused.text}`)
      assert.equal((await read(leadId)).project.id, projectId, name)
      assert.equal((await mails(leadId)).length, 2, name)
    }
  })

  test('two who undo at once undo once; a move cannot undo a sale, nor anybody else', async () => {
    const leadId = await fresh()
    const { projectId, undo: offered } = (await sell(leadId)).body
    const asMove = await desk.call('POST', `/projects/${projectId}/undo-move`, { body: offered })
    assert.equal(asMove.status, 400)
    const stranger = await signedIn(app, await addPerson(app, world.other.company.id, 'owner'))
    assert.equal((await undo(leadId, offered.moveId, stranger)).status, 404)
    const both = await Promise.all([undo(leadId, offered.moveId), undo(leadId, offered.moveId)])
    assert.deepEqual(both.map(({ status }) => status).sort(), [200, 400])
    assert.equal((await read(leadId)).project, null)
    assert.deepEqual(await listWrongCounts(app.database.db, installer.company.id, false), [])
  })
})
