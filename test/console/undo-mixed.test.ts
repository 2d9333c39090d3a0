import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { checkRenderings } from '../../src/domain/deals/renderings/rerender.ts'
import { lead, project } from '../support/factories.ts'
import { stock } from '../support/stock.ts'
import { saleOf, startUndoing } from '../support/undoing.ts'

const { app, world, installer, desk, setStage } = await startUndoing()
const sale = saleOf(await stock(installer), 4)
await setStage('Installed', {
  alerts: ['owner'],
  messages: [{ subject: 'Hello {firstName}', body: 'You are in {stage}.' }],
  checklist: ['Photos taken'],
})

/** People who move, sell and undo, while programs move and read the same records. */
describe('undoing beside programs', () => {
  const ada = { firstName: 'Ada', lastName: 'Moreno', email: 'ada@example.com' }

  const byPerson = (id: string, stage: string) =>
    desk.call('POST', `/projects/${id}/stage`, { body: { stage } })
  const undo = (id: string, moveId: string) =>
    desk.call('POST', `/projects/${id}/undo-move`, { body: { moveId } })
  const byKey = (id: string, stage: string) =>
    app.call('POST', `/v1/projects/${id}/stage`, { key: installer.key, body: { stage } })
  const read = async (id: string) => (await app.get(`/v1/projects/${id}`, installer.key)).body
  const count = async (text: string, id: string) =>
    (await app.database.rows<{ n: number }>(`select count(*)::int as n from ${text}`, [id]))[0]!.n

  /** What endpoints are told of a project's stages: each from where the last one left it, and later. */
  async function assertTold(projectId: string, moves: number) {
    const messages = await app.database.rows<{ body: string }>(
      `select body from webhook_messages where subject_id = $1 and type = 'project.stage_changed' order by number`,
      [projectId],
    )
    const told = messages.map(({ body }) => JSON.parse(body.replaceAll('\u0001', '')).data)
    assert.equal(told.length, moves)
    let last = { stage: { name: 'Sold', enteredAt: '' }, version: 0 }
    for (const data of told) {
      assert.equal(data.previous.stage.name, last.stage.name)
      assert.ok(data.version > last.version && data.stage.enteredAt > last.stage.enteredAt)
      last = data
    }
    const now = await read(projectId)
    assert.deepEqual(now.stage, last.stage)
    return now
  }

  /** Of a project that is in Installed, or is not: one installation or none, its checklist once, who is told. */
  async function assertConsistent(projectId: string, leadId: string, installed: boolean, entered: number) {
    const found = {
      installations: await count('installations where project_id = $1', projectId),
      items: await count(`checklist_items where project_id = $1 and label = 'Photos taken'`, projectId),
      mails: await count('mails where lead_id = $1', leadId),
      notices: await count('notifications where project_id = $1', projectId),
    }
    assert.deepEqual(found, {
      installations: installed ? 1 : 0,
      items: installed ? 1 : 0,
      mails: entered * 2,
      notices: entered,
    })
    const { stale } = await checkRenderings(world.db, new Date(), installer.company.id, false)
    assert.deepEqual(stale, [])
  }

  test('moves by people, by keys and their undoing leave one history, and only what holds is told', async () => {
    const { projectId, leadId } = await project(installer, ada)
    let last = ''
    const moved = async (stage: string, answer: { status: number; text: string }) => {
      assert.equal(answer.status, 200, answer.text)
      const now = (await read(projectId)).stage
      assert.equal(now.name, stage)
      assert.ok(now.enteredAt > last, `${now.enteredAt} after ${last}`)
      last = now.enteredAt
    }
    const first = await byPerson(projectId, 'Installed')
    await moved('Installed', first)
    await moved('Sold', await undo(projectId, first.body.undo.moveId))
    await assertConsistent(projectId, leadId, false, 0)

    await moved('Installed', await byKey(projectId, 'Installed'))
    await assertConsistent(projectId, leadId, true, 1)
    // The move that was undone is not what a program did since.
    assert.equal((await undo(projectId, first.body.undo.moveId)).status, 400)

    const onward = await byPerson(projectId, 'Inspection')
    await moved('Inspection', onward)
    await moved('PTO', await byKey(projectId, 'PTO'))
    const late = await undo(projectId, onward.body.undo.moveId)
    assert.deepEqual([late.status, (await read(projectId)).stage.name], [400, 'PTO'])

    // Back in, by a person: told again, and taken back again; what was made at first stays.
    const again = await byPerson(projectId, 'Installed')
    await moved('Installed', again)
    await assertConsistent(projectId, leadId, true, 2)
    await moved('PTO', await undo(projectId, again.body.undo.moveId))
    await assertConsistent(projectId, leadId, true, 1)
    const { milestones } = await assertTold(projectId, 7)
    assert.ok(milestones.installCompleted)
  })

  test('an undo and a program’s move at the same moment: one comes first, and nothing is between them', async () => {
    for (let i = 0; i < 8; i++) {
      const { projectId, leadId } = await project(installer, ada)
      const { body } = await byPerson(projectId, 'Installed')
      const both = [() => undo(projectId, body.undo.moveId), () => byKey(projectId, 'Design')]
      const [one, other] = await Promise.all((i % 2 ? both.toReversed() : both).map((call) => call()))
      const undone = (i % 2 ? other : one)!.status === 200
      const now = await assertTold(projectId, undone ? 3 : 2)
      assert.equal(now.stage.name, 'Design')
      assert.equal(Boolean(now.milestones.installCompleted), !undone)
      await assertConsistent(projectId, leadId, !undone, undone ? 0 : 1)
    }
  })

  test('who reads what is newer sees each sale and its undoing', async () => {
    const copies = { leads: new Map<string, Copy>(), projects: new Map<string, Copy>() }
    const newest = { leads: '', projects: '' }
    const poll = async () => {
      for (const list of ['leads', 'projects'] as const) {
        const since = newest[list] ? `&updatedSince=${encodeURIComponent(newest[list])}` : ''
        let cursor = ''
        do {
          const { body } = await app.get(`/v1/${list}?limit=3${since}${cursor}`, installer.key)
          for (const one of body.data as Copy[]) {
            // Paging goes from the newest down: a page never takes an older state for a newer one.
            const held = copies[list].get(one.id)
            if (!held || held.updatedAt < one.updatedAt) copies[list].set(one.id, one)
          }
          cursor = body.next ? `&cursor=${encodeURIComponent(body.next)}` : ''
        } while (cursor)
        for (const { updatedAt } of copies[list].values())
          if (updatedAt > newest[list]) newest[list] = updatedAt
      }
    }
    await poll()
    const ids = [await lead(installer, ada), await lead(installer, ada), await lead(installer, ada)]
    let going = true
    const polling = (async () => {
      while (going) await poll()
    })()
    const kept = new Map<string, string | null>()
    await Promise.all(
      ids.map(async (id, i) => {
        for (let n = 0; n < 3; n++) {
          const sold = await desk.call('POST', `/leads/${id}/sale`, { body: sale })
          assert.equal(sold.status, 200, sold.text)
          kept.set(id, sold.body.projectId)
          if (n === 2 && i === 0) return
          const undone = await desk.call('POST', `/leads/${id}/sale/undo`, {
            body: { moveId: sold.body.undo.moveId },
          })
          assert.equal(undone.status, 200, undone.text)
          kept.set(id, null)
        }
      }),
    ).finally(() => {
      going = false
    })
    await polling
    await poll()
    for (const id of ids) {
      const now = (await app.get(`/v1/leads/${id}`, installer.key)).body
      assert.deepEqual(copies.leads.get(id), now)
      assert.equal(now.project?.id ?? null, kept.get(id))
    }
    // A project that was taken back is told by its lead, which has none any more.
    const sold = new Set([...copies.leads.values()].flatMap(({ project: of }) => (of ? [of.id] : [])))
    for (const id of copies.projects.keys()) {
      const { status } = await app.get(`/v1/projects/${id}`, installer.key)
      assert.equal(status, sold.has(id) ? 200 : 404, id)
    }
  })
})

interface Copy {
  id: string
  updatedAt: string
  project?: { id: string } | null
}
