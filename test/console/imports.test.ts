import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { listWrongCounts } from '../../src/domain/operations/checks/count-queries.ts'
import { type App, startApp } from '../support/app.ts'
import { createWorld, lead, member, type World } from '../support/factories.ts'
import { addPerson, signedIn } from '../support/people.ts'
import { stock } from '../support/stock.ts'
import { workbook } from '../support/xlsx.ts'

type Client = Awaited<ReturnType<typeof signedIn>>

const header = 'External ID,First Name,Last Name,Email,Phone,Street,City,State,Zip'
const row = (id: string, more: Partial<Record<'first' | 'email' | 'phone', string>> = {}) =>
  `${id},${more.first ?? 'Ada'},Moreno,${more.email ?? 'ada@example.com'},${more.phone ?? '619 555 0100'},1 Market St,San Diego,CA,92101`

describe('an import', () => {
  let app: App
  let world: World
  let admin: Client

  before(async () => {
    app = await startApp()
    world = await createWorld(app.database.db)
    admin = await signedIn(app, await addPerson(app, world.installer.company.id, 'admin', 'Amir Admin'))
  })

  const send = (contents: string | Buffer, name = 'leads.csv', client = admin) =>
    app.send('PUT', `/console/api/imports?${new URLSearchParams({ name })}`, {
      raw: Buffer.from(contents),
      headers: { cookie: client.cookie, 'x-sunstead-console': '1' },
    })
  const upload = async (contents: string | Buffer, name?: string): Promise<string> => {
    const { status, body, text } = await send(contents, name)
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
  const check = async (id: string, mapping?: (string | null)[]) => {
    const { columns } = await read(id)
    const fields = mapping ?? columns.map(({ field }: { field: string | null }) => field)
    const { status, text } = await admin.call('POST', `/imports/${id}/check`, { body: { mapping: fields } })
    assert.equal(status, 200, text)
    return settled(id)
  }
  const run = async (id: string) => {
    const { status, text } = await admin.call('POST', `/imports/${id}/start`)
    assert.equal(status, 200, text)
    return settled(id)
  }
  const imported = async (contents: string | Buffer, name?: string, mapping?: (string | null)[]) => {
    const id = await upload(contents, name)
    await check(id, mapping)
    return run(id)
  }
  const byExternalId = async (externalId: string) => {
    const [found] = await app.database.rows<{ id: string }>('select id from leads where external_id = $1', [
      externalId,
    ])
    return (await app.get(`/v1/leads/${found!.id}`, world.installer.key)).body
  }
  const counts = ({ made, updated, unchanged, refused }: Record<string, number>) => ({
    made,
    updated,
    unchanged,
    refused,
  })

  test('guesses its columns, says what it would do, does it, and is undone', async () => {
    const since = new Date().toISOString()
    const known = await lead(world.installer, { externalId: 'a-1', firstName: 'Old' })
    const file = [
      header,
      row('a-1', { first: 'New' }),
      row('a-2'),
      row('a-3', { email: 'nobody' }),
      ',,Nameless,,,,,,',
      '',
    ]
    const id = await upload(`${file.join('\n')}\n${row('a-4')}\n${row('a-4', { phone: '1' })}\n`)
    const { columns, state, rowsTotal } = await read(id)
    assert.deepEqual([state, rowsTotal], ['mapping', 6])
    assert.deepEqual(
      columns.map(({ field }: { field: string }) => field),
      ['externalId', 'firstName', 'lastName', 'email', 'phone', 'line1', 'city', 'state', 'postalCode'],
    )
    assert.deepEqual(columns[1].samples, ['New', 'Ada', 'Ada'])

    const checked = await check(id)
    assert.deepEqual(counts(checked), { made: 3, updated: 2, unchanged: 0, refused: 1 })
    assert.equal(checked.state, 'checked')
    assert.equal((await byExternalId('a-1')).customer.firstName, 'Old')
    assert.deepEqual(checked.preview[0].outcome, 'updated')
    assert.deepEqual(checked.firstProblems[0], {
      row: 4,
      column: 'Email',
      message: 'left out: “nobody” is not an email address',
      refused: false,
    })
    assert.deepEqual(
      checked.firstProblems
        .slice(1)
        .map(({ row, column, message }: Record<string, unknown>) => [row, column, message]),
      ['First Name', 'Street', 'City', 'State', 'Zip'].map((column) => [5, column, 'is required']),
    )

    const done = await run(id)
    assert.equal(done.state, 'done')
    assert.deepEqual(counts(done), { made: 3, updated: 2, unchanged: 0, refused: 1 })
    assert.equal((await byExternalId('a-1')).customer.firstName, 'New')
    const made = await byExternalId('a-4')
    assert.equal(made.customer.phone, '1')
    const { data } = (await app.get(`/v1/leads/${made.id}/activities`, world.installer.key)).body
    assert.deepEqual(
      data.map(({ type, author }: Record<string, string>) => [type, author]),
      [
        ['leadUpdated', 'Amir Admin'],
        ['leadCreated', 'Amir Admin'],
      ],
    )
    const events = await app.database.rows<{ type: string }>(
      `select type from events where subject_id = any($1) order by at`,
      [[made.id, known, id]],
    )
    assert.deepEqual(
      events.map(({ type }) => type),
      ['lead.created', 'import.started', 'lead.updated', 'lead.created', 'lead.updated'],
    )

    assert.deepEqual((await admin.get(`/imports/${id}/undo`)).body, { made: 3, changed: 1 })
    const before = new Date().toISOString()
    assert.equal((await admin.call('POST', `/imports/${id}/undo`)).status, 200)
    const undone = await settled(id)
    assert.deepEqual([undone.state, undone.undone, undone.undoneChanged], ['undone', 3, 1])
    const changed = (await app.get(`/v1/leads?updatedSince=${before}`, world.installer.key)).body.data
    assert.deepEqual(
      changed.map(({ externalId, archived }: Record<string, unknown>) => [externalId, archived]).sort(),
      [
        ['a-2', true],
        ['a-3', true],
        ['a-4', true],
      ],
    )
    assert.equal((await byExternalId('a-1')).archived, false)
    assert.ok(since < before)
  })

  test('the same file again changes nothing', async () => {
    const file = `${header}\n${Array.from({ length: 600 }, (_, i) => row(`s-${i}`)).join('\n')}\n`
    assert.deepEqual(counts(await imported(file)), { made: 600, updated: 0, unchanged: 0, refused: 0 })
    const again = await check(await upload(file))
    assert.deepEqual(counts(again), { made: 0, updated: 0, unchanged: 600, refused: 0 })
    const start = await admin.call('POST', `/imports/${again.id}/start`)
    assert.equal(start.status, 400)
    const times = await app.database.rows<{ times: number }>(
      `select count(distinct updated_at)::int as times from leads where external_id like 's-%'`,
    )
    assert.equal(times[0]!.times, 600)
  })

  test('columns are read as they were the last time for the same header', async () => {
    const file = 'Vor,Nach,Strasse,Ort,Land,PLZ\nAda,Moreno,1 Market St,San Diego,CA,92101\n'
    const mapping = ['firstName', 'lastName', 'line1', 'city', 'state', 'postalCode']
    const first = await upload(file)
    assert.ok((await read(first)).columns.every(({ field }: { field: string | null }) => field === null))
    assert.equal((await check(first, mapping)).made, 1)
    const { columns } = await read(await upload(file))
    assert.deepEqual(
      columns.map(({ field }: { field: string }) => field),
      mapping,
    )
  })

  test('semicolons, an older encoding, quoted line ends and a whole name and address', async () => {
    const text =
      'Name;Address;Notes;Sales Rep\r\n"Zoë Núñez";"1 Market St, San Diego, CA 92101";"two\r\nlines; ""quoted""";rita@example.org\r\n'
    const done = await imported(Buffer.from(text, 'latin1'))
    assert.deepEqual(counts(done), { made: 1, updated: 0, unchanged: 0, refused: 0 })
    assert.match(
      done.firstProblems[0].message,
      /^left out: nobody who works for your company has the email rita@example.org$/,
    )
    assert.equal(done.firstProblems[0].refused, false)
    const [newest] = (await app.get('/v1/leads?limit=1', world.installer.key)).body.data
    assert.deepEqual([newest.customer.firstName, newest.customer.lastName], ['Zoë', 'Núñez'])
    assert.deepEqual([newest.address.city, newest.notes], ['San Diego', 'two\r\nlines; "quoted"'])
  })

  test('a workbook’s first sheet, with its numbers and days', async () => {
    const cells = (r: number, values: string[]) =>
      `<row r="${r}">${values.map((value, i) => value.replace('<c', `<c r="${'ABCDEFGHIJ'[i]}${r}"`)).join('')}</row>`
    const texts = [
      'First Name',
      'Last Name',
      'Address',
      'City',
      'State',
      'Zip',
      'Contract Price',
      'Sold Date',
      'System Size',
    ]
    const shared = (i: number) => `<c t="s"><v>${i}</v></c>`
    const inline = (text: string) => `<c t="inlineStr"><is><t>${text}</t></is></c>`
    const head = cells(
      1,
      texts.map((_, i) => shared(i)),
    )
    const line = cells(3, [
      inline('Bea &amp; Bo'),
      inline('Reyes'),
      inline('9 Elm St'),
      inline('Boston'),
      inline('MA'),
      '<c><v>2108</v></c>',
      '<c><v>28728.499999999996</v></c>',
      '<c s="1"><v>46054</v></c>',
      '<c><v>8.4</v></c>',
    ])
    const done = await imported(workbook(head + line, { shared: texts }), 'deals.xlsx')
    assert.deepEqual(counts(done), { made: 1, updated: 0, unchanged: 0, refused: 0 }, JSON.stringify(done))
    const [made] = (await app.get('/v1/projects?limit=1', world.installer.key)).body.data
    const project = (await app.get(`/v1/projects/${made.id}`, world.installer.key)).body
    assert.equal(project.customer.firstName, 'Bea & Bo')
    assert.equal(project.address.postalCode, '02108')
    assert.equal(project.contract.price, 28728.5)
    assert.equal(project.contract.signedAt.slice(0, 10), '2026-02-01')
    assert.equal(project.system.sizeKw, 8.4)
  })

  test('a project stands in its stage with its system and its day, and nobody is mailed', async () => {
    const { panel } = await stock(world.installer)
    const mails = async () =>
      (await app.database.rows<{ n: number }>('select count(*)::int as n from mails'))[0]!.n
    const before = await mails()
    const columns = `${header},Stage,Contract Price,Install Date,Panel,Panel Count,Financing,APR,Term Years`
    const sold = (id: string, rest: string) => `${row(id)},${rest}`
    const file = [
      columns,
      sold('p-1', `Permitting,"$28,500.00",12/24/2026,${panel.model},20,loan,5.99%,25`),
      sold('p-2', `Nowhere,100,,${panel.model},20,,,`),
      sold('p-3', 'Permitting,,2026-13-01,,,,,'),
      sold('p-4', `Permitting,100,,No such panel,20,,,`),
    ]
    const done = await imported(`${file.join('\n')}\n`)
    assert.deepEqual(counts(done), { made: 2, updated: 0, unchanged: 0, refused: 2 })
    const messages = done.firstProblems.map(({ row, column, message }: Record<string, unknown>) => [
      row,
      column,
      message,
    ])
    assert.match(messages[0][2], /^left out: there is no stage “Nowhere” \(there are “/)
    assert.deepEqual(messages.slice(1, 3), [
      [4, 'Install Date', 'left out: “2026-13-01” is not a date such as 2026-01-31 or 1/31/2026'],
      [4, 'Contract Price', 'is required for a project'],
    ])
    assert.match(messages[3][2], /the catalogue has no panel “No such panel”/)
    const { project } = await byExternalId('p-1')
    const made = (await app.get(`/v1/projects/${project.id}`, world.installer.key)).body
    assert.deepEqual([made.stage.name, made.contract.price], ['Permitting', 28500])
    assert.equal(made.milestones.installScheduled, '2026-12-24')
    assert.equal(await mails(), before)
  })

  test('a rep by email is put on the lead', async () => {
    const rep = await member(world, world.installer, 'Rita Rep')
    const done = await imported(`${header},Sales Rep Email\n${row('r-1')},${rep.email.toUpperCase()}\n`)
    assert.equal(done.made, 1)
    assert.equal((await byExternalId('r-1')).salesRep.name, 'Rita Rep')
  })

  test('its problems are downloaded as CSV in which nothing is a formula', async () => {
    const id = await upload(`=cmd(),First Name,Last Name\n,Ada,\n`)
    await check(id, ['email', 'firstName', 'lastName'])
    const { headers, text } = await admin.get(`/imports/${id}/problems.csv`)
    assert.equal(headers['content-type'], 'text/csv; charset=utf-8')
    assert.match(headers['content-disposition']!, /^attachment/)
    const lines = text.split('\r\n')
    assert.equal(lines[0], '\uFEFFRow,Column,What to change,Taken')
    assert.deepEqual(lines.slice(1, 2), ['2,Last Name,is required,no'])
    const guarded = await upload(`=cmd()\nx\n`)
    await check(guarded, ['email'])
    assert.match(
      (await admin.get(`/imports/${guarded}/problems.csv`)).text,
      /2,'=cmd\(\),left out: “x” is not an email address,no/,
    )
  })

  test('what is no table is refused, and says why', async () => {
    const sized = workbook('<row r="1"><c r="A1"><v>1</v></c></row>', { declaredSize: 2_000_000_000 })
    const refused: [string | Buffer, RegExp, string?][] = [
      ['', /empty file/],
      ['   \n \n', /empty file/],
      ['First Name,Last Name\n', /has a header and no rows below it/],
      ['\n\nAda\n', /has no header/],
      [`a\0b,c\n1,2\n`, /is of a kind that is not taken|neither a CSV/],
      [`${'x,'.repeat(10_000)}\n1\n`, /more than 500 columns/],
      [`a,b\n"${'x'.repeat(200_000)}",1\n`, /cell of more than 100,000 characters in row 2/],
      ['a,b\n"open,1\n2,3\n', /quote that opens in row 2 and never closes/],
      [sized, /unpack to far too much/, 'bomb.xlsx'],
      [workbook('<row><c r="ZZZ1"><v>1</v></c></row>'), /more than 500 columns/, 'wide.xlsx'],
      [workbook('<row r="900000"><c><v>1</v></c></row>'), /more than 500,000 rows/, 'deep.xlsx'],
      [Buffer.from('%PDF-1.7 nothing'), /neither a CSV/, 'leads.csv'],
      ['a,b\n1,2\n', /program|kind/, 'leads.exe'],
    ]
    for (const [contents, message, name] of refused) {
      const { status, body } = await send(contents, name)
      assert.deepEqual([status, message.test(body.error?.message)], [400, true], body.error?.message)
    }
    assert.equal((await app.database.rows("select 1 from imports where name = 'bomb.xlsx'")).length, 0)
  })

  test('a mapping must fit the file', async () => {
    const id = await upload(`${header}\n${row('m-1')}\n`)
    const tried = async (mapping: unknown) => {
      const { status, body } = await admin.call('POST', `/imports/${id}/check`, { body: { mapping } })
      return [status, body.error?.message]
    }
    const columns = Array(9).fill(null)
    assert.match((await tried(columns)).join(), /^400,.*at least one column/)
    assert.match((await tried(['firstName'])).join(), /^400,.*each of the 9 columns/)
    assert.match((await tried(columns.with(0, 'password'))).join(), /^400,.*no field "password"/)
    assert.match((await tried(columns.with(0, 'email').with(1, 'email'))).join(), /^400,.*filled by two/)
    assert.match((await tried(columns.with(0, 'fullName').with(1, 'lastName'))).join(), /^400,.*say the same/)
    assert.match((await tried('x')).join(), /^400/)
    assert.equal((await admin.call('POST', `/imports/${id}/start`)).status, 400)
    assert.equal((await admin.call('POST', `/imports/${id}/stop`)).status, 400)
    assert.equal((await admin.call('POST', `/imports/${id}/undo`)).status, 400)
  })

  test('a dealer’s import is the dealer’s own', async () => {
    const client = await signedIn(app, await addPerson(app, world.dealer.company.id, 'owner'))
    const { body } = await send(`${header}\n${row('d-1')}\n`, 'leads.csv', client)
    assert.equal((await admin.get(`/imports/${body.id}`)).status, 404)
    const { columns } = (await client.get(`/imports/${body.id}`)).body
    const mapping = columns.map(({ field }: { field: string }) => field)
    await client.call('POST', `/imports/${body.id}/check`, { body: { mapping } })
    const wanted = async (state: string) => {
      while ((await client.get(`/imports/${body.id}`)).body.state !== state) await wait(50)
    }
    await wanted('checked')
    await client.call('POST', `/imports/${body.id}/start`)
    await wanted('done')
    assert.equal((await app.get('/v1/leads', world.dealer.key)).body.data[0].externalId, 'd-1')
    assert.equal((await app.get('/v1/leads', world.sister.key)).body.data.length, 0)
  })

  test('the history is paged, newest first', async () => {
    const first = (await admin.get('/imports?limit=2')).body
    assert.equal(first.imports.length, 2)
    const second = (await admin.get(`/imports?limit=2&after=${first.next}`)).body
    assert.ok(second.imports[0].id < first.imports[1].id)
    assert.equal((await admin.get('/imports?limit=1000')).status, 400)
    assert.equal((await admin.get('/imports?after=x')).status, 400)
  })

  test('what all of them wrote and took back was counted', async () => {
    assert.deepEqual(await listWrongCounts(app.database.db, world.installer.company.id, false), [])
  })
})
