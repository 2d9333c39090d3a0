import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { type Folder, folders } from '../../src/domain/kernel/folder.ts'
import { foldersWith, mayInFolder } from '../../src/domain/kernel/folder-policy.ts'
import { type Role, roles } from '../../src/domain/kernel/tenant/member.ts'
import { type App, startApp } from '../support/app.ts'
import { createWorld, project, system, type World } from '../support/factories.ts'
import { addPerson, type Person, signedIn } from '../support/people.ts'
import { pdf } from '../support/sample-files.ts'

type Client = Awaited<ReturnType<typeof signedIn>>
type Kind = 'installer' | 'dealer'

/** As it was agreed, not as the table has it. */
const crew: Role[] = ['surveyor', 'subcontractor']
const closedToCrew: Folder[] = [
  'contract',
  'identification',
  'utilityBill',
  'homeInsurance',
  'other',
  'internal',
]
const crewAdds: Record<string, Folder[]> = {
  surveyor: ['siteSurvey', 'installationPhoto'],
  subcontractor: ['siteSurvey', 'installationPhoto', 'material', 'permit'],
}
function expected(kind: Kind, role: Role, folder: Folder) {
  const reads = crew.includes(role)
    ? !closedToCrew.includes(folder)
    : kind === 'installer' || folder !== 'internal'
  const adds = reads && (!crew.includes(role) || crewAdds[role]!.includes(folder))
  const removes = kind === 'installer' && ['owner', 'admin', 'manager'].includes(role)
  return { reads, adds, removes }
}

