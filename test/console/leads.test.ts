import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { type App, startApp } from '../support/app.ts'
import { createWorld, lead, project, type World } from '../support/factories.ts'
import { addPerson, type Person, signedIn } from '../support/people.ts'

type Session = Awaited<ReturnType<typeof signedIn>>

const body = {
  firstName: 'Ada',
  lastName: 'Moreno',
  address: { line1: '1 Market St', city: 'San Diego', state: 'CA', postalCode: '92101' },
}

describe('leads in the console', () => {
  let app: App
  let world: World
  const people: Record<string, Person> = {}
  const as: Record<string, Session> = {}

  before(async () => {
    app = await startApp()
    world = await createWorld(app.database.db)
    const { installer, dealer, other } = world
    for (const role of ['owner', 'manager', 'rep', 'setter', 'surveyor', 'subcontractor'] as const)
      people[role] = await addPerson(app, installer.company.id, role)
    people.dealerOwner = await addPerson(app, dealer.company.id, 'owner')
    people.dealerRep = await addPerson(app, dealer.company.id, 'rep')
    people.stranger = await addPerson(app, other.company.id, 'owner')
    for (const [name, person] of Object.entries(people)) as[name] = await signedIn(app, person)
  })

  const create = async (who: string, more: object = {}): Promise<string> => {
    const answer = await as[who]!.call('POST', '/leads', { body: { ...body, ...more } })
    assert.equal(answer.status, 201, answer.text)
    return answer.body.leadId
  }
  const read = async (id: string, who = 'owner') => (await as[who]!.get(`/leads/${id}`)).body
  const patch = (id: string, change: object, who = 'owner') =>
    as[who]!.call('PATCH', `/leads/${id}`, { body: change })
  const list = async (query: string, who = 'owner') => {
    const answer = await as[who]!.get(`/leads?${query}`)
    assert.equal(answer.status, 200, answer.text)
    return answer.body as { leads: { id: string }[]; next: string | null; total: { count: number } | null }
  }
  const ids = async (query: string, who = 'owner') => (await list(query, who)).leads.map(({ id }) => id)

  test('a lead is made with all its fields, and reads the same in the API', async () => {
    const id = await create('owner', {
      email: 'ada@example.com',
      phone: '(619) 555-0142',
      notes: 'Wants a battery',
      externalId: 'crm-1',
      productLine: 'hi',
      status: 'contacted',
      coBorrower: { firstName: 'Luis' },
      utility: { name: 'SDG&E', monthlyBill: '182.5' },
      source: { name: 'Door', subSource: 'North' },
      salesRepId: people.rep!.id,
      setterId: people.setter!.id,
    })
    const shown = await read(id)
    assert.equal(shown.utility.monthlyBill, '182.50')
    assert.equal(shown.salesRep.name, 'The rep')
    assert.deepEqual(shown.can, { edit: true, sell: true, archive: true, export: true, erase: true })
    const { body: answered } = await app.get(`/v1/leads/${id}`, world.installer.key)
    assert.equal(answered.utility.monthlyBill, 182.5)
    assert.equal(answered.setter.name, 'The setter')
    assert.equal(answered.status, 'contacted')
    assert.equal(answered.links.record, shown.links.record)
  })

  test('a known externalId answers the lead that exists', async () => {
    const id = await create('owner', { externalId: 'crm-2' })
    const again = await as.owner!.call('POST', '/leads', { body: { ...body, externalId: 'crm-2' } })
    assert.equal(again.status, 200)
    assert.deepEqual(again.body, { leadId: id, created: false, unassigned: [] })
  })

  test('a rep or setter who makes a lead is on it; surveyors and subcontractors make none', async () => {
    const byRep = await read(await create('rep', { salesRepId: people.manager!.id }))
    assert.equal(byRep.salesRepId, people.rep!.id)
    const bySetter = await read(await create('setter', { salesRepId: people.rep!.id }))
    assert.deepEqual([bySetter.salesRepId, bySetter.setterId], [people.rep!.id, people.setter!.id])
    for (const who of ['surveyor', 'subcontractor'])
      assert.equal((await as[who]!.call('POST', '/leads', { body })).status, 403)
  })

  test('what is not there, or not one’s own, answers as missing', async () => {
    const id = await create('owner')
    const dealers = await lead(world.dealer)
    const unseen: [string, string][] = [
      ['rep', id],
      ['surveyor', id],
      ['dealerOwner', id],
      ['stranger', id],
      ['dealerRep', dealers],
      ['stranger', dealers],
      ['owner', 'lead_00000000000000000000000000'],
      ['owner', 'nonsense'],
    ]
    const missing = (await as.owner!.get('/leads/lead_00000000000000000000000000')).body
    for (const [who, leadId] of unseen) {
      for (const [method, path] of [
        ['GET', ''],
        ['PATCH', ''],
        ['GET', '/duplicates'],
        ['GET', '/activities'],
        ['POST', '/notes'],
      ] as const) {
        const sent =
          method === 'GET' ? {} : { body: method === 'PATCH' ? { email: 'x@example.com' } : { body: 'Hi' } }
        const answer = await as[who]!.call(method, `/leads/${leadId}${path}`, sent)
        assert.equal(answer.status, 404, `${who} ${method} ${path}: ${answer.text}`)
        assert.deepEqual(answer.body, missing)
      }
    }
    assert.equal((await read(dealers, 'owner')).company.name, 'Bright Doors')
    assert.equal((await read(dealers, 'dealerOwner')).id, dealers)
  })

  test('the people of a project see its lead', async () => {
    const { leadId } = await project(world.installer, {}, { siteSurveyorId: people.surveyor!.id })
    const seen = await read(leadId, 'surveyor')
    assert.deepEqual(seen.can, {
      edit: false,
      sell: false,
      archive: false,
      export: false,
      erase: false,
    })
    assert.ok((await ids('limit=100', 'surveyor')).includes(leadId))
    assert.equal((await patch(leadId, { phone: '1' }, 'surveyor')).status, 403)
  })

  test('two people who edit other fields both keep theirs', async () => {
    const id = await create('owner', { address: { ...body.address, line2: 'B' } })
    const changes = [
      { address: { city: 'Reno' } },
      { address: { line1: '2 Main' } },
      { phone: '619 555 0100' },
      { coBorrower: { firstName: 'Luis' } },
      { coBorrower: { email: 'luis@example.com' } },
      { utility: { monthlyBill: '99' } },
      { source: { name: 'Fair' } },
    ]
    for (const { status } of await Promise.all(changes.map((change) => patch(id, change))))
      assert.equal(status, 200)
    const after = await read(id)
    assert.deepEqual(
      [after.address.line1, after.address.line2, after.address.city, after.customer.phone],
      ['2 Main', 'B', 'Reno', '619 555 0100'],
    )
    assert.deepEqual([after.coBorrower.firstName, after.coBorrower.email], ['Luis', 'luis@example.com'])
    assert.deepEqual([after.utility.monthlyBill, after.source.name], ['99.00', 'Fair'])
    const cleared = await patch(id, {
      phone: '',
      coBorrower: { firstName: '', email: '' },
      utility: { monthlyBill: '' },
      address: { line2: '' },
    })
    assert.equal(cleared.body.customer.phone, null)
    assert.equal(cleared.body.coBorrower, null)
    assert.equal(cleared.body.utility.monthlyBill, null)
    assert.equal(cleared.body.address.line2, null)
  })

  test('what changes nothing moves nothing', async () => {
    const id = await create('owner', { utility: { monthlyBill: '120.00' } })
    const { version } = await read(id)
    const same = await patch(id, { firstName: 'Ada', utility: { monthlyBill: '120' }, status: 'new' })
    assert.equal(same.body.version, version)
  })

  test('the status is set by hand, but for sold, which comes and stays with the project', async () => {
    const id = await create('owner')
    assert.equal((await patch(id, { status: 'appointmentSet' })).body.status, 'appointmentSet')
    assert.equal((await app.get(`/v1/leads/${id}`, world.installer.key)).body.status, 'appointmentSet')
    const refused = await patch(id, { status: 'sold' })
    assert.equal(refused.status, 400)
    assert.match(refused.body.error.message, /mark the lead as sold/)
    const { leadId } = await project(world.installer)
    assert.equal((await patch(leadId, { status: 'lost' })).status, 400)
    assert.equal((await patch(leadId, { status: 'sold', phone: '1' })).status, 200)
  })

  test('people are put on a lead, by whom and from where they may', async () => {
    const id = await create('owner')
    const assigned = await patch(id, { salesRepId: people.rep!.id })
    assert.equal(assigned.body.salesRep.name, 'The rep')
    assert.equal((await read(id, 'rep')).id, id)
    assert.equal((await patch(id, { setterId: people.setter!.id }, 'rep')).status, 200)
    assert.equal((await patch(id, { salesRepId: people.manager!.id }, 'rep')).status, 403)
    for (const salesRepId of [people.dealerRep!.id, people.stranger!.id, 'memb_nobody'])
      assert.equal((await patch(id, { salesRepId })).status, 400)
    const dealers = await lead(world.dealer)
    assert.equal((await patch(dealers, { salesRepId: people.rep!.id })).status, 200)
    assert.equal((await patch(dealers, { salesRepId: people.dealerRep!.id })).status, 200)
    assert.equal((await patch(dealers, { salesRepId: people.rep!.id }, 'dealerOwner')).status, 400)
    const { activities } = (await as.owner!.get(`/leads/${id}/activities`)).body
    assert.deepEqual(
      activities
        .filter(({ type }: { type: string }) => type === 'assigned')
        .map((a: { body: string }) => a.body),
      ['Assigned to The setter (setter)', 'Assigned to The rep (sales rep)'],
    )
  })

  test('wrong fields are named', async () => {
    const id = await create('owner')
    const wrong: [object, RegExp][] = [
      [{}, /Nothing was entered/],
      [{ firstName: '' }, /First name must not be empty/],
      [{ email: 'nobody' }, /Email must be an email address/],
      [{ address: { country: 'USA' } }, /Country must be a two-letter/],
      [{ utility: { monthlyBill: '1,000' } }, /Monthly bill must be an amount/],
      [{ status: 'bought' }, /Status is not one of the choices/],
      [{ salesRepId: 5 }, /Sales rep must be text/],
      [{ archived: true }, /out of date/],
    ]
    for (const [change, message] of wrong) {
      const answer = await patch(id, change)
      assert.equal(answer.status, 400, JSON.stringify(change))
      assert.match(answer.body.error.message, message)
    }
    for (const query of [
      'status=x',
      'limit=0',
      'limit=101',
      'after=x',
      'after=99999999999999-lead_0',
      'sort=name',
      'foo=1',
    ])
      assert.equal((await as.owner!.get(`/leads?${query}`)).status, 400, query)
  })

  test('possible duplicates share the phone or the house, among what one sees', async () => {
    const address = { ...body.address, line1: '77 Twin Rd', postalCode: '90001' }
    const first = await create('owner', { phone: '(619) 555-7777' })
    const samePhone = await create('owner', { phone: '+1 619 555 7777', address })
    const sameHouse = await create('rep', { address: { ...address, line1: '77 TWIN rd' } })
    const { duplicates } = (await as.owner!.get(`/leads/${samePhone}/duplicates`)).body
    assert.deepEqual(
      duplicates.map((one: Record<string, unknown>) => [one.id, one.samePhone, one.sameAddress]),
      [
        [sameHouse, false, true],
        [first, true, false],
      ],
    )
    assert.deepEqual((await as.rep!.get(`/leads/${sameHouse}/duplicates`)).body.duplicates, [])
  })

  test('of many duplicates the last changed are shown, each once', async () => {
    const address = { ...body.address, line1: '78 Twin Rd', postalCode: '90001' }
    const all: string[] = []
    for (let i = 0; i < 24; i++)
      all.push(await create('owner', { phone: '(619) 555-7878', ...(i % 2 === 0 ? { address } : {}) }))
    const shown = async (id: string) =>
      (await as.owner!.get(`/leads/${id}/duplicates`)).body.duplicates.map(({ id }: { id: string }) => id)
    assert.deepEqual(await shown(all[0]!), all.slice(-20).reverse())
    assert.equal((await patch(all[1]!, { source: { name: 'Fair' } })).status, 200)
    assert.deepEqual(await shown(all[0]!), [all[1], ...all.slice(-19).reverse()])
  })

  test('many are assigned or archived at once, and who may not is told', async () => {
    const mine = [await create('owner'), await create('owner')]
    const foreign = await lead(world.other)
    const bulk = (sent: object, who = 'owner') => as[who]!.call('POST', '/leads/bulk', { body: sent })
    const done = await bulk({
      ids: [...mine, foreign, mine[0]],
      assign: { rep: people.rep!.id, setter: null },
    })
    assert.equal(done.status, 200, done.text)
    assert.equal(done.body.changed, 2)
    assert.deepEqual(
      done.body.refused.map(({ id }: { id: string }) => id),
      [foreign],
    )
    assert.equal((await read(mine[1]!)).salesRepId, people.rep!.id)
    assert.equal((await bulk({ ids: mine, archive: true }, 'manager')).body.changed, 2)
    assert.ok(!(await ids('limit=100')).includes(mine[0]!))
    assert.deepEqual((await ids('archived=only')).sort(), mine.sort())
    assert.equal((await app.get(`/v1/leads/${mine[0]}`, world.installer.key)).body.archived, true)
    assert.deepEqual((await bulk({ ids: mine, archive: true })).body, { changed: 0, refused: [] })
    assert.equal((await bulk({ ids: mine, archive: false })).body.changed, 2)
    for (const who of ['rep', 'setter', 'surveyor', 'dealerRep'])
      assert.equal((await bulk({ ids: mine, archive: true }, who)).status, 403, who)
    const dealerOwner = await bulk({ ids: mine, archive: true }, 'dealerOwner')
    assert.equal(dealerOwner.body.refused.length, 2)
    for (const sent of [
      { ids: [] },
      { ids: mine },
      { ids: mine, archive: true, assign: { rep: null } },
      { ids: mine, assign: {} },
      { ids: Array(201).fill(mine[0]), archive: true },
    ])
      assert.equal((await bulk(sent)).status, 400, JSON.stringify(sent).slice(0, 80))
  })
})

