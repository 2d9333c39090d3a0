import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { connect } from 'node:net'
import { Readable } from 'node:stream'
import { describe, test } from 'node:test'
import { uploadFile } from '../../../src/domain/deals/files/upload-file.ts'
import { startAppWithFiles } from '../../support/app-with-files.ts'
import { createWorld, member, project } from '../../support/factories.ts'
import { assertStatuses, erase, lesserKeys } from '../../support/key-holders.ts'
import { elf, pdf, png } from '../../support/sample-files.ts'

const { app, at } = await startAppWithFiles()
const world = await createWorld(app.database.db)
const { installer, dealer, sister, other } = world
const { key } = installer
const keys = await lesserKeys(world)
const mona = await member(world, installer, 'Mona Manager', 'manager')

type Part = [name: string, value: string | Buffer, fileName?: string]

function form(parts: readonly Part[], boundary = 'xyz'): Buffer {
  const pieces = parts.flatMap(([name, value, fileName]) => [
    `--${boundary}\r\ncontent-disposition: form-data; name="${name}"${fileName === undefined ? '' : `; filename="${fileName}"`}\r\n\r\n`,
    value,
    '\r\n',
  ])
  return Buffer.concat([...pieces, `--${boundary}--\r\n`].map((piece) => Buffer.from(piece)))
}

const send = (id: string, raw: Buffer, by = key, type = 'multipart/form-data; boundary=xyz') =>
  app.call('POST', `/v1/projects/${id}/files`, { key: by, raw, headers: { 'content-type': type } })
const upload = (id: string, parts: readonly Part[], by = key) => send(id, form(parts), by)
const list = async (id: string, query = '', by = key) => app.get(`/v1/projects/${id}/files${query}`, by)
const otherPdf = (text: string) => Buffer.concat([pdf, Buffer.from(`\n% ${text}\n`)])
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

