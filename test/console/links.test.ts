import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { LinkResponse } from '../../src/api/console/links.ts'
import { checkRenderings } from '../../src/domain/deals/renderings/rerender.ts'
import { type App, startApp } from '../support/app.ts'
import { consoleRoutes } from '../support/console-routes.ts'
import { createWorld, project, type World } from '../support/factories.ts'
import { addPerson, type Person, signedIn } from '../support/people.ts'
import { pdf, png } from '../support/sample-files.ts'
import { webhookIn } from '../support/watched.ts'

type Client = Awaited<ReturnType<typeof signedIn>>

describe('addresses of a project', () => {
  let app: App
  let world: World
  let owner: Client
  let manager: Person
  let rep: Person
  let sub: Person

  before(async () => {
    app = await startApp()
    world = await createWorld(app.database.db)
    const { id } = world.installer.company
    owner = await signedIn(app, await addPerson(app, id, 'owner'))
    manager = await addPerson(app, id, 'manager')
    rep = await addPerson(app, id, 'rep')
    sub = await addPerson(app, id, 'subcontractor')
  })

  const upload = async (projectId: string, folder: string, name: string, raw: Buffer): Promise<string> => {
    const path = `/console/api/projects/${projectId}/files?${new URLSearchParams({ folder, name })}`
    const headers = { cookie: owner.cookie, 'x-sunstead-console': '1' }
    const { status, body, text } = await app.send('PUT', path, { raw, headers })
    assert.equal(status, 201, text)
    return body.id
  }
  const sold = () =>
    project(world.installer, { salesRepId: rep.id, notes: 'Wants it cheap' }, { subcontractorId: sub.id })
  const read = async (id: string) => (await app.get(`/v1/projects/${id}`, world.installer.key)).body
  const share = async (who: Client, id: string, body: object) => {
    const answer = await who.call('POST', `/projects/${id}/links`, { body })
    assert.equal(answer.status, 201, answer.text)
    return { ...answer.body, path: new URL(answer.body.address).pathname } as {
      id: string
      path: string
      expiresAt: string
    }
  }
  const listed = async (who: Client, id: string): Promise<LinkResponse[]> =>
    (await who.get(`/projects/${id}/links`)).body.links
  const status = async (path: string, headers = {}) => (await app.send('GET', path, { headers })).status

  test('are in no answer that the console gives', async () => {
    const { projectId, leadId } = await sold()
    const fileId = await upload(projectId, 'siteSurvey', 'Roof.png', png)
    await upload(projectId, 'contract', 'Contract.pdf', pdf)
    const { id: linkId, path } = await share(owner, projectId, { kind: 'file', fileId })
    const { webhookId, deliveryId } = await webhookIn(app.database, world.installer)
    const { files, links } = await read(projectId)
    await app.database.rows(
      `insert into webhook_messages (installer_id, event_at, event_ordinal, for_dealer, type, company_id, to_dealers, body)
       select installer_id, event_at, event_ordinal, for_dealer, type, installer_id, false, $2 from webhook_deliveries where id = $1`,
      [deliveryId, JSON.stringify({ files, links })],
    )
    const tokens = [
      ...Object.values(files as Record<string, string[]>).flat(),
      links.proposal as string,
      path,
    ].map((address) => /[\w-]{27}(?=\/|$)/.exec(address)![0])
    const [kept] = await app.database.rows<{ folder_secret: string }>(
      'select folder_secret from projects where id = $1',
      [projectId],
    )
    tokens.push(kept!.folder_secret)
    assert.equal(tokens.length, 5)

    const ids: Record<string, string> = {
      fileId,
      linkId,
      deliveryId,
      folder: 'siteSurvey',
      stageId: 'stg_none000000',
    }
    const own: Record<string, string> = { projects: projectId, leads: leadId, webhooks: webhookId }
    let looked = 0
    for (const [name, { query = '', streamed, open }] of Object.entries(consoleRoutes)) {
      const [method, url] = name.split(' ') as [string, string]
      if (method !== 'GET' || streamed || open) continue
      const route = url
        .replace(':id', own[url.split('/')[1]!] ?? world.installer.company.id)
        .replace(/:(\w+)/g, (_, word) => ids[word] ?? 'none')
      const answer = await owner.get(route + query)
      looked += Number(answer.status === 200)
      for (const token of tokens) assert.ok(!answer.text.includes(token), `${name} tells ${token}`)
      const lines = JSON.stringify(answer.headers)
      for (const token of tokens) assert.ok(!lines.includes(token), name)
    }
    assert.ok(looked > 30, `${looked} answers`)
    const { folders, proposal } = (await owner.get(`/projects/${projectId}`)).body
    const file = folders
      .flatMap((folder: { files: object[] }) => folder.files)
      .find((one: { id: string }) => one.id === fileId)
    for (const address of [proposal, file.url, file.thumbnail, folders[0].page]) {
      assert.equal(await status(address, { cookie: owner.cookie }), 200, address)
      assert.equal(await status(address), 401, address)
    }
    const delivery = await owner.get(`/webhooks/${webhookId}/deliveries/${deliveryId}`)
    assert.match(delivery.text, /\/files\/\d+\/…\/Roof\.png/)
  })

  test('that are shared open what they are for, and nothing else', async () => {
    const { projectId } = await sold()
    const roof = await upload(projectId, 'siteSurvey', 'Roof.png', png)
    const plan = await upload(projectId, 'planset', 'Plan.pdf', pdf)
    const file = await share(owner, projectId, { kind: 'file', fileId: plan })
    const folder = await share(owner, projectId, { kind: 'folder', folder: 'siteSurvey', days: 30 })
    const proposal = await share(owner, projectId, { kind: 'proposal', days: 365 })
    assert.match(file.path, /^\/shared\/\d+\/[\w-]{27}$/)
    assert.equal(Math.round((Date.parse(folder.expiresAt) - Date.now()) / 86_400_000), 30)

    const opened = await app.send('GET', file.path)
    assert.deepEqual([opened.status, Buffer.from(opened.bytes).equals(pdf)], [200, true])
    assert.match(opened.headers['content-disposition']!, /^attachment; filename="Plan.pdf"/)
    assert.equal(opened.headers['x-content-type-options'], 'nosniff')
    assert.equal(
      opened.headers['content-security-policy'],
      "default-src 'none'; frame-ancestors 'none'; sandbox",
    )
    assert.equal(opened.headers['cache-control'], 'private, no-cache')
    const page = await app.send('GET', folder.path)
    assert.match(page.text, /Roof\.png/)
    assert.match((await app.send('GET', proposal.path)).text, /Your solar system/)
    for (const [path] of page.text.matchAll(/(?<=(?:href|src)=")\/[^"]+/g))
      assert.ok(path.startsWith(folder.path), path)
    assert.equal(await status(`${folder.path}/files/${roof}`), 200)
    assert.equal(await status(`${folder.path}/files/${roof}/thumbnail`), 200)
    // What is added later is there; what is in another folder is not.
    const eaves = await upload(projectId, 'siteSurvey', 'Eaves.pdf', pdf)
    assert.match((await app.send('GET', folder.path)).text, /Eaves\.pdf/)
    assert.equal(await status(`${folder.path}/files/${eaves}`), 200)
    assert.equal(await status(`${folder.path}/files/${plan}`), 404)
    assert.equal(await status(`${file.path}/files/${plan}`), 404)
    assert.equal(await status(`${file.path.slice(0, -1)}_`), 404)
    assert.equal(await status(file.path.replace(/\d+/, String(world.other.company.number))), 404)
    assert.equal(await status('/shared/x/%00'), 404)
    assert.equal((await app.send('HEAD', file.path)).status, 200)

    const links = await listed(owner, projectId)
    assert.deepEqual(
      links.map(({ kind, opened, works, by }) => [kind, opened, works, by]),
      [
        ['proposal', 1, true, 'The owner'],
        ['folder', 2, true, 'The owner'],
        ['file', 1, true, 'The owner'],
      ],
    )
    const kept = await app.database.rows('select * from shared_links where project_id = $1', [projectId])
    assert.ok(!JSON.stringify(kept).includes(file.path.split('/')[3]!), 'only a hash is kept')
    // A file that is removed is gone from what was shared.
    await owner.call('DELETE', `/projects/${projectId}/files/${plan}`)
    assert.equal(await status(file.path), 404)
    assert.equal(await status(file.path, { 'if-none-match': opened.headers['etag']! }), 404)
  })

  test('end when they are ended, by who runs the company or who made them, and in time', async () => {
    const { projectId } = await sold()
    const [boss, seller, builder] = [
      await signedIn(app, manager),
      await signedIn(app, rep),
      await signedIn(app, sub),
    ]
    const first = await share(seller, projectId, { kind: 'folder', folder: 'contract' })
    const second = await share(builder, projectId, { kind: 'folder', folder: 'planset' })
    const end = (who: Client, id: string) => who.call('DELETE', `/projects/${projectId}/links/${id}`)
    assert.deepEqual(
      (await listed(builder, projectId)).map(({ id }) => id),
      [second.id],
    )
    assert.equal((await end(builder, first.id)).status, 404)
    assert.equal((await end(builder, second.id)).status, 200)
    assert.equal(await status(second.path), 404)
    assert.equal((await end(boss, first.id)).status, 200)
    assert.equal((await end(boss, first.id)).status, 200)
    assert.equal(await status(first.path, { accept: 'text/html' }), 404)
    const [ended] = (await listed(owner, projectId)).filter(({ id }) => id === first.id)
    assert.deepEqual([ended!.works, ended!.endedBy], [false, manager.name])
    const log = await app.database.rows<{ type: string }>(
      `select type from events where subject_id = $1 order by at`,
      [first.id],
    )
    assert.deepEqual(
      log.map(({ type }) => type),
      ['link.created', 'link.ended'],
    )

    const third = await share(owner, projectId, { kind: 'folder', folder: 'planset', days: 1 })
    await app.database.rows(`update shared_links set expires_at = now() - interval '1 s' where id = $1`, [
      third.id,
    ])
    assert.equal(await status(third.path), 404)
    for (const days of [0, 366, 1.5])
      assert.equal(
        (await owner.call('POST', `/projects/${projectId}/links`, { body: { kind: 'proposal', days } }))
          .status,
        400,
      )
  })

  test('end with the access of who made them', async () => {
    const { projectId } = await sold()
    const gone = await addPerson(app, world.installer.company.id, 'manager', 'Gone Soon', 'gone@example.com')
    const made = await share(await signedIn(app, gone), projectId, { kind: 'folder', folder: 'siteSurvey' })
    assert.equal(await status(made.path), 200)
    assert.equal((await owner.call('POST', `/people/${gone.id}/deactivate`, { body: {} })).status, 200)
    assert.equal(await status(made.path), 404)
    assert.equal((await owner.call('POST', `/people/${gone.id}/reactivate`)).status, 200)
    assert.equal(await status(made.path), 404)
  })

  test('are shared by nobody who does not see what they open', async () => {
    const { projectId } = await sold()
    const licence = await upload(projectId, 'identification', 'Licence.pdf', pdf)
    const builder = await signedIn(app, sub)
    const refused = async (body: object) =>
      (await builder.call('POST', `/projects/${projectId}/links`, { body })).status
    assert.equal(await refused({ kind: 'file', fileId: licence }), 404)
    assert.equal(await refused({ kind: 'folder', folder: 'identification' }), 404)
    assert.equal(await refused({ kind: 'proposal' }), 403)
    assert.equal(await refused({ kind: 'folder' }), 400)
  })

  test('that the APIs give are renewed: old ones open nothing, and who syncs gets the new ones', async () => {
    for (const productLine of ['solar', 'hi'] as const) {
      const { projectId } = await project(world.installer, { productLine })
      await upload(projectId, 'contract', 'Contract.pdf', pdf)
      await upload(projectId, 'siteSurvey', 'Roof.png', png)
      const shared = await share(owner, projectId, { kind: 'folder', folder: 'siteSurvey' })
      const old = await read(projectId)
      const legacy = await fetchLegacy(productLine, projectId)
      const addresses = (...answers: object[]) => [
        ...new Set(JSON.stringify(answers).match(/http[^"]+\/(?:files|folders|proposals)\/[^"]+/g)),
      ]
      const before = addresses(old, legacy)
      const etag = (await app.send('GET', new URL(before[0]!).pathname)).headers['etag']!
      const clock = old.updatedAt
      const { status: renewed } = await owner.call('POST', `/projects/${projectId}/renew-links`)
      assert.equal(renewed, 200)

      const { body } = await app.get(`/v1/projects?updatedSince=${clock}`, world.installer.key)
      assert.deepEqual(
        body.data.map(({ id }: { id: string }) => id),
        [projectId],
      )
      const now = addresses(await read(projectId), await fetchLegacy(productLine, projectId))
      assert.equal(now.length, before.length)
      for (const address of before) {
        assert.ok(!now.includes(address))
        const path = new URL(address).pathname
        assert.equal(await status(path), 404, address)
        assert.equal(await status(path, { 'if-none-match': etag }), 404, address)
        assert.equal(await status(path.replace('/files/', '/thumbnails/')), 404)
      }
      for (const address of now) assert.equal(await status(new URL(address).pathname), 200, address)
      assert.equal(await status(shared.path), 200, 'what was shared here goes on')
      const [event] = await app.database.rows<{ type: string; changes: object }>(
        'select type, changes from events where project_id = $1 order by at desc, ordinal desc limit 1',
        [projectId],
      )
      assert.equal(event!.type, 'project.updated')
      assert.deepEqual(Object.keys(event!.changes), ['addresses'])
    }
    const { stale } = await checkRenderings(world.db, new Date(), world.installer.company.id, false)
    assert.deepEqual(stale, [])
    const { projectId } = await sold()
    const seller = await signedIn(app, rep)
    assert.equal((await seller.call('POST', `/projects/${projectId}/renew-links`)).status, 403)
  })

  const fetchLegacy = async (line: 'solar' | 'hi', id: string) => {
    const path = `/legacy/fetch_project${line === 'hi' ? '_hi' : ''}?id=${id}`
    const { status, body } = await app.get(path, world.installer.key)
    assert.equal(status, 200)
    return body
  }
})
