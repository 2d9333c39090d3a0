import { randomUUID } from 'node:crypto'
import { expectEqual, expectMissing, expectStatus, rowsOf } from '../expect.ts'
import type { Kit } from '../kit.ts'
import { fail, need, notApplicable } from '../outcome.ts'
import type { Rule } from '../rule.ts'
import { dealersLead, fullLead, type Row, readLead, rows, unknownId } from './records.ts'

/** A record that the installer sees and the dealer's list does not have. */
async function foreign(kit: Kit, path: '/leads' | '/projects'): Promise<Row> {
  if (path === '/leads' && !kit.readOnly) return fullLead(kit)
  const all = await need('a list', rows(kit, `${path}?limit=100`))
  const answer = await kit.once(`v1 dealer ${path}`, () => kit.dealer.get(`${path}?limit=100`))
  const own = new Set(rowsOf(answer).map((row) => row['id']))
  // Past a full page there may be more of the dealer's own.
  if (own.size === 100) notApplicable('the dealer has more than a page of them')
  return all.find((row) => !own.has(row['id'])) ?? notApplicable("none but the dealer's own was found")
}

async function expectHidden(kit: Kit, path: '/leads' | '/projects'): Promise<void> {
  const { id } = await foreign(kit, path)
  const found = rowsOf(await kit.dealer.get(`${path}?limit=100`))
  if (found.some((row) => row['id'] === id)) fail(`${id} is in the dealer's list`)
}

export const visibilityRules: Rule[] = [
  {
    id: 'v1.visibility.installer.read',
    says: "An installer's key reads its dealers' leads.",
    check: async (kit) => {
      const id = await dealersLead(kit)
      expectStatus(await kit.installer.get(`/leads/${id}`), 200)
    },
  },
  {
    id: 'v1.visibility.installer.list',
    says: "An installer's key lists its dealers' leads among its own.",
    async check(kit) {
      const id = await dealersLead(kit)
      await kit.dealer.patch(`/leads/${id}`, { firstName: `Listed ${randomUUID().slice(0, 8)}` })
      const found = rowsOf(await kit.installer.get('/leads?limit=20'))
      if (!found.some((row) => row['id'] === id)) fail(`${id} is not among the ${found.length} newest`)
    },
  },
  {
    id: 'v1.visibility.dealer.own',
    says: "A dealer's key reads what it created.",
    check: async (kit) => {
      const id = await dealersLead(kit)
      expectEqual((await readLead(kit, id, kit.dealer))['id'], id, 'id')
    },
  },
  {
    id: 'v1.visibility.dealer.leads.list',
    says: "A lead of another company is not in a dealer's list.",
    check: (kit) => expectHidden(kit, '/leads'),
  },
  {
    id: 'v1.visibility.dealer.leads.read',
    says: 'A lead of another company answers a dealer as a missing one: 404.',
    check: async (kit) =>
      expectMissing(await kit.dealer.get(`/leads/${(await foreign(kit, '/leads'))['id']}`)),
  },
  {
    id: 'v1.visibility.dealer.leads.change',
    says: 'A lead of another company cannot be changed by a dealer: 404, and nothing changes.',
    async check(kit) {
      const { id } = await fullLead(kit)
      expectMissing(await kit.dealer.patch(`/leads/${id}`, { firstName: 'Foreign' }))
      expectEqual(
        (await readLead(kit, String(id)))['customer'],
        (await fullLead(kit))['customer'],
        'customer',
      )
    },
  },
  {
    id: 'v1.visibility.dealer.leads.activities',
    says: 'The activity of another company’s lead answers a dealer 404.',
    check: async (kit) =>
      expectMissing(await kit.dealer.get(`/leads/${(await foreign(kit, '/leads'))['id']}/activities`)),
  },
  {
    id: 'v1.visibility.dealer.projects.list',
    says: "A project of another company is not in a dealer's list.",
    check: (kit) => expectHidden(kit, '/projects'),
  },
  {
    id: 'v1.visibility.dealer.projects.read',
    says: 'A project of another company answers a dealer as a missing one: 404.',
    check: async (kit) =>
      expectMissing(await kit.dealer.get(`/projects/${(await foreign(kit, '/projects'))['id']}`)),
  },
  {
    id: 'v1.visibility.same-answer',
    says: 'The 404 for another company’s record is the same as for one that there is not.',
    async check(kit) {
      const { id } = await foreign(kit, '/leads')
      const hidden = await kit.dealer.get(`/leads/${id}`)
      const missing = await kit.dealer.get(`/leads/${unknownId}`)
      const plain = (body: unknown, own: string) => JSON.stringify(body)?.replaceAll(own, '')
      expectEqual(
        [hidden.status, plain(hidden.json, String(id))],
        [missing.status, plain(missing.json, unknownId)],
        'it',
      )
    },
  },
]