describe('a form', () => {
  test('adds its files, in whatever order its parts are, and once', async () => {
    const { projectId, leadId } = await project(dealer)
    const parts: Part[] = [
      ['files', pdf, 'Plan set.pdf'],
      ['folder', 'planset'],
      ['files', png, 'roof.png'],
    ]
    const { status, body } = await upload(projectId, parts)
    assert.equal(status, 201, JSON.stringify(body))
    assert.deepEqual(
      body.files.map(({ name, folder, added }: Record<string, unknown>) => [name, folder, added]),
      [
        ['Plan set.pdf', 'planset', true],
        ['roof.png', 'planset', true],
      ],
    )
    const read = (await app.get(`/v1/projects/${projectId}`, key)).body
    assert.equal(read.files.planset.length, 2)
    const contents = await app.send('GET', new URL(read.files.planset[0]).pathname)
    assert.deepEqual(Buffer.from(contents.bytes), pdf)
    const again = await upload(projectId, parts)
    assert.equal(again.status, 200)
    assert.deepEqual(
      again.body.files.map(({ id, added }: Record<string, unknown>) => [id, added]),
      body.files.map(({ id }: Record<string, unknown>) => [id, false]),
    )
    const feed = (await app.get(`/v1/leads/${leadId}/activities`, key)).body.data
    assert.deepEqual(
      feed
        .filter((a: { type: string }) => a.type === 'fileAdded')
        .map((a: { body: string }) => a.body)
        .toSorted(),
      ['Added Plan set.pdf to Plan sets', 'Added roof.png to Plan sets'],
    )
    const events = await app.database.rows<{ type: string }>(
      `select type from events where lead_id = $1 and type in ('file.added', 'project.updated')`,
      [leadId],
    )
    assert.deepEqual(events.map(({ type }) => type).toSorted(), [
      'file.added',
      'file.added',
      'project.updated',
    ])
  })

  test('contents that come twice are added once', async () => {
    const { projectId } = await project(installer)
    const { status, body } = await upload(projectId, [
      ['folder', 'other'],
      ['files', pdf, 'a.pdf'],
      ['files', pdf, 'b.pdf'],
    ])
    assert.equal(status, 201)
    const [first, second] = body.files
    assert.deepEqual([first.added, second.added, second.id], [true, false, first.id])
    assert.equal((await list(projectId)).body.data.length, 1)
  })

  test('of megabytes arrives whole; one of more than a hundred is refused', async () => {
    const { projectId } = await project(installer)
    const large = Buffer.concat([pdf, Buffer.alloc(5_000_000, 'x ')])
    const { body } = await upload(projectId, [
      ['files', large, 'large.pdf'],
      ['folder', 'permit'],
      ['files', png, 'p.png'],
    ])
    assert.equal(body.files.length, 2, JSON.stringify(body))
    const [newest] = (await list(projectId, '?limit=2')).body.data.filter(
      (f: { name: string }) => f.name === 'large.pdf',
    )
    assert.deepEqual([newest.size, newest.sha256], [large.length, sha256(large)])
    const tooLarge = Buffer.concat([pdf, Buffer.alloc(100 * 1024 * 1024)])
    const kept = (await app.storedFiles()).length
    const refused = await upload(projectId, [
      ['folder', 'permit'],
      ['files', otherPdf('first'), 'a.pdf'],
      ['files', tooLarge, 'b.pdf'],
    ])
    assert.equal(refused.status, 400)
    assert.match(refused.body.error.message, /^files\[1\]: b\.pdf is larger than 100 MB\. Nothing was added/)
    assert.equal((await app.storedFiles()).length, kept)
  })

  test('is all or nothing: what is wrong is 400 naming it, and nothing stays', async () => {
    const { projectId } = await project(dealer)
    const kept = (await app.storedFiles()).length
    const folder: Part = ['folder', 'other']
    const good: Part = ['files', otherPdf('good'), 'good.pdf']
    const wrong: [Part[], RegExp][] = [
      [[folder, good, ['files', elf, 'tool.pdf']], /^files\[1\]: tool\.pdf .*Nothing was added/],
      [[folder, good, ['files', pdf, 'tool.exe']], /^files\[1\]: tool\.exe/],
      [[folder, good, ['files', '', 'empty.pdf']], /^files\[1\]: empty\.pdf is an empty file/],
      [[folder, good, ['files', '<html><body>hi</body></html>', 'page.html']], /^files\[1\]: page\.html/],
      [[good], /^folder is required/],
      [[folder], /^files must have at least 1 item/],
      [[], /^folder is required|form/],
      [[['folder', 'secret'], good], /^folder must be one of contract/],
      [[folder, folder, good], /^folder is there twice/],
      [[folder, ['file', pdf, 'a.pdf']], /^file is not a field here \(there are: folder, files\)/],
      [[folder, good, ['note', 'x']], /^note is not a field here/],
      [[folder, ['files', 'text without a name']], /^files: send each as a file/],
      [[['folder', 'x'.repeat(2_000)], good], /field of more than 1000 bytes/],
      [
        [folder, ...Array.from({ length: 11 }, (_, i): Part => ['files', otherPdf(`${i}`), `${i}.pdf`])],
        /more than 10 files/,
      ],
      [[...Array.from({ length: 60 }, (_, i): Part => [`f${i}`, 'x'])], /is not a field here/],
    ]
    for (const [parts, message] of wrong) {
      const answer = await upload(projectId, parts)
      assert.equal(answer.status, 400, `${message} ${answer.text}`)
      assert.match(answer.body.error.message, message)
    }
    assert.deepEqual((await list(projectId)).body.data, [])
    assert.equal((await app.storedFiles()).length, kept)
  })

  test('that is none, or a hostile one, is 400, and the server goes on', async () => {
    const { projectId } = await project(dealer)
    const whole = form([
      ['folder', 'other'],
      ['files', pdf, 'a.pdf'],
    ])
    const part = (head: string) => Buffer.from(`--xyz\r\n${head}\r\n\r\nx\r\n--xyz--\r\n`)
    const bodies = [
      Buffer.alloc(0),
      Buffer.from('nonsense'),
      whole.subarray(0, whole.length - 12),
      whole.subarray(0, 30),
      Buffer.from('--xyz--\r\n'),
      Buffer.from('--xyz\r\n\r\n\r\n--xyz--'),
      part('__proto__: x\r\ncontent-disposition: form-data; name="files"; filename="a"'),
      part('constructor: x\r\ncontent-disposition: form-data; name="files"; filename="a"'),
      part('content-disposition: form-data; filename="a.pdf"'),
      part(`content-disposition: form-data; name="${'n'.repeat(10_000)}"`),
      part('content-disposition: form-data; name="files"; filename="a.pdf"\r\ncontent-type: ;charset='),
      part("content-disposition: form-data; name*=UTF-8''%FF%00; filename*=nope''%zz"),
      Buffer.from(`--xyz\r\n${'a: b\r\n'.repeat(5_000)}\r\nx\r\n--xyz--\r\n`),
    ]
    for (const raw of bodies)
      assert.equal((await send(projectId, raw)).status, 400, raw.subarray(0, 80).toString())
    for (const type of [
      'multipart/form-data',
      'multipart/form-data; boundary=',
      `multipart/form-data; boundary=${'b'.repeat(5_000)}`,
    ]) {
      const answer = await send(projectId, whole, key, type)
      assert.equal(answer.status, 400, answer.text)
    }
    assert.equal((await send(projectId, whole)).status, 201)
  })

  test('names are cleaned, whatever they are', async () => {
    const { projectId } = await project(installer)
    const names = ['../../etc/passwd.pdf', 'Dächer ☀.pdf', 'a\u202egpj.pdf', '']
    const parts = names.map((name, i): Part => ['files', otherPdf(`name ${i}`), name])
    const { body } = await upload(projectId, [['folder', 'other'], ...parts])
    assert.deepEqual(
      body.files.map(({ name }: { name: string }) => name),
      ['passwd.pdf', 'Dächer ☀.pdf', 'agpj.pdf', 'file'],
    )
  })

  test('sent again by its key, with whatever boundary, is done once; another form is another call', async () => {
    const { projectId } = await project(installer)
    const once = (raw: Buffer, boundary: string) =>
      app.call('POST', `/v1/projects/${projectId}/files`, {
        key,
        raw,
        headers: { 'content-type': `multipart/form-data; boundary=${boundary}`, 'idempotency-key': 'form-1' },
      })
    const parts: Part[] = [
      ['folder', 'other'],
      ['files', otherPdf('once'), 'a.pdf'],
    ]
    const kept = (await app.storedFiles()).length
    const first = await once(form(parts), 'xyz')
    assert.deepEqual([first.status, first.headers['idempotency-replayed']], [201, undefined])
    const again = await once(form(parts, 'another'), 'another')
    assert.deepEqual([again.status, again.headers['idempotency-replayed']], [200, 'true'])
    assert.deepEqual(again.body.files, [{ ...first.body.files[0], added: false }])
    const otherwise = await once(form([parts[0]!, ['files', otherPdf('twice'), 'a.pdf']]), 'xyz')
    assert.equal(otherwise.status, 400)
    assert.match(otherwise.body.error.message, /Idempotency-Key was sent before with another call/)
    assert.equal((await list(projectId)).body.data.length, 1)
    assert.equal((await app.storedFiles()).length, kept + 1)
  })

  test('that is cut off leaves nothing behind', async () => {
    const { projectId } = await project(installer)
    const kept = (await app.storedFiles()).length
    const { hostname, port } = new URL(app.url)
    const socket = connect(Number(port), hostname)
    const raw = form([
      ['folder', 'other'],
      ['files', Buffer.concat([pdf, Buffer.alloc(300_000)]), 'a.pdf'],
    ])
    socket.write(
      `POST /v1/projects/${projectId}/files HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${key}\r\ncontent-type: multipart/form-data; boundary=xyz\r\ncontent-length: ${raw.length}\r\n\r\n`,
    )
    await new Promise((resolve) => socket.write(raw.subarray(0, 200_000), resolve))
    const until = Date.now() + 60_000
    while ((await app.storedFiles()).length === kept && Date.now() < until);
    socket.destroy()
    while ((await app.storedFiles()).length > kept && Date.now() < until);
    assert.equal((await app.storedFiles()).length, kept)
    assert.deepEqual((await list(projectId)).body.data, [])
  })
})

