import assert from 'node:assert/strict'
import { request } from 'node:http'
import { before, describe, test } from 'node:test'
import { type App, startApp } from '../support/app.ts'
import { createWorld, project, type World } from '../support/factories.ts'
import { addPerson, signedIn } from '../support/people.ts'
import { elf, pdf, png, windowsProgram, zip } from '../support/sample-files.ts'

type Caller = Awaited<ReturnType<typeof signedIn>>

describe('a file from somebody’s disk', () => {
  let app: App
  let world: World
  let owner: Caller
  let surveyor: Caller
  let surveyorId: string

  before(async () => {
    app = await startApp()
    world = await createWorld(app.database.db)
    owner = await signedIn(app, await addPerson(app, world.installer.company.id, 'owner'))
    const person = await addPerson(app, world.installer.company.id, 'surveyor')
    surveyorId = person.id
    surveyor = await signedIn(app, person)
  })

  const path = (id: string, folder: string, name: string) =>
    `/console/api/projects/${id}/files?${new URLSearchParams({ folder, name })}`
  const upload = (
    { cookie }: Caller,
    id: string,
    raw: Buffer,
    { folder = 'planset', name = 'plan.pdf', type = 'application/octet-stream' } = {},
  ) =>
    app.send('PUT', path(id, folder, name), {
      raw,
      headers: { cookie, 'x-sunstead-console': '1', 'content-type': type },
    })
  const read = async (id: string) => (await app.get(`/v1/projects/${id}`, world.installer.key)).body
  const stored = async () => (await app.storedFiles()).length

  test('is in its folder, read by the API and served as what it is', async () => {
    const { projectId, leadId } = await project(world.installer)
    const { status, body } = await upload(owner, projectId, png, {
      folder: 'siteSurvey',
      name: 'Roof, süd.png',
      // What it is said to be is not believed.
      type: 'application/json',
    })
    assert.equal(status, 201)
    assert.deepEqual([body.name, body.folder, body.added], ['Roof, süd.png', 'siteSurvey', true])
    const [address] = (await read(projectId)).files.siteSurvey
    const file = await app.send('GET', new URL(address).pathname)
    assert.equal(file.status, 200)
    assert.equal(file.headers['content-type'], 'image/png')
    const shown = (await owner.get(`/projects/${projectId}`)).body.folders.find(
      ({ folder }: { folder: string }) => folder === 'siteSurvey',
    )
    assert.equal(shown.files[0].size, png.length)
    assert.equal(
      (await app.send('GET', shown.files[0].thumbnail, { headers: { cookie: owner.cookie } })).status,
      200,
    )
    assert.equal((await app.send('GET', shown.page, { headers: { cookie: owner.cookie } })).status, 200)
    const { data } = (await app.get(`/v1/leads/${leadId}/activities`, world.installer.key)).body
    assert.deepEqual([data[0].type, data[0].body], ['fileAdded', 'Added Roof, süd.png to Site survey'])
    const events = await app.database.rows<{ type: string }>(
      'select type from events where project_id = $1 order by at desc, ordinal limit 2',
      [projectId],
    )
    assert.deepEqual(
      events.map(({ type }) => type),
      ['file.added', 'project.updated'],
    )
  })

  test('the same contents are in a folder once, however often they come', async () => {
    const { projectId } = await project(world.installer)
    const first = await upload(owner, projectId, pdf)
    const before = await stored()
    const again = await upload(owner, projectId, pdf, { name: 'another name.pdf' })
    assert.equal(again.status, 200)
    assert.deepEqual(again.body, { ...first.body, added: false })
    const elsewhere = await upload(owner, projectId, pdf, { folder: 'permit' })
    assert.equal(elsewhere.status, 201)
    const other = Buffer.concat([pdf, Buffer.from('% one more')])
    const many = await Promise.all(Array.from({ length: 5 }, () => upload(owner, projectId, other)))
    assert.equal(many.filter(({ status }) => status === 201).length, 1)
    assert.equal((await read(projectId)).files.planset.length, 2)
    assert.equal(await stored(), before + 2)
  })

  test('what is no document, picture, audio or video is refused and leaves nothing behind', async () => {
    const { projectId } = await project(world.installer)
    const before = await stored()
    const refused: [Buffer, string, RegExp][] = [
      [elf, 'plan.pdf', /plan\.pdf is a program/],
      [windowsProgram, 'plan.pdf', /is a program/],
      [pdf, 'setup.exe', /setup\.exe is a program/],
      [
        Buffer.from('<!doctype html><html><body>Sign in</body></html>'),
        'plan.pdf',
        /is a web page; print it/,
      ],
      [zip([{ name: 'a.txt', data: 'a' }]), 'all.zip', /is an archive/],
      [Buffer.alloc(0), 'plan.pdf', /is an empty file/],
      [Buffer.alloc(300_000, 0xfa), 'plan.pdf', /of a kind that is not taken/],
    ]
    for (const [contents, name, message] of refused) {
      const { status, body } = await upload(owner, projectId, contents, { name })
      assert.equal(status, 400, name)
      assert.match(body.error.message, message)
      assert.match(body.error.message, /Nothing was added/)
    }
    assert.equal(await stored(), before)
    assert.deepEqual((await read(projectId)).files.planset, [])
  })

  test('what is larger than the limit is refused, said beforehand or not', async () => {
    const { projectId } = await project(world.installer)
    const before = await stored()
    const large = Buffer.alloc(100 * 1024 * 1024 + 1, 0x20)
    const { status, body } = await upload(owner, projectId, large)
    assert.equal(status, 400)
    assert.match(body.error.message, /larger than 100 MB/)
    const chunked = await send(path(projectId, 'planset', 'plan.pdf'), owner.cookie, large)
    assert.equal(chunked, 400)
    assert.equal(await stored(), before)
  })

  test('what is cut off leaves nothing behind', async () => {
    const { projectId } = await project(world.installer)
    const before = await stored()
    await cutOff(path(projectId, 'planset', 'plan.pdf'), owner.cookie)
    const { status } = await upload(owner, projectId, pdf)
    assert.equal(status, 201)
    while ((await stored()) !== before + 1) await new Promise(setImmediate)
    assert.equal((await read(projectId)).files.planset.length, 1)
  })

  test('is taken from whoever sees the project and may add to the folder', async () => {
    const { projectId } = await project(world.installer, {}, { siteSurveyorId: surveyorId })
    const { projectId: foreign } = await project(world.other)
    const { projectId: dealers } = await project(world.dealer)
    const dealer = await signedIn(app, await addPerson(app, world.dealer.company.id, 'owner'))
    assert.equal((await upload(surveyor, projectId, pdf)).status, 403)
    assert.equal((await upload(surveyor, projectId, pdf, { folder: 'siteSurvey' })).status, 201)
    assert.equal((await upload(surveyor, dealers, pdf)).status, 404)
    assert.equal((await upload(dealer, dealers, pdf)).status, 201)
    assert.equal((await upload(dealer, dealers, pdf, { folder: 'internal' })).status, 403)
    assert.equal((await upload(dealer, projectId, pdf)).status, 404)
    assert.equal((await upload(owner, foreign, pdf)).status, 404)
    assert.equal((await upload(owner, 'proj_nothing', pdf)).status, 404)
    assert.equal((await upload({ ...owner, cookie: '' }, projectId, pdf)).status, 401)
    assert.equal((await upload(owner, dealers, pdf, { folder: 'internal' })).status, 201)
    const shown = (await dealer.get(`/projects/${dealers}`)).body.folders
    assert.ok(!shown.some(({ folder }: { folder: string }) => folder === 'internal'))
  })

  test('needs a folder that is one, and a name', async () => {
    const { projectId } = await project(world.installer)
    const headers = { cookie: owner.cookie, 'x-sunstead-console': '1' }
    for (const query of [
      '',
      '?folder=planset',
      '?name=a.pdf',
      '?folder=nope&name=a.pdf',
      '?folder=planset&name=%20',
    ])
      assert.equal(
        (await app.send('PUT', `/console/api/projects/${projectId}/files${query}`, { raw: pdf, headers }))
          .status,
        400,
        query,
      )
    const other = { cookie: owner.cookie }
    const answer = await app.send('PUT', path(projectId, 'planset', 'a.pdf'), { raw: pdf, headers: other })
    assert.equal(answer.status, 403, 'a page of another site')
  })

  /** Sends without saying how much is coming. */
  function send(where: string, cookie: string, body: Buffer): Promise<number> {
    const { promise, resolve, reject } = Promise.withResolvers<number>()
    const headers = { cookie, 'x-sunstead-console': '1', 'transfer-encoding': 'chunked' }
    request(app.url + where, { method: 'PUT', headers }, (answer) => resolve(answer.resume().statusCode!))
      .on('error', reject)
      .end(body)
    return promise
  }

  /** Sends the beginning of a file, then hangs up once the server has begun to write it down. */
  async function cutOff(where: string, cookie: string): Promise<void> {
    const headers = { cookie, 'x-sunstead-console': '1', 'content-length': '1000000' }
    const before = await stored()
    const sending = request(app.url + where, { method: 'PUT', headers }).on('error', () => {})
    sending.write(pdf)
    while ((await stored()) === before) await new Promise(setImmediate)
    sending.destroy()
  }
})
