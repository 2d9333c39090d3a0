import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { type App, startApp } from '../support/app.ts'
import { createWorld, project, type World } from '../support/factories.ts'
import { addPerson, signedIn } from '../support/people.ts'
import { pdf, png } from '../support/sample-files.ts'

type Client = Awaited<ReturnType<typeof signedIn>>
interface Entry {
  type: string
  actor: { kind: string; name: string | null }
  name: string | null
  customer: string | null
  projectId: string | null
  address: string | null
  device: string | null
  changes: { field: string; to: unknown }[]
}

const device = 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0'
let app: App
let world: World
let owner: Client
let dealersOwner: Client

before(async () => {
  app = await startApp({ env: { TRUSTED_PROXIES: '127.0.0.1' } })
  world = await createWorld(app.database.db)
  owner = await signedIn(app, await addPerson(app, world.installer.company.id, 'owner', 'Olga Owner'))
  dealersOwner = await signedIn(app, await addPerson(app, world.dealer.company.id, 'owner', 'Dora Owner'))
})

async function addFile(projectId: string, folder: string, name: string, raw: Buffer): Promise<string> {
  const added = await app.send(
    'PUT',
    `/console/api/projects/${projectId}/files?folder=${folder}&name=${name}`,
    {
      raw,
      headers: { cookie: owner.cookie, 'x-sunstead-console': '1' },
    },
  )
  assert.equal(added.status, 201, added.text)
  return added.body.id
}

const open = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  app.send(method, path, { headers: { 'user-agent': device, 'x-forwarded-for': '203.0.113.5', ...headers } })

const openIn = (client: Client, path: string, method = 'GET') =>
  open(`/console/api${path}`, { cookie: client.cookie }, method)

async function openings(client: Client, record: string): Promise<Entry[]> {
  const { status, body } = await client.get(`/audit?kind=security&record=${record}&limit=200`)
  assert.equal(status, 200)
  return body.entries.filter(({ type }: Entry) => /opened$/.test(type))
}

const told = (entries: Entry[]) =>
  entries.map(({ type, actor, name, changes, address }) => [
    type.slice('security.'.length),
    actor.name ?? actor.kind,
    name,
    changes[0]?.to,
    address,
  ])

describe('opening licences and contracts, in the security trail', () => {
  test('by somebody who is signed in: once, however often and in however many pieces', async () => {
    const { projectId } = await project(world.installer)
    const licence = await addFile(projectId, 'identification', 'licence.png', png)
    const permit = await addFile(projectId, 'permit', 'permit.pdf', pdf)
    const { updatedAt } = (await app.get(`/v1/projects/${projectId}`, world.installer.key)).body
    const path = `/projects/${projectId}/files`
    assert.equal((await openIn(owner, `${path}/${licence}`, 'HEAD')).status, 200)
    assert.deepEqual(await openings(owner, projectId), [])
    for (let n = 0; n < 3; n++) assert.equal((await openIn(owner, `${path}/${licence}`)).status, 200)
    assert.equal((await openIn(owner, `${path}/${licence}/thumbnail`)).status, 200)
    assert.equal((await openIn(owner, `${path}/${permit}`)).status, 200)
    const entries = await openings(owner, projectId)
    assert.deepEqual(told(entries), [
      ['file_opened', 'Olga Owner', 'licence.png', 'identification', '203.0.113.5'],
    ])
    assert.equal(entries[0]!.device, device)
    assert.ok(entries[0]!.customer)
    const after = (await app.get(`/v1/projects/${projectId}`, world.installer.key)).body
    assert.equal(after.updatedAt, updatedAt)
  })

  test('a picture that is small shows it too, and a whole folder', async () => {
    const { projectId } = await project(world.installer)
    const licence = await addFile(projectId, 'identification', 'licence.png', png)
    await openIn(owner, `/projects/${projectId}/files/${licence}/thumbnail`)
    assert.equal((await openIn(owner, `/projects/${projectId}/folders/contract`)).status, 200)
    assert.deepEqual(
      told(await openings(owner, projectId)).map(([type, , , folder]) => [type, folder]),
      [
        ['folder_opened', 'contract'],
        ['file_opened', 'identification'],
      ],
    )
  })

  test('by whoever has an address, of the API or a shared one', async () => {
    const { projectId } = await project(world.dealer)
    const contract = await addFile(projectId, 'contract', 'contract.pdf', pdf)
    const { files } = (await app.get(`/v1/projects/${projectId}`, world.installer.key)).body
    const byApi = new URL(files.contract[0]).pathname
    for (let n = 0; n < 2; n++) assert.equal((await open(byApi)).status, 200)
    assert.equal((await open(byApi, { 'x-forwarded-for': '198.51.100.1' })).status, 200)
    const shared = await owner.call('POST', `/projects/${projectId}/links`, {
      body: { kind: 'folder', folder: 'contract' },
    })
    assert.equal(shared.status, 201, shared.text)
    const page = new URL(shared.body.address).pathname
    assert.equal((await open(page)).status, 200)
    assert.equal((await open(`${page}/files/${contract}`, { 'x-forwarded-for': '192.0.2.1' })).status, 200)
    for (const client of [owner, dealersOwner])
      assert.deepEqual(told(await openings(client, projectId)), [
        ['file_opened', 'visitor', 'contract.pdf', 'contract', '192.0.2.1'],
        ['folder_opened', 'visitor', null, 'contract', '203.0.113.5'],
        ['file_opened', 'visitor', 'contract.pdf', 'contract', '198.51.100.1'],
        ['file_opened', 'visitor', 'contract.pdf', 'contract', '203.0.113.5'],
      ])
  })

  test('a dealer reads of its own people, not of the installer’s', async () => {
    const { projectId } = await project(world.dealer)
    const contract = await addFile(projectId, 'contract', 'contract.pdf', pdf)
    for (const client of [owner, dealersOwner])
      assert.equal((await openIn(client, `/projects/${projectId}/files/${contract}`)).status, 200)
    assert.deepEqual(
      (await openings(dealersOwner, projectId)).map(({ actor }) => actor.name),
      ['Dora Owner'],
    )
    assert.deepEqual(
      (await openings(owner, projectId)).map(({ actor }) => actor.name),
      ['Dora Owner', 'Olga Owner'],
    )
  })

  test('what is not opened is not noted', async () => {
    const { projectId } = await project(world.other)
    assert.equal((await openIn(owner, `/projects/${projectId}/files/file_none000000`)).status, 404)
    assert.equal((await open('/files/1/aaaaaaaaaaaaaaaaaaaaaaaaaa/x.pdf')).status, 404)
    const [{ n } = { n: -1 }] = await app.database.rows<{ n: number }>(
      `select count(*)::int as n from security_events where type like '%opened' and project_id = $1`,
      [projectId],
    )
    assert.equal(n, 0)
  })
})