test('adding by address is as it was', async () => {
  const { projectId } = await project(installer)
  const add = (body: unknown, headers = {}) =>
    app.call('POST', `/v1/projects/${projectId}/files`, {
      key,
      ...(body === undefined ? {} : { body }),
      headers,
    })
  const body = { folder: 'permit', files: [{ url: at('/a.pdf') }] }
  assert.equal((await add(body)).status, 201)
  assert.equal((await add(body)).status, 200)
  for (const [wrong, headers] of [
    [undefined],
    [undefined, { 'content-type': 'application/json' }],
    [{}],
    [{ folder: 'permit', files: [] }],
  ] as const) {
    const answer = await add(wrong, headers)
    assert.equal(answer.status, 400, answer.text)
  }
  assert.match((await add(undefined)).body.error.message, /^the body must be an object\.$/)
  const text = await app.call('POST', `/v1/projects/${projectId}/files`, {
    key,
    raw: JSON.stringify(body),
    headers: { 'content-type': 'text/plain' },
  })
  assert.equal(text.status, 400)
})

describe('the list', () => {
  test('says of each file what it is, who added it and where it is, by pages', async () => {
    const { projectId, leadId } = await project(dealer)
    await upload(projectId, [
      ['folder', 'planset'],
      ['files', pdf, 'Plan set.pdf'],
    ])
    await app.call('POST', `/v1/projects/${projectId}/files`, {
      key,
      body: { folder: 'permit', files: [{ url: at('/x/permit.png') }] },
    })
    const asMona = installer.as()
    asMona.actor = { ...asMona.actor, id: mona.id, name: mona.name, role: 'manager' }
    await uploadFile(asMona, app.server.deps.copying, projectId, 'internal', {
      name: 'margin.pdf',
      size: null,
      contents: Readable.from([otherPdf('margin')]),
    })
    const all = (await list(projectId)).body
    assert.equal(all.next, null)
    const [margin, permit, plan] = all.data
    assert.deepEqual(
      [margin, permit, plan].map(({ name, folder, addedBy }) => [name, folder, addedBy]),
      [
        ['margin.pdf', 'internal', 'Mona Manager'],
        ['permit.png', 'permit', 'Sunrise Solar CRM'],
        ['Plan set.pdf', 'planset', 'Sunrise Solar CRM'],
      ],
    )
    assert.deepEqual([plan.size, plan.type, plan.sha256], [pdf.length, 'application/pdf', sha256(pdf)])
    const read = (await app.get(`/v1/projects/${projectId}`, key)).body
    assert.deepEqual([read.files.planset, read.files.permit], [[plan.url], [permit.url]])
    assert.deepEqual((await list(leadId)).body, all)

    const pages = []
    for (let cursor = ''; ; ) {
      const { data, next } = (await list(projectId, `?limit=1${cursor}`)).body
      pages.push(...data)
      if (next === null) break
      cursor = `&cursor=${next}`
    }
    assert.deepEqual(pages, all.data)
    assert.deepEqual((await list(projectId, '?folder=permit')).body.data, [permit])
    assert.deepEqual((await list(projectId, '', dealer.key)).body.data, [permit, plan])
    assert.deepEqual((await list(projectId, '?folder=internal', dealer.key)).body.data, [])
    const { next } = (await list(projectId, '?limit=1')).body
    for (const query of [
      `?limit=2&cursor=${next}`,
      `?limit=1&folder=permit&cursor=${next}`,
      '?cursor=x',
      '?folder=x',
      '?limit=0',
      '?page=1',
    ])
      assert.equal((await list(projectId, query)).status, 400, query)
    const elsewhere = (await project(dealer)).projectId
    assert.equal((await list(elsewhere, `?limit=1&cursor=${next}`)).status, 400)
  })
})

