import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { HomeResponse, NotificationsResponse } from '../../src/api/console/home.ts'
import { moveStage } from '../../src/domain/deals/projects/move-stage.ts'
import { updateProject } from '../../src/domain/deals/projects/update-project.ts'
import { type App, startApp } from '../support/app.ts'
import { createWorld, lead, project, type World } from '../support/factories.ts'
import { addPerson, type Person, signedIn } from '../support/people.ts'

type Visitor = Awaited<ReturnType<typeof signedIn>>

describe('the home page', () => {
  let app: App
  let world: World
  let rep: Person
  const as: Record<string, Visitor> = {}
  let moved: string

  const lateOf = ({ late }: HomeResponse) => ({ solar: late.solar.count, hi: late.hi.count })
  const homeOf = async (who: string): Promise<HomeResponse> => {
    const { status, body, text } = await as[who]!.get('/home')
    assert.equal(status, 200, text)
    return body
  }
  const toldTo = async (who: string, query = ''): Promise<NotificationsResponse> => {
    const { status, body, text } = await as[who]!.get(`/notifications${query}`)
    assert.equal(status, 200, text)
    return body
  }

  before(async () => {
    app = await startApp()
    world = await createWorld(app.server.deps.db)
    const { installer, dealer, other } = world
    rep = await addPerson(app, installer.company.id, 'rep')
    as.owner = await signedIn(app, await addPerson(app, installer.company.id, 'owner'))
    as.rep = await signedIn(app, rep)
    as.dealerOwner = await signedIn(app, await addPerson(app, dealer.company.id, 'owner'))
    as.stranger = await signedIn(app, await addPerson(app, other.company.id, 'owner'))

    await lead(installer, { firstName: 'Nina', lastName: 'New' })
    await lead(installer, { firstName: 'Nora', lastName: 'Mine', salesRepId: rep.id })
    await lead(dealer, { firstName: 'Nick', lastName: 'Dealer' })
    const slow = async (of: typeof installer, firstName: string, days: number, more = {}) => {
      const made = await project(of, { firstName, lastName: 'Slow', ...more })
      await app.database.rows(
        `update projects set stage_entered_at = now() - interval '${days} days' where id = '${made.projectId}'`,
      )
      return made.projectId
    }
    await slow(installer, 'Four', 4)
    await slow(installer, 'Nine', 9, { salesRepId: rep.id })
    await slow(installer, 'Two', 2)
    await slow(dealer, 'Six', 6, { productLine: 'hi' })
    const today = new Date().toISOString().slice(0, 10)
    const inDays = (days: number) =>
      new Date(Date.parse(today) + days * 86_400_000).toISOString().slice(0, 10)
    const made = await project(installer, { firstName: 'Ivy', lastName: 'Install', salesRepId: rep.id })
    moved = made.projectId
    await updateProject(installer.as(), moved, { installDate: inDays(2) })
    const far = await project(dealer, { firstName: 'Fay', lastName: 'Far' })
    await updateProject(installer.as(), far.projectId, { installDate: inDays(20) })
    // What the rep was put on is told apart.
    await as.rep.call('POST', '/notifications/read', { body: { all: true } })
    await moveStage(installer.as(), moved, 'Install Scheduled')
  })

  test('shows what is new, what is stuck, what comes', async () => {
    const home = await homeOf('owner')
    assert.equal(home.waiting.total.count, 3)
    assert.deepEqual(
      home.waiting.leads.map(({ firstName, dealer }) => [firstName, dealer]),
      [
        ['Nick', 'Bright Doors'],
        ['Nora', null],
        ['Nina', null],
      ],
    )
    assert.deepEqual(lateOf(home), { solar: 2, hi: 1 })
    assert.deepEqual(
      home.stuck.map(({ customer, stage, daysLate }) => [customer, stage, daysLate]),
      [
        ['Nine Slow', 'Sold', 7],
        ['Six Slow', 'Sold', 4],
        ['Four Slow', 'Sold', 2],
      ],
    )
    assert.deepEqual(
      home.visits.map(({ kind, projectId }) => [kind, projectId]),
      [['install', moved]],
    )
  })

  test('each sees their own', async () => {
    const ofRep = await homeOf('rep')
    assert.deepEqual(
      [ofRep.waiting.total.count, lateOf(ofRep), ofRep.visits.length],
      [1, { solar: 1, hi: 0 }, 1],
    )
    const ofDealer = await homeOf('dealerOwner')
    assert.deepEqual(
      [ofDealer.waiting.total.count, lateOf(ofDealer), ofDealer.visits.length],
      [1, { solar: 0, hi: 1 }, 0],
    )
    const ofStranger = await homeOf('stranger')
    assert.deepEqual(
      [ofStranger.waiting.total.count, lateOf(ofStranger), ofStranger.stuck, ofStranger.visits],
      [0, { solar: 0, hi: 0 }, [], []],
    )
    assert.equal((await app.send('GET', '/console/api/home')).status, 401)
  })

  test('stage alerts are notifications, read one by one or all', async () => {
    await moveStage(world.installer.as(), moved, 'Installed')
    const { unread, notifications } = await toldTo('rep')
    assert.equal(unread, 2)
    assert.deepEqual(
      notifications.slice(0, 2).map(({ text, projectId, read }) => [text, projectId, read]),
      [
        ['Ivy Install’s project is now in Installed', moved, false],
        ['Ivy Install’s project is now in Install Scheduled', moved, false],
      ],
    )
    const read = (who: string, body: object) => as[who]!.call('POST', '/notifications/read', { body })
    // Another's are left alone.
    assert.deepEqual((await read('owner', { ids: [notifications[0]!.id] })).body, { unread: 0 })
    assert.equal((await toldTo('rep')).unread, 2)
    assert.deepEqual((await read('rep', { ids: [notifications[0]!.id] })).body, { unread: 1 })
    assert.deepEqual(
      (await toldTo('rep')).notifications.slice(0, 2).map((one) => one.read),
      [true, false],
    )
    assert.deepEqual((await read('rep', { all: true })).body, { unread: 0 })
    for (const body of [{}, { ids: [] }, { ids: 'all' }, { all: false }, { some: true }])
      assert.equal((await read('rep', body)).status, 400, JSON.stringify(body))
  })

  test('older notifications follow by pages', async () => {
    await app.database.rows(
      `insert into notifications (installer_id, id, member_id, at, text)
        select $1, 'ntf_' || n, $2, now() - n * interval '1 hour', 'Old ' || n from generate_series(1, 45) n`,
      [world.installer.company.id, rep.id],
    )
    const seen: string[] = []
    let next: string | null = null
    do {
      const page: NotificationsResponse = await toldTo('rep', next ? `?after=${next}` : '')
      assert.ok(page.notifications.length <= 20)
      seen.push(...page.notifications.map(({ id }) => id))
      next = page.next
    } while (next)
    assert.equal(new Set(seen).size, 50)
    assert.equal((await as.rep!.get('/notifications?after=nonsense')).status, 400)
  })
})
