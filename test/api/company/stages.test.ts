import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkRenderings } from '../../../src/domain/deals/renderings/rerender.ts'
import { defaultLadders } from '../../../src/domain/tenants/ladders/default-ladders.ts'
import { startApp } from '../../support/app.ts'
import { clockMoved } from '../../support/clock-watch.ts'
import { createWorld, project } from '../../support/factories.ts'

const app = await startApp()
const { installer, dealer, other } = await createWorld(app.database.db)
const { projectId } = await project(dealer)

test('stages are those of both ladders, each in its order', async () => {
  const { body } = await app.get('/v1/stages', installer.key)
  for (const line of ['solar', 'hi'] as const) {
    const ladder = body.data.filter((stage: { productLine: string }) => stage.productLine === line)
    assert.deepEqual(
      ladder.map(({ id: _, ...stage }: { id: string }) => stage),
      defaultLadders[line].map(({ name, milestone, daysAllowed }, i) => ({
        name,
        productLine: line,
        position: i + 1,
        milestone: milestone ?? null,
        allowedDays: daysAllowed ?? null,
      })),
    )
  }
  assert.equal(body.data.length, defaultLadders.solar.length + defaultLadders.hi.length)
  assert.deepEqual((await app.get('/v1/stages', dealer.key)).body, body)
  const foreign = new Set(
    (await app.get('/v1/stages', other.key)).body.data.map(({ id }: { id: string }) => id),
  )
  assert.ok(body.data.every(({ id }: { id: string }) => !foreign.has(id)))
})

test('a project names its stage by the same id, in its row and in full', async () => {
  const stages = (await app.get('/v1/stages', dealer.key)).body.data as { id: string; name: string }[]
  const full = (await app.get(`/v1/projects/${projectId}`, dealer.key)).body
  const [row] = (await app.get('/v1/projects', dealer.key)).body.data
  assert.deepEqual(row.stage, full.stage)
  assert.equal(stages.find(({ id }) => id === full.stage.id)!.name, full.stage.name)
})

test('what an older version wrote without the id of the stage is read with it, and is not stale', async () => {
  const { id, name, enteredAt } = (await app.get(`/v1/projects/${projectId}`, installer.key)).body.stage
  const before = (await app.get('/v1/projects?expand=project', installer.key)).body
  await app.database.rows(
    `with clock as (${clockMoved})
     update projects set row_rendering = replace(row_rendering, $2, $3), rendering = replace(rendering, $2, $3)
     where installer_id = $1`,
    [installer.company.id, `"stage":{"id":"${id}","name"`, '"stage":{"name"'],
  )
  const [stored] = await app.database.rows<{ row: string; full: string }>(
    'select row_rendering as row, rendering as full from projects where id = $1',
    [projectId],
  )
  assert.ok(![stored!.row, stored!.full].some((text) => text.includes(id)))
  for (const stage of [
    (await app.get(`/v1/projects/${projectId}`, installer.key)).body.stage,
    (await app.get(`/v1/projects/${projectId}`, dealer.key)).body.stage,
    (await app.get('/v1/projects', installer.key)).body.data[0].stage,
    (await app.get('/v1/projects?stage=sold', dealer.key)).body.data[0].stage,
    (await app.get('/v1/leads?expand=project', installer.key)).body.data[0].project.stage,
  ])
    assert.deepEqual(stage, { id, name, enteredAt })
  assert.deepEqual((await app.get('/v1/projects?expand=project', installer.key)).body, before)
  const { stale } = await checkRenderings(app.database.db, new Date(), installer.company.id, false)
  assert.deepEqual(stale, [])
})
