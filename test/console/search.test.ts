import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { SearchResponse } from '../../src/api/console/search.ts'
import { lowered, searchForm } from '../../src/domain/kernel/search-form.ts'
import { type App, startApp } from '../support/app.ts'
import { createWorld, lead, project, type World } from '../support/factories.ts'
import { addPerson, signedIn } from '../support/people.ts'

type Visitor = Awaited<ReturnType<typeof signedIn>>

describe('the search over everything', () => {
  let app: App
  let world: World
  const as: Record<string, Visitor> = {}
  let leadId: string
  let sold: { leadId: string; projectId: string }

  const found = async (q: string, who = 'owner') => {
    const { status, body, text } = await as[who]!.get(`/search?q=${encodeURIComponent(q)}`)
    assert.equal(status, 200, text)
    const { leads, projects } = body as SearchResponse
    return { leads: leads.map(({ id }) => id), projects: projects.map(({ id }) => id) }
  }

  before(async () => {
    app = await startApp()
    world = await createWorld(app.server.deps.db)
    const { installer, dealer, other } = world
    const rep = await addPerson(app, installer.company.id, 'rep')
    as.owner = await signedIn(app, await addPerson(app, installer.company.id, 'owner'))
    as.rep = await signedIn(app, rep)
    as.dealerOwner = await signedIn(app, await addPerson(app, dealer.company.id, 'owner'))
    as.stranger = await signedIn(app, await addPerson(app, other.company.id, 'owner'))
    leadId = await lead(installer, {
      firstName: 'Wu',
      lastName: 'Quimby',
      email: 'wu@quimby.example',
      phone: '(619) 555-0142',
      externalId: 'crm-77',
      salesRepId: rep.id,
    })
    sold = await project(dealer, { firstName: 'Zelda', lastName: 'Quimby' })
    await project(other, { firstName: 'Other', lastName: 'Quimby' })
  })

  test('finds by any part of what is known', async () => {
    const only = { leads: [leadId], projects: [] }
    for (const q of ['wu', 'WU quim', 'quimby.example', 'crm-77', leadId, '619-555-0142', '+1 619 555 0142'])
      assert.deepEqual(await found(q), only, q)
    assert.deepEqual(await found('quimby'), { leads: [leadId], projects: [sold.projectId] })
    assert.deepEqual(await found(sold.projectId), { leads: [], projects: [sold.projectId] })
    assert.deepEqual(await found('zelda wu'), { leads: [], projects: [] })
  })

  test('finds without accents and apostrophes, and with them', async () => {
    const nunez = await lead(world.installer, { firstName: 'Iñaki', lastName: 'Núñez' })
    const plain = await lead(world.installer, {
      firstName: 'Pat',
      lastName: "O'Brien",
      email: "o'brien@x.example",
    })
    const curly = await project(world.installer, { firstName: 'Søren', lastName: 'O’Brien' })
    for (const q of ['nunez', 'NÚÑEZ', 'nu\u0301n\u0303ez', 'inaki nun'])
      assert.deepEqual(await found(q), { leads: [nunez], projects: [] }, q)
    for (const q of ['obrien', "o'brien", 'O’Brien', 'o brien', 'O`Brien'])
      assert.deepEqual(await found(q), { leads: [plain], projects: [curly.projectId] }, q)
    assert.deepEqual(await found('soren'), { leads: [], projects: [curly.projectId] })
    const ivan = await lead(world.installer, { firstName: 'Иван', lastName: 'ПЕТРОВ' })
    const eleni = await lead(world.installer, { firstName: 'Ελένη', lastName: 'Παππά' })
    const odysseas = await lead(world.installer, { firstName: 'Οδυσσέας', lastName: 'Ν' })
    const kos = await lead(world.installer, { firstName: 'ΚΏΣΤΑΣ', lastName: 'Ν' })
    const taro = await lead(world.installer, { firstName: '太郎', lastName: '山田川' })
    for (const [q, id] of [
      ['иван', ivan],
      ['ИВАН петров', ivan],
      ['етро', ivan],
      ['ΕΛΈΝΗ', eleni],
      ['ελενη παπ', eleni],
      ['ΟΔΥΣΣΈΑΣ', odysseas],
      ['οδυσσεας', odysseas],
      ['ΟΔΥΣ', odysseas],
      ['Κως', kos],
      ['ΚΩΣ', kos],
      ['山田川', taro],
      ['太郎', taro],
    ] as const)
      assert.deepEqual(await found(q), { leads: [id], projects: [] }, q)
    assert.deepEqual(await found("o'brien@x"), { leads: [plain], projects: [] })
    assert.deepEqual(await found("'"), { leads: [], projects: [] })
    const { body } = await as.owner!.get('/leads?search=nunez')
    assert.deepEqual(
      body.leads.map(({ id }: { id: string }) => id),
      [nunez],
    )
  })

  test('the database and the application mean the same by it', async () => {
    const from = (first: number, last: number) =>
      Array.from({ length: last - first + 1 }, (_, at) => String.fromCodePoint(first + at)).join('')
    const letters = from(1, 0x17f).replace(/[ĲĿ]/g, '')
    const others = [from(0x391, 0x3c9), 'ΟΔΥΣΣΕΥΣ ΚΩΣ', from(0x400, 0x52f), from(0x531, 0x586)]
    const texts = [letters, ...others, 'Ẽẞ ‘a’ ‛b′ ＇', 'Łukasz Đặng', "d'Ærø Œuvre Straße", 'O%_\\']
    const rows = await app.database.rows<{ form: string; small: string }>(
      `select search_form(t) as form, lower(t) as small from unnest($1::text[]) with ordinality as of(t, n) order by n`,
      [texts],
    )
    assert.deepEqual(
      rows.map(({ form }) => form),
      texts.map(searchForm),
    )
    assert.deepEqual(
      rows.map(({ small }) => small),
      texts.map(lowered),
    )
    const [plan] = await app.database.rows<{ indexes: number }>(
      `select count(*)::int as indexes from pg_indexes where indexname in
        ('leads_by_words', 'invoices_by_words', 'credits_by_words')`,
    )
    assert.equal(plan!.indexes, 3)
  })

  test('says where a project stands and how a lead does', async () => {
    const { body } = await as.owner!.get('/search?q=quimby')
    assert.equal(body.leads[0].status, 'new')
    assert.equal(body.projects[0].stage, 'Sold')
    assert.equal(body.projects[0].dealer, 'Bright Doors')
    assert.equal(body.projects[0].place, '1 Market St, San Diego')
  })

  test('each finds their own', async () => {
    assert.deepEqual(await found('quimby', 'rep'), { leads: [leadId], projects: [] })
    assert.deepEqual(await found('quimby', 'dealerOwner'), { leads: [], projects: [sold.projectId] })
    assert.equal((await found('quimby', 'stranger')).projects.length, 1)
    assert.deepEqual(await found('zelda', 'stranger'), { leads: [], projects: [] })
    assert.equal((await app.send('GET', '/console/api/search?q=a')).status, 401)
  })

  test('shows at most twenty, and nothing for nothing', async () => {
    for (let i = 0; i < 15; i++) {
      await lead(world.installer, { lastName: 'Crowd' })
      await project(world.installer, { lastName: 'Crowd' })
    }
    const { leads, projects } = await found('crowd')
    assert.deepEqual([leads.length, projects.length], [10, 10])
    assert.deepEqual(await found('   '), { leads: [], projects: [] })
    assert.deepEqual(await found('%'), { leads: [], projects: [] })
    assert.deepEqual(await found('a_b\\'), { leads: [], projects: [] })
    for (const path of ['/search', '/search?q=a&page=2', `/search?q=${'x'.repeat(201)}`])
      assert.equal((await as.owner!.get(path)).status, 400, path)
  })
})
