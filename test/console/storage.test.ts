import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { saveDefaultLimit, saveLimit } from '../../src/domain/deals/storage/queries.ts'
import { listWrongCounts } from '../../src/domain/operations/checks/count-queries.ts'
import { startAppWithFiles } from '../support/app-with-files.ts'
import { createWorld, project, type World } from '../support/factories.ts'
import { addPerson, signedIn } from '../support/people.ts'
import { pdf, png } from '../support/sample-files.ts'

type Client = Awaited<ReturnType<typeof signedIn>>

const files = await startAppWithFiles()
const { app } = files

describe('what a company keeps', () => {
  let world: World
  let owner: Client
  let dealerOwner: Client

  before(async () => {
    world = await createWorld(app.database.db)
    owner = await signedIn(app, await addPerson(app, world.installer.company.id, 'owner'))
    dealerOwner = await signedIn(app, await addPerson(app, world.dealer.company.id, 'owner'))
  })

  const send = (path: string, raw: Buffer, client = owner) =>
    app.send('PUT', `/console/api${path}`, {
      raw,
      headers: { cookie: client.cookie, 'x-sunstead-console': '1' },
    })
  let sent = 0
  const own = (size: number) => Buffer.concat([pdf, Buffer.from(`\n% ${++sent} ${'x'.repeat(size)}`)])
  const upload = (id: string, raw: Buffer, client?: Client) =>
    send(`/projects/${id}/files?folder=siteSurvey&name=a.pdf`, raw, client)
  const usage = async (client = owner, id = world.installer.company.id) =>
    (await client.get(`/companies/${id}`)).body.storage
  const used = async () => (await usage()).usedBytes as number
  const limit = (bytes: number | null) =>
    saveLimit(world.db, {
      installerId: world.installer.company.id,
      companyId: world.installer.company.id,
      limitBytes: bytes,
    })
  const add = (id: string, url: string) =>
    app.call('POST', `/v1/projects/${id}/files`, {
      key: world.installer.key,
      body: { folder: 'planset', files: [{ url }] },
    })
  const table = (rows: number) =>
    Buffer.from(
      `First Name,Last Name,Street,City,State,Zip\n${'Ada,Moreno,1 Elm St,Boston,MA,02108\n'.repeat(rows)}`,
    )

  /** What is not told beforehand is found out when it is there. */
  async function withoutLength(projectId: string, contents: Buffer) {
    const answer = await fetch(
      `${app.url}/console/api/projects/${projectId}/files?folder=siteSurvey&name=a.pdf`,
      {
        method: 'PUT',
        body: new Blob([new Uint8Array(contents)]).stream(),
        duplex: 'half',
        headers: { cookie: owner.cookie, 'x-sunstead-console': '1' },
      },
    )
    return { status: answer.status, body: (await answer.json()) as { error: { message: string } } }
  }

  test('is counted as it comes and goes: uploads, copies, imports, logos', async () => {
    const { projectId } = await project(world.installer)
    assert.deepEqual(await usage(), { usedBytes: 0, limitBytes: 100e9 })
    const file = own(1_000)
    const { body } = await upload(projectId, file)
    assert.equal(await used(), file.length)
    // The same again is kept once.
    assert.equal((await upload(projectId, file)).status, 200)
    assert.equal(await used(), file.length)
    const copied = await add(projectId, files.at('/plan.pdf'))
    assert.equal(copied.status, 201, copied.text)
    assert.equal(await used(), file.length + pdf.length)
    await owner.call('DELETE', `/projects/${projectId}/files/${body.id}`)
    assert.equal(await used(), pdf.length)

    assert.equal((await send(`/companies/${world.installer.company.id}/logo`, png)).status, 200)
    const withLogo = await used()
    assert.ok(withLogo > pdf.length)
    assert.equal((await send(`/companies/${world.installer.company.id}/logo`, png)).status, 200)
    assert.equal(await used(), withLogo)
    await owner.call('DELETE', `/companies/${world.installer.company.id}/logo`)
    assert.equal(await used(), pdf.length)

    const rows = table(50)
    assert.equal((await send('/imports?name=leads.csv', rows)).status, 201)
    assert.equal(await used(), pdf.length + rows.length)
    assert.deepEqual(await listWrongCounts(world.db, world.installer.company.id, false), [])
    await app.database.rows('update storage_usage set bytes = bytes + 7')
    assert.equal((await listWrongCounts(world.db, world.installer.company.id, true)).length, 1)
    assert.equal(await used(), pdf.length + rows.length)
  })

  test('is no more than its limit, whichever way it comes, and nothing of the rest is left', async () => {
    const { projectId } = await project(world.installer)
    const before = await used()
    await limit(before + 2_000)
    const stored = (await app.storedFiles()).length
    const { updatedAt } = (await app.get(`/v1/projects/${projectId}`, world.installer.key)).body
    const refusals = [
      await upload(projectId, own(3_000)),
      await send('/imports?name=leads.csv', table(100)),
      await withoutLength(projectId, own(3_000)),
    ]
    await limit(before + 10)
    refusals.push(await add(projectId, files.at('/another.pdf')))
    refusals.push(await send(`/companies/${world.installer.company.id}/logo`, png))
    for (const { status, body } of refusals) {
      assert.equal(status, 400)
      assert.match(body.error.message, /keeps .+B and may keep .+B\. Remove files .+ Nothing was added\./)
    }
    assert.equal(await used(), before)
    assert.equal((await app.storedFiles()).length, stored)
    const after = (await app.get(`/v1/projects/${projectId}`, world.installer.key)).body
    assert.equal(after.updatedAt, updatedAt)
    assert.deepEqual(await usage(), { usedBytes: before, limitBytes: before + 10 })
  })

  test('is no more than its limit when many come at once', async () => {
    const { projectId } = await project(world.installer)
    const size = own(5_000).length
    const before = await used()
    await limit(before + 3 * (size + 20))
    const answers = await Promise.all(Array.from({ length: 12 }, () => upload(projectId, own(5_000))))
    const statuses = answers.map(({ status }) => status).sort()
    assert.deepEqual(statuses, [201, 201, 201, ...Array(9).fill(400)])
    const { usedBytes, limitBytes } = await usage()
    assert.ok(usedBytes <= limitBytes && usedBytes > before + 2 * size)
    assert.deepEqual(await listWrongCounts(world.db, world.installer.company.id, false), [])
    await limit(null)
  })

  test('is each company’s own: a dealer’s fills nobody else’s', async () => {
    const { projectId } = await project(world.dealer)
    const before = await used()
    await saveDefaultLimit(world.db, { limitBytes: 20_000 })
    assert.equal((await upload(projectId, own(15_000), dealerOwner)).status, 201)
    assert.equal((await upload(projectId, own(15_000), dealerOwner)).status, 400)
    assert.equal(await used(), before)
    assert.equal((await usage(dealerOwner, world.dealer.company.id)).limitBytes, 20_000)
    await saveDefaultLimit(world.db, { limitBytes: 100e9 })
  })
})
