import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { deleteFile } from '../../src/domain/deals/files/delete-file.ts'
import { startAppWithFiles } from '../support/app-with-files.ts'
import { createWorld, project, type World } from '../support/factories.ts'
import { addPerson, signedIn } from '../support/people.ts'
import { png } from '../support/sample-files.ts'

const hostile: [sent: string, kept: string][] = [
  ['../../etc/roof.png', 'roof.png'],
  ['C:\\temp\\roof.png', 'roof.png'],
  ['roof\r\nSet-Cookie: a=b.png', 'roof Set-Cookie: a=b.png'],
  ['invoice\u202egnp.png', 'invoicegnp.png'],
  ['\u2067roof\u2069\u200f.png', 'roof.png'],
  ['roof\u0007\u009b.png', 'roof.png'],
  ['..roof.png.. ', 'roof.png'],
  ['zero\u200bwidth.png', 'zerowidth.png'],
]

const files = await startAppWithFiles()
const { app } = files

describe('a hostile file name', () => {
  let world: World
  let owner: Awaited<ReturnType<typeof signedIn>>

  before(async () => {
    world = await createWorld(app.database.db)
    owner = await signedIn(app, await addPerson(app, world.installer.company.id, 'owner'))
  })

  let sent = 0
  const own = () => Buffer.concat([png, Buffer.from(String(++sent))])
  const key = () => world.installer.key

  /** As everything that shows or serves it says it. */
  async function checkShown(projectId: string, kept: string): Promise<void> {
    const { folders } = (await owner.get(`/projects/${projectId}`)).body
    const [file] = folders.flatMap((folder: { files: object[] }) => folder.files)
    assert.equal(file.name, kept)
    const { files: given } = (await app.get(`/v1/projects/${projectId}`, key())).body
    const address = new URL(Object.values(given as Record<string, string[]>).flat()[0]!)
    assert.equal(decodeURIComponent(address.pathname.split('/').at(-1)!), kept)
    const { headers, status } = await app.send('GET', address.pathname)
    assert.equal(status, 200)
    const named = /filename\*=UTF-8''(.+)$/.exec(headers['content-disposition']!)![1]!
    assert.equal(decodeURIComponent(named), kept)
  }

  for (const [name, kept] of hostile)
    test(`${JSON.stringify(name)} is kept as ${kept}`, async () => {
      const uploaded = await project(world.installer)
      const query = new URLSearchParams({ folder: 'other', name })
      const { status, body } = await app.send(
        'PUT',
        `/console/api/projects/${uploaded.projectId}/files?${query}`,
        {
          raw: own(),
          headers: { cookie: owner.cookie, 'x-sunstead-console': '1' },
        },
      )
      assert.deepEqual([status, body.name], [201, kept])
      await checkShown(uploaded.projectId, kept)

      const named = await project(world.installer)
      const add = (projectId: string, file: object) =>
        app.call('POST', `/v1/projects/${projectId}/files`, {
          key: key(),
          body: { folder: 'other', files: [file] },
        })
      assert.equal(
        (await add(named.projectId, { url: files.at(`/a${++sent}.png`), name })).body.files[0].name,
        kept,
      )
      await checkShown(named.projectId, kept)

      const addressed = await project(world.installer)
      const last = encodeURIComponent(name)
        .replaceAll('.', '%2E')
        .replace(/(%2E)png/, '.png')
      assert.equal(
        (await add(addressed.projectId, { url: files.at(`/x/${last}?as=.png`) })).body.files[0].name,
        kept,
      )
      await checkShown(addressed.projectId, kept)

      // As it was kept before names were cleaned.
      await app.database.rows('update files set name = $2 where project_id = $1', [
        named.projectId,
        name.replaceAll('\u0000', ''),
      ])
      const { folders } = (await owner.get(`/projects/${named.projectId}`)).body
      const [file] = folders.flatMap((folder: { files: object[] }) => folder.files)
      assert.equal(file.name, kept)
      const { headers } = await owner.get(`/projects/${named.projectId}/files/${file.id}`)
      assert.ok(
        headers['content-disposition']!.endsWith(
          `''${encodeURIComponent(kept).replace(/[()]/g, (c) => `%${c.charCodeAt(0).toString(16)}`)}`,
        ),
      )
      assert.match(
        (await owner.get(`/projects/${named.projectId}/folders/other`)).text,
        new RegExp(kept.replace(/[.]/g, '\\.')),
      )
      await deleteFile({ ...world.installer.as() }, app.server.deps.copying.store, named.projectId, file.id)
    })

  test('of an import is kept clean', async () => {
    const query = new URLSearchParams({ name: '..\\..\\le\u202eads\n.csv' })
    const { status, body } = await app.send('PUT', `/console/api/imports?${query}`, {
      raw: Buffer.from('First Name,Last Name\nAda,Moreno\n'),
      headers: { cookie: owner.cookie, 'x-sunstead-console': '1' },
    })
    assert.equal(status, 201)
    assert.equal((await owner.get(`/imports/${body.id}`)).body.name, 'leads .csv')
  })

  test('does not hide that it is a program', async () => {
    const { projectId } = await project(world.installer)
    for (const name of ['photo\u202egnp.exe', 'photo.ex\u200be', 'photo.exe. .']) {
      const query = new URLSearchParams({ folder: 'other', name })
      const { status } = await app.send('PUT', `/console/api/projects/${projectId}/files?${query}`, {
        raw: own(),
        headers: { cookie: owner.cookie, 'x-sunstead-console': '1' },
      })
      assert.equal(status, 400, JSON.stringify(name))
    }
  })
})