describe('removing', () => {
  test('ends the file and its addresses', async () => {
    const { projectId, leadId } = await project(dealer)
    const { body } = await upload(projectId, [
      ['folder', 'planset'],
      ['files', otherPdf('gone'), 'Plan.pdf'],
    ])
    const [file] = (await list(projectId)).body.data
    const path = `/v1/projects/${projectId}/files/${body.files[0].id}`
    assert.equal((await app.call('DELETE', path, { key })).status, 204)
    assert.equal((await app.send('GET', new URL(file.url).pathname)).status, 404)
    assert.deepEqual((await list(projectId)).body.data, [])
    assert.equal((await app.call('DELETE', path, { key })).status, 404)
    const [entry] = (await app.get(`/v1/leads/${leadId}/activities`, key)).body.data
    assert.equal(entry.body, 'Removed Plan.pdf from Plan sets')
  })
})

test('who may', async () => {
  const own = (await project(dealer)).projectId
  const foreign = (await project(other)).projectId
  const { body } = await upload(own, [
    ['folder', 'planset'],
    ['files', otherPdf('mine'), 'Plan.pdf'],
  ])
  const internal = await upload(own, [
    ['folder', 'internal'],
    ['files', otherPdf('ours'), 'Ours.pdf'],
  ])
  const files = `/v1/projects/${own}/files`
  const file = `${files}/${body.files[0].id}`
  const hidden = `${files}/${internal.body.files[0].id}`
  const none = undefined
  await assertStatuses(app, [
    ['dealer', dealer.key, 'GET', files, none, 200],
    ['reader', keys.readOnly, 'GET', files, none, 200],
    ['a sister', sister.key, 'GET', files, none, 404],
    ['foreign', key, 'GET', `/v1/projects/${foreign}/files`, none, 404],
    ['other interface', keys.catalogOnly, 'GET', files, none, 403],
    ['nobody', keys.nobody, 'GET', files, none, 401],
    ['suspended', keys.suspended, 'GET', files, none, 401],
    ['dealer', dealer.key, 'DELETE', file, none, 403],
    ['dealer, hidden', dealer.key, 'DELETE', hidden, none, 404],
    ['a sister', sister.key, 'DELETE', file, none, 404],
    ['foreign', other.key, 'DELETE', file, none, 404],
    [
      'of another project',
      key,
      'DELETE',
      `/v1/projects/${(await project(dealer)).projectId}/files/${body.files[0].id}`,
      none,
      404,
    ],
    ['malformed', key, 'DELETE', `${files}/x`, none, 404],
    ['reader', keys.readOnly, 'DELETE', file, none, 403],
    ['nobody', keys.nobody, 'DELETE', file, none, 401],
    ['suspended', keys.suspended, 'DELETE', file, none, 401],
    ['installer', key, 'DELETE', file, none, 204],
  ])
  const parts: Part[] = [
    ['folder', 'planset'],
    ['files', pdf, 'Plan.pdf'],
  ]
  for (const [who, by, id, status] of [
    ['dealer', dealer.key, own, 403],
    ['a sister', sister.key, own, 404],
    ['foreign', key, foreign, 404],
    ['reader', keys.readOnly, own, 403],
    ['other interface', keys.catalogOnly, own, 403],
    ['nobody', keys.nobody, own, 401],
    ['suspended', keys.suspended, own, 401],
  ] as const)
    assert.equal((await upload(id, parts, by)).status, status, who)
  assert.match(
    (await upload(own, parts, dealer.key)).body.error.message,
    /^Only the installer's key may add files to a project by address or form\./,
  )
})

test('nothing is added about an erased customer', async () => {
  const { projectId, leadId } = await project(dealer)
  await erase(app, installer, leadId)
  const kept = (await app.storedFiles()).length
  const answer = await upload(projectId, [
    ['folder', 'other'],
    ['files', otherPdf('erased'), 'a.pdf'],
  ])
  assert.equal(answer.status, 400)
  assert.match(answer.body.error.message, /was erased/)
  assert.equal((await app.storedFiles()).length, kept)
})