describe('who may do what in which folder', () => {
  let app: App
  let world: World
  let boss: Client
  const seats: { kind: Kind; role: Role; person: Person; client: Client }[] = []

  before(async () => {
    app = await startApp()
    world = await createWorld(app.database.db)
    for (const kind of ['installer', 'dealer'] as const)
      for (const role of roles) {
        const person = await addPerson(app, world[kind].company.id, role)
        seats.push({ kind, role, person, client: await signedIn(app, person) })
      }
    boss = seats[0]!.client
  })

  const send = (client: Client, id: string, folder: Folder, text: string) =>
    app.send(
      'PUT',
      `/console/api/projects/${id}/files?${new URLSearchParams({ folder, name: `${folder}.pdf` })}`,
      {
        raw: Buffer.concat([pdf, Buffer.from(`\n% ${text}\n`)]),
        headers: { cookie: client.cookie, 'x-sunstead-console': '1' },
      },
    )

  for (const kind of ['installer', 'dealer'] as const)
    for (const role of roles)
      test(`${kind}’s ${role}`, async () => {
        const { person, client } = seats.find((seat) => seat.kind === kind && seat.role === role)!
        const on = (...those: Role[]) => (those.includes(role) ? person.id : null)
        const { projectId, leadId } = await project(
          world[kind],
          { salesRepId: on('rep'), setterId: on('setter') },
          { siteSurveyorId: on('surveyor'), subcontractorId: on('subcontractor') },
        )
        const held = new Map<Folder, string>()
        for (const folder of folders) held.set(folder, (await send(boss, projectId, folder, 'boss')).body.id)

        const { body } = await client.get(`/projects/${projectId}`)
        const shown = new Map<string, { adds: boolean; files: { removable: boolean }[] }>(
          body.folders.map((one: { folder: string }) => [one.folder, one]),
        )
        const feed = (await client.get(`/leads/${leadId}/activities?limit=100`)).text
        for (const folder of folders) {
          const where = `${kind}’s ${role} in ${folder}`
          const { reads, adds, removes } = expected(kind, role, folder)
          const actor = { kind: 'member', companyKind: kind, role } as const
          assert.equal(mayInFolder(actor, 'read', folder), reads, where)
          const fileId = held.get(folder)!
          const path = `/projects/${projectId}/files/${fileId}`
          assert.equal(shown.has(folder), reads, where)
          assert.equal(shown.get(folder)?.adds ?? false, adds, where)
          assert.equal(shown.get(folder)?.files[0]?.removable ?? false, reads && removes, where)
          assert.equal((await client.get(path)).status, reads ? 200 : 404, where)
          assert.equal(
            (await client.get(`/projects/${projectId}/folders/${folder}`)).status,
            reads ? 200 : 404,
            where,
          )
          const shared = { kind: 'folder', folder }
          const link = await client.call('POST', `/projects/${projectId}/links`, { body: shared })
          assert.equal(link.status, reads ? 201 : 404, where)
          const added = await send(client, projectId, folder, 'own')
          assert.equal(added.status, adds ? 201 : 403, `${where} ${added.text}`)
          if (adds)
            assert.equal(
              (await client.call('DELETE', `/projects/${projectId}/files/${added.body.id}`)).status,
              200,
            )
          const removed = await client.call('DELETE', path)
          assert.equal(removed.status, reads ? (removes ? 200 : 403) : 404, where)
          // What is internal is told to those alone who read internal notes.
          const told =
            folder === 'internal' ? kind === 'installer' && ['owner', 'admin'].includes(role) : reads
          assert.equal(feed.includes(`${folder}.pdf`), told, `${where}: the feed`)
        }
      })

  test('keys are not people: what the interfaces say of them holds', () => {
    assert.deepEqual(foldersWith({ kind: 'key', companyKind: 'installer' }, 'add'), [...folders])
    assert.deepEqual(foldersWith({ kind: 'key', companyKind: 'dealer' }, 'add'), [])
    assert.equal(foldersWith({ kind: 'key', companyKind: 'dealer' }, 'read').length, folders.length - 1)
  })

  test('who measures and who builds sees no price, financing or customer’s note, wherever they look', async () => {
    const secret = { price: '28728.77', amount: '11111.77', adder: '2577.77', note: 'Haggles, is broke' }
    const financing = {
      type: 'loan' as const,
      lender: 'Secret Lender',
      amount: secret.amount,
      aprPercent: '7.77',
      termMonths: 177,
      monthlyPayment: '177.77',
      dealerFeePercent: '17.77',
    }
    for (const role of crew) {
      const { person, client } = seats.find((seat) => seat.kind === 'installer' && seat.role === role)!
      const { projectId, leadId } = await project(
        world.installer,
        { notes: secret.note, utility: { name: 'SDG&E', monthlyBill: '277.77' } },
        {
          contractPrice: secret.price,
          financing,
          system: {
            ...system,
            pricePerWatt: { base: '2.77', final: '3.77' },
            adders: [
              {
                name: 'Trenching',
                quantity: 2,
                total: secret.adder,
                unitPrice: '1288.77',
                repSponsored: true,
              },
            ],
          },
          siteSurveyorId: role === 'surveyor' ? person.id : null,
          subcontractorId: role === 'subcontractor' ? person.id : null,
        },
      )
      const patch = { contractPrice: '29999.77', financing: { lender: 'Another Secret Lender' } }
      assert.equal((await boss.call('PATCH', `/projects/${projectId}`, { body: patch })).status, 200)
      await boss.call('PATCH', `/projects/${projectId}`, {
        body: { notes: 'Gate code 4410', surveyDate: '2026-12-01' },
      })
      await boss.call('PATCH', `/leads/${leadId}`, { body: { notes: `${secret.note} still` } })
      await boss.call('POST', `/leads/${leadId}/notes`, { body: { body: 'Bring the long ladder' } })

      const answers = [
        `/projects/${projectId}`,
        `/leads/${leadId}`,
        `/leads/${leadId}/activities?limit=100`,
        `/leads/${leadId}/duplicates`,
        '/leads',
        '/board?line=solar',
        '/home',
        '/notifications',
        '/calendar?from=2026-11-20&to=2026-12-20',
        '/search?q=First',
        '/session',
      ]
      const look = async () => {
        for (const path of answers) {
          const { status, text } = await client.get(path)
          assert.equal(status, 200, path)
          assert.doesNotMatch(
            text,
            /\d[.]?7\d*[.]77(?!\d)|\.77\b|Secret Lender|Haggles|"?termMonths"?:177/,
            path,
          )
        }
        const { body } = await client.get(`/projects/${projectId}`)
        assert.deepEqual([body.contract, body.financing, body.proposal], [null, null, null])
        assert.equal(body.system.adders[0].name, 'Trenching')
        const feed = (await client.get(`/leads/${leadId}/activities?limit=100`)).text
        for (const told of [/Gate code 4410/, /Bring the long ladder/, /Survey scheduled/])
          assert.match(feed, told)
      }
      await look()
      assert.equal((await client.get(`/projects/${projectId}/proposal`)).status, 403)
      assert.equal((await client.get(`/leads/${leadId}/sale`)).status, 403)
      assert.equal((await client.get('/audit')).status, 403)
      const whole = (await boss.get(`/projects/${projectId}`)).text
      for (const told of ['29999.77', secret.adder, 'Another Secret Lender', secret.note])
        assert.ok(whole.includes(told), told)
    }
  })
})
