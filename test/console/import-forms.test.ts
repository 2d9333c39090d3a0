import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { addMember } from '../../src/domain/tenants/members/add-member.ts'
import { type App, startApp } from '../support/app.ts'
import { createWorld, lead, member, type World } from '../support/factories.ts'
import { addPerson, signedIn } from '../support/people.ts'
import { stock } from '../support/stock.ts'
import { workbook } from '../support/xlsx.ts'

type Client = Awaited<ReturnType<typeof signedIn>>
type Problem = { row: number; column: string | null; message: string; refused: boolean }

/** Files as other systems write them. */
describe('a rude file', () => {
  let app: App
  let world: World
  let admin: Client
  let panelModel: string

  before(async () => {
    app = await startApp()
    world = await createWorld(app.database.db)
    panelModel = (await stock(world.installer)).panel.model!
    admin = await signedIn(app, await addPerson(app, world.installer.company.id, 'admin', 'Amir Admin'))
  })

  const upload = async (contents: string | Buffer, name = 'export.csv', client = admin): Promise<string> => {
    const { status, body, text } = await app.send(
      'PUT',
      `/console/api/imports?${new URLSearchParams({ name })}`,
      {
        raw: Buffer.from(contents),
        headers: { cookie: client.cookie, 'x-sunstead-console': '1' },
      },
    )
    assert.equal(status, 201, text)
    return body.id
  }
  const read = async (id: string) => (await admin.get(`/imports/${id}`)).body
  const settled = async (id: string) => {
    for (;;) {
      const found = await read(id)
      if (!['checking', 'running', 'undoing'].includes(found.state)) return found
      await wait(50)
    }
  }
  const guessed = async (id: string): Promise<(string | null)[]> =>
    (await read(id)).columns.map(({ field }: { field: string | null }) => field)
  const check = async (id: string) => {
    const { status, text } = await admin.call('POST', `/imports/${id}/check`, {
      body: { mapping: await guessed(id) },
    })
    assert.equal(status, 200, text)
    return settled(id)
  }
  const start = (id: string, body?: object) =>
    admin.call('POST', `/imports/${id}/start`, body ? { body } : {})
  const imported = async (contents: string | Buffer, name?: string) => {
    const id = await upload(contents, name)
    await check(id)
    const { status, text } = await start(id)
    assert.equal(status, 200, text)
    return settled(id)
  }
  const counts = ({ made, updated, unchanged, refused }: Record<string, number>) => [
    made,
    updated,
    unchanged,
    refused,
  ]
  const messages = ({ firstProblems }: { firstProblems: Problem[] }) =>
    firstProblems.map(({ row, column, message }) => `${row} ${column}: ${message}`)
  const byExternalId = async (externalId: string) => {
    const [found] = await app.database.rows<{ id: string }>('select id from leads where external_id = $1', [
      externalId,
    ])
    return (await app.get(`/v1/leads/${found!.id}`, world.installer.key)).body
  }
  const projectOf = async (externalId: string) =>
    (await app.get(`/v1/projects/${(await byExternalId(externalId)).project.id}`, world.installer.key)).body

  test('with a BOM, semicolons, our own labels, 182,50, 1.234,50 and days of three kinds is taken whole', async () => {
    await member(world, world.installer, 'Renée Núñez')
    const header =
      'External ID;First name;Last name;Street;City;State;ZIP code;Monthly bill;Sales rep;Created on;Stage;In this stage since;Contract price;System size, kW;Sold on'
    const rows = [
      'eu-1;Ada;Moreno;1 Elm St;Boston;MA;02108;182,50;renee nunez;2024-03-05;;;;;',
      'eu-2;Bo;Young;2 Elm St;Boston;MA;02108;1.234,50;NÚÑEZ, Renée;05.03.2024;Permitting;31/12/2025;28.500,00;8,4;12/24/2025',
      'eu-3;Cy;Reyes;3 Elm St;Boston;MA;02108;99;;3/5/2024;Permitting;02/01/2026;28.500;8,125;',
    ]
    const id = await upload(`\uFEFF${header}\r\n${rows.join('\r\n')}\r\n`)
    assert.ok(!(await guessed(id)).includes(null), JSON.stringify(await guessed(id)))
    const checked = await check(id)
    assert.deepEqual([...counts(checked), ...messages(checked)], [3, 0, 0, 0])
    const { monthlyBill, createdOn, stageSince, contractPrice } = checked.preview[2].values
    assert.deepEqual(
      [monthlyBill, createdOn, stageSince, contractPrice],
      ['99.00', '2024-03-05', '2026-01-02', '28500.00'],
    )
    assert.equal((await start(id)).status, 200)
    await settled(id)
    const [ada, bo] = [await byExternalId('eu-1'), await byExternalId('eu-2')]
    assert.deepEqual([ada.utility.monthlyBill, bo.utility.monthlyBill], [182.5, 1234.5])
    assert.deepEqual([ada.salesRep.name, bo.salesRep.name], ['Renée Núñez', 'Renée Núñez'])
    assert.deepEqual(
      [ada, bo, await byExternalId('eu-3')].map(({ createdAt }) => createdAt.slice(0, 10)),
      ['2024-03-05', '2024-03-05', '2024-03-05'],
    )
    const [second, third] = [await projectOf('eu-2'), await projectOf('eu-3')]
    assert.deepEqual([second.contract.price, second.system.sizeKw], [28500, 8.4])
    assert.equal(second.contract.signedAt.slice(0, 10), '2025-12-24')
    assert.deepEqual([second.stage.name, second.stage.enteredAt.slice(0, 10)], ['Permitting', '2025-12-31'])
    // The column has a 31/12: the day comes first in all of it. And its prices have decimal commas: 28.500 is a thousand.
    assert.equal(third.stage.enteredAt.slice(0, 10), '2026-01-02')
    assert.deepEqual([third.contract.price, third.system.sizeKw], [28500, 8.125])
  })

  test('a bad optional cell is a warning and the row is taken without it; what a lead needs is not left out', async () => {
    const header =
      'External ID,First name,Last name,Street,City,State,ZIP code,Country,Email,Monthly bill,Status,Product line,Sales rep,Created on,Notes,Source'
    const bad = 'Atlantis,nobody,a lot,Hot,Submarines,Nobody Here,someday'
    const file = [
      header,
      `w-1,Ada,Moreno,1 Elm St,Boston,MA,02108,${bad},${'n'.repeat(20_001)},${'s'.repeat(201)}`,
      `w-2,,Moreno,1 Elm St,Boston,MA,02108,${bad},,`,
      `${'x'.repeat(129)},Ada,Moreno,1 Elm St,Boston,MA,02108,,,,,,,,,`,
      `w-4,Ada,Moreno,1 Elm St,Boston,MA,02108,,,,appointment SET,home-improvement,,2099-01-01,,`,
    ]
    const done = await imported(`${file.join('\n')}\n`)
    assert.deepEqual(counts(done), [2, 0, 0, 2])
    const said = messages(done)
    for (const expected of [
      '2 Country: left out: “Atlantis” is not a two-letter country code, such as US',
      '2 Email: left out: “nobody” is not an email address',
      '2 Monthly bill: left out: “a lot” is not an amount such as 182.50',
      '2 Status: left out: “Hot” is not one of New, Contacted, Nurture, Appointment set, Proposal sent, Sold, Lost, Unqualified',
      '2 Product line: left out: “Submarines” is not one of Solar, Home improvement',
      '2 Sales rep: left out: nobody who works for your company is called Nobody Here',
      '2 Created on: left out: “someday” is not a date such as 2026-01-31 or 1/31/2026',
      '2 Notes: left out: it has 20001 characters, and at most 20000 are kept',
      '2 Source: left out: it has 201 characters, and at most 200 are kept',
      '3 First name: is required',
      '4 External ID: must have at most 128 characters',
      '5 Created on: left out: 2099-01-01 is not a past date, 2000 or later',
    ])
      assert.ok(said.includes(expected), `${expected} is not in\n${said.join('\n')}`)
    const refused = done.firstProblems.filter((problem: Problem) => problem.refused)
    assert.deepEqual([...new Set(refused.map(({ row }: Problem) => row))], [3, 4])
    const made = await byExternalId('w-1')
    assert.deepEqual(
      [made.customer.email, made.status, made.address.country, made.salesRep],
      [null, 'new', 'US', null],
    )
    const other = await byExternalId('w-4')
    assert.deepEqual([other.status, other.productLine], ['appointmentSet', 'hi'])
  })

  test('a project is taken without what the catalogue or the ladder does not know; a price is needed', async () => {
    const header =
      'External ID,First name,Last name,Street,City,State,ZIP code,Contract price,System size,Panel,Panel count,Battery,Adders,Stage,Install date,Financing,APR'
    const who = (id: string) => `${id},Ada,Moreno,1 Elm St,Boston,MA,02108`
    const file = [
      header,
      `${who('o-1')},28500,8.4,No such panel,20,No such battery,No such adder,Nowhere,whenever,barter,a lot`,
      `${who('o-2')},a lot,8.4,,,,,,,,`,
      `${who('o-3')},28500,,No such panel,20,,,,,,`,
      `${who('o-4')},28500,,${panelModel.toUpperCase()},20,,,pERMITTING,,loan,`,
    ]
    const done = await imported(`${file.join('\n')}\n`)
    assert.deepEqual(counts(done), [2, 0, 0, 2], messages(done).join('\n'))
    const said = messages(done).join('\n')
    for (const expected of [
      /^2 Panel: left out: the catalogue has no panel “No such panel”$/m,
      /^2 Battery: left out: the catalogue has no battery “No such battery”$/m,
      /^2 Adders: left out: the catalogue has no adder “No such adder”$/m,
      /^2 Stage: left out: there is no stage “Nowhere” \(there are “Sold”, “Site Survey”, .*\), so it begins in Sold$/m,
      /^2 Install date: left out: “whenever” is not a date/m,
      /^2 Financing: left out: “barter” is not one of Cash, Loan, Lease, PPA$/m,
      /^2 APR: left out: “a lot” is not a percentage/m,
      /^3 Contract price: “a lot” is not an amount such as 28500\.00$/m,
      /^4 null: System size is required, or the panel and how many there are; Panel: left out: the catalogue has no panel/m,
    ])
      assert.match(said, expected)
    assert.equal((await projectOf('o-4')).stage.name, 'Permitting')
  })

  test('a known lead keeps what a bad cell would have changed', async () => {
    await lead(world.installer, { externalId: 'k-1', email: 'ada@example.com' })
    const file = `External ID,Email,Phone,Status\nk-1,nobody,619 555 0100,Hot\n`
    const done = await imported(file)
    assert.deepEqual(counts(done), [0, 1, 0, 0])
    const { customer, status } = await byExternalId('k-1')
    assert.deepEqual([customer.email, customer.phone, status], ['ada@example.com', '619 555 0100', 'new'])
  })

  test('reps by email, by name without accents, by last name first; two of one name are not guessed', async () => {
    await member(world, world.installer, 'Zoë O’Brien')
    for (const email of ['sam1@example.org', 'sam2@example.org'])
      await addMember(app.database.db, new Date(), {
        ...{ company: world.installer.company.id, email, name: 'Sam Twin', role: 'rep' as const },
      })
    const who = (id: string, rep: string) => `${id},Ada,Moreno,1 Elm St,Boston,MA,02108,"${rep}"`
    const file = [
      'External ID,First name,Last name,Street,City,State,ZIP code,Lead Owner',
      who('rep-1', 'zoe obrien'),
      who('rep-2', "O'Brien, Zoë"),
      who('rep-3', 'Sam Twin'),
      who('rep-4', 'SAM2@example.org'),
      who('rep-5', 'Ann@'),
    ]
    const done = await imported(`${file.join('\n')}\n`)
    assert.deepEqual(counts(done), [5, 0, 0, 0])
    assert.deepEqual(messages(done), [
      '4 Lead Owner: left out: several people of your company are called Sam Twin, write the email instead',
      '6 Lead Owner: left out: nobody who works for your company has the email Ann@',
    ])
    for (const [id, name] of [
      ['rep-1', 'Zoë O’Brien'],
      ['rep-2', 'Zoë O’Brien'],
      ['rep-4', 'Sam Twin'],
    ])
      assert.equal((await byExternalId(id!)).salesRep?.name, name)
    assert.equal((await byExternalId('rep-3')).salesRep, null)
  })

  const people = (name: string) =>
    `First name,Last name,Street,City,State,ZIP code\n${name},Twice,1 Elm St,Boston,MA,02108\n${name} II,Twice,2 Elm St,Boston,MA,02108\n`

  test('the same rows again are noticed, under another name, as a workbook too, and made again only when that is said', async () => {
    const first = await imported(people('Ada'), 'leads.csv')
    assert.equal(first.same, null)
    // Other line ends, other quotes, another separator: the same rows.
    const dressed = `sep=;\r\n${people('Ada').replaceAll(',', '";"').replaceAll('\n', '"\r\n"').replace(/^/, '"').replace(/"$/, '')}`
    const cells = people('Ada')
      .trim()
      .split('\n')
      .map((line, r) => {
        const texts = line
          .split(',')
          .map((text, i) => `<c r="${'ABCDEF'[i]}${r + 1}" t="inlineStr"><is><t>${text}</t></is></c>`)
        return `<row r="${r + 1}">${texts.join('')}</row>`
      })
    for (const [contents, name] of [
      [people('Ada'), 'leads (1).csv'],
      [dressed, 'leads;.csv'],
      [workbook(cells.join('')), 'leads.xlsx'],
    ] as const) {
      const id = await upload(contents, name)
      const found = await read(id)
      assert.deepEqual(
        [found.same?.id, found.same?.name, found.same?.by],
        [first.id, 'leads.csv', 'Amir Admin'],
        name,
      )
      const checked = await check(id)
      assert.deepEqual(counts(checked), [2, 0, 0, 0])
      const refused = await start(id)
      assert.equal(refused.status, 400)
      assert.match(
        refused.body.error.message,
        /The same rows were imported before, as leads\.csv by Amir Admin/,
      )
    }
    const more = await upload(people('Ada').replace('2 Elm', '3 Elm'))
    assert.equal((await read(more)).same, null)
    const again = await upload(people('Ada'))
    await check(again)
    assert.equal((await start(again, { again: true })).status, 200)
    assert.deepEqual(counts(await settled(again)), [2, 0, 0, 0])
    for (const id of [again, first.id]) {
      await admin.call('POST', `/imports/${id}/undo`)
      await settled(id)
    }
    assert.equal(
      (await read(await upload(people('Ada')))).same,
      null,
      'what was undone is not there any more',
    )
    assert.equal((await start(again, { nonsense: true })).status, 400)
  })

  test('two who begin the same rows at once: one of them is told', async () => {
    const ids = [await upload(people('Eve'), 'a.csv'), await upload(people('Eve'), 'b.csv')]
    for (const id of ids) await check(id)
    const answers = await Promise.all(ids.map((id) => start(id)))
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 400])
    for (const id of ids) await settled(id)
  })

  test('another company’s import of the same rows is nobody else’s business', async () => {
    await imported(people('Ida'))
    const dealer = await signedIn(app, await addPerson(app, world.dealer.company.id, 'owner'))
    const id = await upload(people('Ida'), 'export.csv', dealer)
    assert.equal((await dealer.get(`/imports/${id}`)).body.same, null)
  })

  test('mistakes in the columns are told in the console’s words', async () => {
    const id = await upload(people('Una'))
    const tried = async (mapping: (string | null)[]) =>
      (await admin.call('POST', `/imports/${id}/check`, { body: { mapping } })).body.error?.message
    const none = [null, null, null, null, null, null]
    assert.equal(await tried(none), 'Choose what at least one column fills.')
    assert.equal(
      await tried(none.with(0, 'firstName' as never).with(1, 'firstName' as never)),
      'First name is filled by two columns. Choose one of them, and leave out the other.',
    )
    assert.equal(
      await tried(none.with(0, 'fullName' as never).with(1, 'lastName' as never)),
      'Full name and Last name say the same. Choose one of them.',
    )
    const nameless = await upload('Vor\nAda\n')
    await admin.call('POST', `/imports/${nameless}/check`, { body: { mapping: ['firstName'] } })
    const said = messages(await settled(nameless))
    assert.deepEqual(said, [
      '2 Last name: is required',
      '2 Street: is required',
      '2 City: is required',
      '2 State: is required',
      '2 ZIP code: is required',
    ])
  })

  test('signs that are no text, a UTF-16 file and a wild mix of days do no harm', async () => {
    const header = 'External ID\tFirst name\tLast name\tStreet\tCity\tState\tZIP code\tCreated on\tNotes'
    const rows = [
      'u-1\tAda\tMoreno\t1 Elm St\tBoston\tMA\t02108\t31/12/2023\tfirst',
      'u-2\tBo\tYoung\t2 Elm St\tBoston\tMA\t02108\t12/31/2023\tsecond',
      'u-3\tCy\tReyes\t3 Elm St\tBoston\tMA\t02108\t1703980800000\tthird',
    ]
    const text = `\uFEFF${header}\r\n${rows.join('\r\n')}\r\n`
    const done = await imported(Buffer.from(text, 'utf16le'))
    assert.deepEqual(counts(done), [3, 0, 0, 0], messages(done).join('\n'))
    for (const id of ['u-1', 'u-2', 'u-3'])
      assert.equal((await byExternalId(id)).createdAt.slice(0, 10), '2023-12-31', id)
  })
})
