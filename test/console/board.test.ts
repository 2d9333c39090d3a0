import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { BoardResponse, CardResponse } from '../../src/api/console/board.ts'
import { sealPlace } from '../../src/api/console/sealed-place.ts'
import { moveStage } from '../../src/domain/deals/projects/move-stage.ts'
import type { Context } from '../../src/domain/kernel/context.ts'
import { type App, startApp } from '../support/app.ts'
import { createWorld, project, type World } from '../support/factories.ts'
import { addPerson, signedIn } from '../support/people.ts'

type Visitor = Awaited<ReturnType<typeof signedIn>>

const exactly = (count: number) => ({ count, orMore: false })

describe('the board', () => {
  let app: App
  let world: World
  let owner: Visitor
  let rep: Visitor
  let dealerOwner: Visitor
  let surveyor: Visitor
  let repId: string
  let surveyed: string

  const boardOf = async (who: Visitor, query = ''): Promise<BoardResponse> => {
    const { status, body, text } = await who.get(`/board${query}`)
    assert.equal(status, 200, text)
    return body
  }
  const column = ({ columns }: BoardResponse, name: string) =>
    columns.find(({ stage }) => stage.name === name)!
  const names = (cards: CardResponse[]) => cards.map(({ customer }) => customer)
  const all = ({ columns }: BoardResponse) => columns.flatMap(({ cards }) => names(cards)).sort()

  before(async () => {
    app = await startApp()
    world = await createWorld(app.server.deps.db)
    const { installer, dealer, other } = world
    const repPerson = await addPerson(app, installer.company.id, 'rep', 'Rita Rep')
    repId = repPerson.id
    const surveyPerson = await addPerson(app, installer.company.id, 'surveyor', 'Sue Survey')
    owner = await signedIn(app, await addPerson(app, installer.company.id, 'owner'))
    rep = await signedIn(app, repPerson)
    surveyor = await signedIn(app, surveyPerson)
    dealerOwner = await signedIn(app, await addPerson(app, dealer.company.id, 'owner'))

    await project(installer, { firstName: 'Ann', lastName: 'Installer', salesRepId: repId })
    const { projectId } = await project(installer, { firstName: 'Bob', lastName: 'Surveyed' })
    surveyed = projectId
    await app.database.rows(
      `update projects set site_surveyor_id = '${surveyPerson.id}' where id = '${projectId}'`,
    )
    await project(dealer, { firstName: 'Cleo', lastName: 'Dealer' })
    await project(installer, { firstName: 'Hugo', lastName: 'Home', productLine: 'hi' })
    await project(other, { firstName: 'Oda', lastName: 'Other' })
    await moveStage(installer.as(), surveyed, 'Design')
    // Ann entered five days ago, and three are allowed.
    await app.database.rows(
      `update projects set stage_entered_at = now() - interval '5 days' from leads
        where leads.installer_id = projects.installer_id and leads.id = projects.lead_id and leads.first_name = 'Ann'`,
    )
  })

  test('has a column for every stage in the ladder’s order, with totals', async () => {
    const board = await boardOf(owner)
    assert.deepEqual(
      board.columns.map(({ stage }) => stage.name),
      [
        'Sold',
        'Site Survey',
        'Design',
        'Permitting',
        'NTP',
        'Install Scheduled',
        'Installed',
        'Inspection',
        'PTO',
        'Complete',
      ],
    )
    const sold = column(board, 'Sold')
    assert.deepEqual([sold.total, sold.late, sold.next], [exactly(2), exactly(1), null])
    assert.deepEqual(names(sold.cards), ['Cleo Dealer', 'Ann Installer'])
    assert.deepEqual(names(column(board, 'Design').cards), ['Bob Surveyed'])
  })

  test('a card says what is needed to work with it', async () => {
    const [, ann] = column(await boardOf(owner), 'Sold').cards
    const { id, leadId, stageId, enteredAt, ...rest } = ann!
    assert.match(`${id} ${leadId} ${stageId}`, /^proj_\w+ lead_\w+ stg_\w+$/)
    assert.ok(Date.now() - Date.parse(enteredAt!) > 4 * 86_400_000)
    assert.deepEqual(rest, {
      productLine: 'solar',
      customer: 'Ann Installer',
      city: 'San Diego',
      sizeKw: '8.4',
      products: [],
      price: '28728.50',
      rep: 'Rita Rep',
      dealer: null,
      days: 5,
      late: true,
      installDay: null,
    })
  })

  test('the other product line has a ladder of its own', async () => {
    const board = await boardOf(owner, '?line=hi')
    assert.equal(board.columns.length, 7)
    const [hugo] = column(board, 'Sold').cards
    assert.deepEqual([hugo!.customer, hugo!.products, hugo!.sizeKw], ['Hugo Home', ['Roof', 'Gutters'], null])
  })

  test('each sees their own: the tenant, the company, the records they are on', async () => {
    assert.deepEqual(all(await boardOf(owner)), ['Ann Installer', 'Bob Surveyed', 'Cleo Dealer'])
    assert.deepEqual(all(await boardOf(dealerOwner)), ['Cleo Dealer'])
    assert.deepEqual(all(await boardOf(rep)), ['Ann Installer'])
    assert.deepEqual(all(await boardOf(surveyor)), ['Bob Surveyed'])
    assert.equal(column(await boardOf(surveyor), 'Sold').total.count, 0)
    assert.equal((await app.send('GET', '/console/api/board')).status, 401)
  })

  test('is narrowed by words, rep, company and lateness', async () => {
    const { installer, dealer, other } = world
    const found = async (query: string, who = owner) => all(await boardOf(who, query))
    assert.deepEqual(await found('?search=bob'), ['Bob Surveyed'])
    assert.deepEqual(await found('?search=INST+ann'), ['Ann Installer'])
    assert.deepEqual(await found('?search=an'), ['Ann Installer'])
    assert.deepEqual(await found(`?search=${surveyed}`), ['Bob Surveyed'])
    assert.deepEqual(await found('?search=100%25'), [])
    assert.deepEqual(await found(`?rep=${repId}`), ['Ann Installer'])
    assert.deepEqual(await found(`?company=${dealer.company.id}`), ['Cleo Dealer'])
    assert.deepEqual(await found(`?company=${installer.company.id}&late=yes`), ['Ann Installer'])
    assert.deepEqual(await found('?late=yes&search=bob'), [])
    assert.deepEqual(await found(`?company=${other.company.id}`), [])
    assert.deepEqual(await found(`?company=${installer.company.id}`, dealerOwner), [])
    assert.deepEqual(await found('?search=ann', dealerOwner), [])
    assert.deepEqual(await found(`?rep=${repId}&search=ann`, rep), ['Ann Installer'])
    const late = await boardOf(owner, '?late=yes')
    assert.deepEqual([column(late, 'Sold').total, column(late, 'Sold').late], [exactly(1), exactly(1)])
  })

  test('the next cards follow the first, each once, in both orders', async () => {
    const { dealer } = world
    for (let i = 0; i < 60; i++) await project(dealer, { firstName: `Many${i}`, lastName: 'Pages' })
    // Some were imported, and nobody knows since when they stand there.
    await app.database.rows(
      `update projects set stage_entered_at = null from leads
        where leads.installer_id = projects.installer_id and leads.id = projects.lead_id and leads.first_name in ('Many7', 'Many9', 'Many30')`,
    )
    for (const sort of ['recent', 'longest']) {
      for (const filters of ['search=pages', `company=${dealer.company.id}&search=pages`, '']) {
        const sold = column(await boardOf(owner, `?sort=${sort}&${filters}`), 'Sold')
        assert.equal(sold.cards.length, 25)
        const cards = [...sold.cards]
        for (let next = sold.next; next; ) {
          const { status, body, text } = await owner.get(
            `/board/${sold.stage.id}?sort=${sort}&${filters}&limit=10&after=${next}`,
          )
          assert.equal(status, 200, text)
          assert.ok(body.cards.length <= 10)
          cards.push(...body.cards)
          next = body.next
        }
        assert.equal(cards.length, sold.total.count)
        assert.equal(new Set(cards.map(({ id }) => id)).size, sold.total.count)
        const entered = cards.map((card) => card.enteredAt ?? '')
        const inOrder = sort === 'recent' ? entered.toSorted().reverse() : entered.toSorted()
        assert.deepEqual(entered, inOrder)
      }
    }
  })

  test('a place that may be another’s project is read by whom it was sealed for, on the board alone', async () => {
    const { stage, next } = column(await boardOf(owner, '?search=pages'), 'Sold')
    const path = (after: string) => `/board/${stage.id}?search=pages&after=${after}`
    const sealed = (who: string, list: string) =>
      sealPlace(
        app.server.deps,
        { actor: { installerId: world.installer.company.id, id: who } } as Context,
        list,
        next!,
      )
    const mine = await rep.get(path(sealed(repId, 'board')))
    assert.deepEqual([mine.status, mine.body], [200, (await rep.get(path(next!))).body])
    for (const foreign of [
      sealed('memb_x', 'board'),
      sealed(repId, 'fleet'),
      'sealed:zzzzzzzz:'.padEnd(80, 'z'),
    ]) {
      const { status, text } = await rep.get(path(foreign))
      assert.equal(status, 400)
      assert.match(text, /after must be the .{1,3}next/i)
    }
  })

  test('another’s stage is not there, and what is not understood is said', async () => {
    const stages = (await boardOf(owner)).columns
    const after = `0.${surveyed}`
    const { installerId } = world.other.company
    const [foreign] = await app.database.rows<{ id: string }>(
      `select id from stages where installer_id = '${installerId}' limit 1`,
    )
    assert.equal((await owner.get(`/board/${foreign!.id}?after=${after}`)).status, 404)
    assert.equal((await owner.get(`/board/nothing?after=${after}`)).status, 404)
    const bad = [
      '/board?line=wind',
      '/board?sort=name',
      '/board?late=1',
      '/board?colour=red',
      `/board?search=${'x'.repeat(201)}`,
      `/board/${stages[0]!.stage.id}`,
      `/board/${stages[0]!.stage.id}?after=yesterday`,
      `/board/${stages[0]!.stage.id}?after=${after}&limit=1000`,
    ]
    for (const path of bad) {
      const { status, body } = await owner.get(path)
      assert.equal(status, 400, path)
      assert.equal(body.error.code, 'invalid')
    }
  })

  test('a stage that is no longer in use keeps its column while something stands in it', async () => {
    const { installerId } = world.installer.company
    await app.database.rows(
      `update stages set retired_at = now() where installer_id = '${installerId}' and name in ('Design', 'PTO') and product_line = 'solar'`,
    )
    await app.database.rows(
      `update tenant_clocks set directory_version = directory_version + 1 where installer_id = '${installerId}'`,
    )
    const shown = (await boardOf(owner)).columns.map(({ stage }) => stage)
    assert.deepEqual(
      shown.filter(({ retired }) => retired).map(({ name }) => name),
      ['Design'],
    )
    assert.ok(!shown.some(({ name }) => name === 'PTO'))
  })
})
