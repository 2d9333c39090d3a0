import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { sellLead } from '../../../../src/domain/deals/sale/sell-lead.ts'
import { updateMember } from '../../../../src/domain/tenants/members/update-member.ts'
import { startApp } from '../../../support/app.ts'
import {
  type Actors,
  createWorld,
  hiSale,
  leadBody,
  member,
  project,
  solarSale,
} from '../../../support/factories.ts'

const app = await startApp()
const { db, rows } = app.database
const world = await createWorld(db)

interface Row {
  id: string
  updatedAt: string
}

/** A client that keeps its own copy by the rule of the spec: the newest updatedAt it read is sent next time. */
function client(path: string, key: string, limit: number, productLine?: 'solar' | 'hi') {
  const copy = new Map<string, Row>()
  let newest = ''
  return {
    path,
    key,
    copy,
    productLine,
    async sync(): Promise<void> {
      const since = newest
      for (let cursor: string | null = ''; cursor !== null; ) {
        const query = new URLSearchParams({ limit: String(limit) })
        if (productLine) query.set('productLine', productLine)
        if (since) query.set('updatedSince', since)
        if (cursor) query.set('cursor', cursor)
        const { body, status, text } = await app.get(`${path}?${query}`, key)
        assert.equal(status, 200, text)
        for (const row of body.data as Row[]) {
          const held = copy.get(row.id)
          if (!held || held.updatedAt < row.updatedAt) copy.set(row.id, row)
          if (row.updatedAt > newest) newest = row.updatedAt
        }
        cursor = body.next
      }
    },
  }
}

async function writer(who: Actors, seed: number, steps: number, repId: string): Promise<void> {
  const { installer } = world
  const random = (n: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31
    return Math.floor((seed / 2 ** 31) * n)
  }
  const leads: string[] = []
  const projects: string[] = []
  for (let i = 0; i < steps; i++) {
    const leadId = leads[random(leads.length)]
    const projectId = projects[random(projects.length)]
    const productLine = random(2) ? 'hi' : 'solar'
    switch (random(7)) {
      case 0:
      case 1: {
        const body = { ...leadBody, productLine, externalId: `${who.company.number}-${random(40)}` }
        leads.push((await app.call('POST', '/v1/leads', { key: who.key, body })).body.leadId)
        break
      }
      case 2:
        if (leadId)
          await app.call('PATCH', `/v1/leads/${leadId}`, { key: who.key, body: { phone: `${random(3)}` } })
        break
      case 3:
        if (projectId)
          await app.call('PATCH', `/v1/projects/${projectId}`, {
            key: installer.key,
            body: { installDate: `2026-10-1${random(3)}` },
          })
        break
      case 4: {
        const stage = ['Sold', 'Complete'][random(2)]
        if (projectId)
          await app.call('POST', `/v1/projects/${projectId}/stage`, { key: installer.key, body: { stage } })
        break
      }
      case 5:
        if (leadId) {
          const { body } = await app.get(`/v1/leads/${leadId}`, who.key)
          if (body.project) break
          const sold = await sellLead(who.as(), leadId, body.productLine === 'hi' ? hiSale : solarSale).catch(
            (error) => {
              assert.match(String(error), /sold already/)
            },
          )
          if (sold) projects.push(sold.projectId)
        }
        break
      default:
        await updateMember(db, new Date(), installer.company.id, repId, { name: `Rep ${random(1000)}` })
    }
  }
}

test('whoever syncs while others write holds, in the end, exactly what is there', async () => {
  const { installer, dealer, sister } = world
  const rep = await member(world, installer, 'Renamed Often')
  for (let i = 0; i < 5; i++) await project(installer, { salesRepEmail: rep.email })
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.integer({ min: 1, max: 2 ** 30 }), { minLength: 4, maxLength: 5 }),
      fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 8, maxLength: 8 }),
      async (seeds, limits) => {
        const clients = [
          client('/v1/leads', installer.key, limits[0]!),
          client('/v1/projects', installer.key, limits[1]!),
          client('/v1/leads', dealer.key, limits[2]!),
          client('/v1/projects', dealer.key, limits[3]!),
          client('/v1/leads', installer.key, limits[4]!, 'hi'),
          client('/v1/projects', installer.key, limits[5]!, 'solar'),
          client('/v1/leads', sister.key, limits[6]!, 'solar'),
          client('/v1/projects', dealer.key, limits[7]!, 'hi'),
        ]
        let writing = true
        const syncing = clients.map(async ({ sync }) => {
          while (writing) await sync()
        })
        const actors = [installer, dealer, sister]
        await Promise.all(seeds.map((seed, i) => writer(actors[i % 3]!, seed, 40, rep.id)))
        writing = false
        await Promise.all(syncing)
        for (const c of clients) {
          await c.sync()
          assert.deepEqual(
            new Map([...c.copy].sort()),
            new Map([...(await whatIsThere(c))].sort()),
            `${c.path} ${c.productLine ?? ''}`,
          )
        }
      },
    ),
    { numRuns: 3, endOnFailure: true },
  )
})

/** Read from the database, beside the lists. */
async function whatIsThere({ path, key, productLine }: ReturnType<typeof client>): Promise<Map<string, Row>> {
  const table = path === '/v1/leads' ? 'leads' : 'projects'
  const column = table === 'leads' ? 'rendering' : 'row_rendering'
  const who = [world.installer, world.dealer, world.sister].find((actors) => actors.key === key)!
  const found = await rows<{ id: string; text: string }>(
    `select id, ${column} as text from ${table}
     where installer_id = $1 and ($2 = $1 or company_id = $2) and ($3::text is null or product_line = $3)`,
    [world.installer.company.id, who.company.id, productLine ?? null],
  )
  return new Map(found.map(({ id, text }) => [id, JSON.parse(text.replaceAll('\u0001', app.url))]))
}