describe('the list of leads', () => {
  let app: App
  let owner: Session
  let rep: Session
  let dealerOwner: Session
  let repId: string
  let dealerId: string
  const made: Record<string, string> = {}

  before(async () => {
    app = await startApp()
    const world = await createWorld(app.database.db)
    const { installer, dealer } = world
    const ofInstaller = await addPerson(app, installer.company.id, 'owner')
    const aRep = await addPerson(app, installer.company.id, 'rep')
    repId = aRep.id
    dealerId = dealer.company.id
    owner = await signedIn(app, ofInstaller)
    rep = await signedIn(app, aRep)
    dealerOwner = await signedIn(app, await addPerson(app, dealer.company.id, 'owner'))
    made.ada = await lead(installer, {
      firstName: 'Ada',
      lastName: 'Moreno',
      email: 'ADA@wattage.example',
      phone: '(619) 555-0142',
      source: { name: 'Door', subSource: null },
    })
    made.bo = await lead(installer, {
      firstName: 'Bo',
      lastName: 'Quill_100%',
      externalId: 'crm/9',
      salesRepId: repId,
      productLine: 'hi',
    })
    made.cy = await lead(dealer, {
      firstName: 'Cy',
      lastName: 'Young',
      status: 'lost',
      coBorrower: { firstName: 'Ola', lastName: 'Young', email: null, phone: '760-555-9911' },
    })
    made.di = await lead(installer, {
      firstName: 'Di',
      lastName: 'Vale',
      reference: 'Ab12Cd34Ef',
      address: {
        line1: '900 Ocean Front',
        line2: null,
        city: 'Carlsbad',
        state: 'CA',
        postalCode: '92008',
        country: 'US',
      },
    })
  })

  const names = async (query: string, session = owner) => {
    const answer = await session.get(`/leads?${query}`)
    assert.equal(answer.status, 200, answer.text)
    return answer.body.leads.map(({ firstName }: { firstName: string }) => firstName)
  }

  test('each sees theirs, the last changed first, with how many there are', async () => {
    assert.deepEqual(await names(''), ['Di', 'Cy', 'Bo', 'Ada'])
    assert.deepEqual(await names('', rep), ['Bo'])
    assert.deepEqual(await names('', dealerOwner), ['Cy'])
    assert.deepEqual((await owner.get('/leads')).body.total, { count: 4, orMore: false })
    assert.deepEqual((await rep.get('/leads')).body.total, { count: 1, orMore: false })
    assert.deepEqual((await dealerOwner.get('/leads?search=young')).body.total, { count: 1, orMore: false })
  })

  test('everything that names a lead finds it, in any form', async () => {
    const searches: [string, string[]][] = [
      ['moreno', ['Ada']],
      ['ada moreno', ['Ada']],
      ['MORENO ada', ['Ada']],
      ['ada young', []],
      ['wattage.example', ['Ada']],
      ['6195550142', ['Ada']],
      ['619-555-0142', ['Ada']],
      ['+1 (619) 555 0142', ['Ada']],
      ['0142', ['Ada']],
      ['760 555 9911', ['Cy']],
      ['ocean', ['Di']],
      ['carlsbad 92008', ['Di']],
      ['ab12cd34ef', ['Di']],
      ['crm/9', ['Bo']],
      ['100%', ['Bo']],
      ['l_1', ['Bo']],
      ['%', []],
      ['___', []],
      ['ola', ['Cy']],
      ['b', ['Bo']],
      ['mo', ['Ada']],
      [made.cy!, ['Cy']],
    ]
    for (const [text, found] of searches) {
      assert.deepEqual(await names(`search=${encodeURIComponent(text)}`), found, text)
      assert.deepEqual(await names(`sort=made&search=${encodeURIComponent(text)}`), found, text)
    }
    assert.deepEqual(await names('search=moreno', rep), [])
    assert.deepEqual(await names('search=quill', rep), ['Bo'])
    assert.deepEqual(await names('search=moreno', dealerOwner), [])
  })

  test('filters hold alone and together', async () => {
    const filters: [string, string[]][] = [
      ['status=lost', ['Cy']],
      ['line=hi', ['Bo']],
      [`rep=${repId}`, ['Bo']],
      ['rep=none', ['Di', 'Cy', 'Ada']],
      [`setter=${repId}`, []],
      [`company=${dealerId}`, ['Cy']],
      ['source=Door', ['Ada']],
      ['archived=only', []],
      ['archived=all&status=new&line=solar', ['Di', 'Ada']],
      ['search=an&status=new', []],
      ['search=san&status=new&rep=none', ['Ada']],
    ]
    for (const [query, found] of filters) {
      const answer = await owner.get(`/leads?${query}`)
      assert.deepEqual(
        answer.body.leads.map((one: { firstName: string }) => one.firstName),
        found,
        query,
      )
      assert.equal(answer.body.total.count, found.length, query)
    }
    assert.deepEqual((await owner.get('/leads/sources')).body, { sources: ['Door'] })
    assert.deepEqual((await rep.get('/leads/sources')).body, { sources: [] })
  })

  test('pages follow each other without a gap, by change and by making', async () => {
    for (const more of ['sort=changed', 'sort=made', 'search=ca', 'search=ca&sort=made']) {
      const walked: string[] = []
      let after = ''
      do {
        const { body } = await owner.get(`/leads?limit=1&${more}${after && `&after=${after}`}`)
        assert.equal(body.total === null, after !== '')
        walked.push(...body.leads.map((one: { firstName: string }) => one.firstName))
        after = body.next ?? ''
      } while (after)
      assert.deepEqual(walked, await names(more), more)
      assert.equal(walked.length, 4)
    }
  })

  test('nobody is shown nothing', async () => {
    for (const path of ['/leads', '/leads/sources', `/leads/${made.ada}`, '/views?page=leads'])
      assert.equal((await app.send('GET', `/console/api${path}`)).status, 401)
  })
})
