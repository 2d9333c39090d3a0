import { randomUUID } from 'node:crypto'
import { expectEqual, expectInvalid, expectMissing, expectStatus, recordOf, rowsOf } from '../expect.ts'
import type { Kit } from '../kit.ts'
import { ownLead } from '../legacy/records.ts'
import { fail, need, notApplicable } from '../outcome.ts'
import type { Rule } from '../rule.ts'
import { at, shown } from '../shape.ts'
import { activities, changingLead, fullLead, page, type Row, readLead, rows, unknownId } from './records.ts'

/** Changes the lead that is there to be changed, and gives it as it was and as it was answered. */
async function change(kit: Kit, body: Row): Promise<{ before: Row; after: Row }> {
  const id = await changingLead(kit)
  const before = await readLead(kit, id)
  return { before, after: recordOf(await kit.installer.patch(`/leads/${id}`, body)) }
}

const place = { line1: '2 Second St', city: 'Fresno', state: 'CA', postalCode: '93650' }
const simple: [field: string, path: string, value: string][] = [
  ['firstName', 'customer.firstName', 'Changed'],
  ['lastName', 'customer.lastName', 'Conformance Changed'],
  ['email', 'customer.email', 'after@example.com'],
  ['phone', 'customer.phone', '619 555 0199'],
  ['notes', 'notes', 'Changed by conformance'],
]

const refused = (name: string, says: string, body: Row, decision?: true): Rule => ({
  id: `v1.leads.change.${name}`,
  says,
  ...(decision ? { decision } : {}),
  check: async (kit) => expectInvalid(await kit.installer.patch(`/leads/${await changingLead(kit)}`, body)),
})

const byId: Rule[] = [
  {
    id: 'v1.leads.read.status',
    says: 'A lead is read by its id: 200.',
    async check(kit) {
      const { id } = kit.readOnly ? ((await rows(kit, '/leads?limit=100'))[0] ?? {}) : await fullLead(kit)
      if (id === undefined) notApplicable('the server has no leads')
      const answer = await page(kit, `/leads/${id}`)
      expectStatus(answer, 200)
      expectEqual(at(answer.json, 'id'), id, 'id')
    },
  },
  {
    id: 'v1.leads.read.stable-id',
    says: 'A lead keeps its id: in the answer to its creation, in the list, and read again.',
    async check(kit) {
      const id = await changingLead(kit)
      for (const again of [1, 2]) expectEqual((await readLead(kit, id))['id'], id, `id, read ${again} times,`)
      await kit.installer.patch(`/leads/${id}`, { phone: '619 555 0102' })
      const found = rowsOf(await kit.installer.get('/leads?limit=20'))
      if (!found.some((row) => row['id'] === id)) fail(`${id} is not among the ${found.length} newest`)
    },
  },
  {
    id: 'v1.leads.read.by-reference',
    says: 'A lead also answers to its reference.',
    async check(kit) {
      const listed = (await need('leads', rows(kit, '/leads?limit=100'))).find((row) => row['reference'])
      // The legacy interface gives leads one.
      const found = listed ?? (kit.readOnly ? {} : await readLead(kit, await ownLead(kit)))
      if (!found['reference']) notApplicable('no lead of the newest 100 has a reference')
      expectEqual((await readLead(kit, String(found['reference'])))['id'], found['id'], 'id')
    },
  },
  ...[unknownId, 'lead_%00', '..%2Fme', 'x'.repeat(500)].map(
    (id, i): Rule => ({
      id: `v1.leads.read.missing.${['unknown', 'nul', 'path', 'long'][i]}`,
      says: `An id that no lead has answers 404 \`not_found\` (${['a plain one', 'with NUL', 'with a path', 'a long one'][i]}).`,
      ...(i > 0 ? { decision: true } : {}),
      check: async (kit) => expectMissing(await kit.installer.get(`/leads/${id}`)),
    }),
  ),
]

export const leadChangeRules: Rule[] = [
  ...byId,
  ...simple.map(
    ([field, path, value]): Rule => ({
      id: `v1.leads.change.${field}`,
      says: `\`${field}\` can be changed, and the answer shows it.`,
      check: async (kit) => expectEqual(at((await change(kit, { [field]: value })).after, path), value, path),
    }),
  ),
  {
    id: 'v1.leads.change.status',
    says: 'A change is answered 200.',
    check: async (kit) =>
      expectStatus(
        await kit.installer.patch(`/leads/${await changingLead(kit)}`, { firstName: 'Twice' }),
        200,
      ),
  },
  {
    id: 'v1.leads.change.whole',
    says: 'The answer to a change is the complete lead, as it reads then.',
    async check(kit) {
      const { after } = await change(kit, { firstName: 'Whole' })
      expectEqual(after, await readLead(kit, String(after['id'])), 'the answer')
    },
  },
  {
    id: 'v1.leads.change.absent-kept',
    says: 'A field that is absent is kept.',
    async check(kit) {
      const { before, after } = await change(kit, { firstName: 'Kept' })
      const rest = ({ customer, updatedAt, ...more }: Row) => ({
        ...more,
        customer: { ...(customer as Row), firstName: '' },
      })
      expectEqual(rest(after), rest(before), 'what was not sent')
    },
  },
  {
    id: 'v1.leads.change.nothing',
    says: 'All fields are optional: a change of nothing is 200.',
    check: async (kit) =>
      expectStatus(await kit.installer.patch(`/leads/${await changingLead(kit)}`, {}), 200),
  },
  {
    id: 'v1.leads.change.notes.activity',
    says: 'Changed notes are posted to the activity.',
    async check(kit) {
      const notes = `Second note of ${kit.mark}`
      await change(kit, { notes })
      const feed = await activities(kit, await changingLead(kit))
      if (!feed.some(({ body }) => typeof body === 'string' && body.includes(notes)))
        fail(`the note is in none of ${feed.length} activities`)
    },
  },
  {
    id: 'v1.leads.change.address',
    says: 'An `address` is changed as a whole, and its country is `US` when absent.',
    async check(kit) {
      const { after } = await change(kit, { address: place })
      expectEqual(after['address'], { ...place, line2: null, country: 'US' }, 'address')
    },
  },
  ...['line1', 'city', 'state', 'postalCode'].map((part) =>
    refused(`address.${part}`, `An \`address\` without \`${part}\` is 400 \`invalid\`.`, {
      address: { ...place, [part]: undefined },
    }),
  ),
  {
    id: 'v1.leads.change.co-borrower.set',
    says: 'A `coBorrower` can be set.',
    async check(kit) {
      const coBorrower = {
        firstName: 'Second',
        lastName: 'Person',
        email: 'second@example.com',
        phone: '619 555 0103',
      }
      expectEqual((await change(kit, { coBorrower })).after['coBorrower'], coBorrower, 'coBorrower')
    },
  },
  {
    id: 'v1.leads.change.co-borrower.clear',
    says: 'An empty text clears that field of the `coBorrower`.',
    async check(kit) {
      await change(kit, { coBorrower: { firstName: 'Second', email: 'second@example.com' } })
      const { after } = await change(kit, { coBorrower: { email: '' } })
      expectEqual(at(after, 'coBorrower.email'), null, 'coBorrower.email')
      expectEqual(at(after, 'coBorrower.firstName'), 'Second', 'coBorrower.firstName')
    },
  },
  {
    id: 'v1.leads.change.co-borrower.null',
    says: 'A `coBorrower` whose every field is cleared becomes null.',
    decision: true,
    async check(kit) {
      const none = { firstName: '', lastName: '', email: '', phone: '' }
      expectEqual((await change(kit, { coBorrower: none })).after['coBorrower'], null, 'coBorrower')
    },
  },
  {
    id: 'v1.leads.change.cleared',
    says: 'Empty text or null clears `email`, `phone` and `notes`.',
    decision: true,
    async check(kit) {
      const { after } = await change(kit, { email: '', phone: null, notes: '' })
      expectEqual(
        [at(after, 'customer.email'), at(after, 'customer.phone'), after['notes']],
        [null, null, null],
        'they',
      )
    },
  },
  refused('type', 'A field of another type is 400 `invalid`.', { firstName: 5 }),
  refused('empty-name', 'An empty first name is 400 `invalid`.', { firstName: '' }, true),
  {
    id: 'v1.leads.change.missing',
    says: 'A change of a lead that there is not answers 404 `not_found`.',
    check: async (kit) =>
      expectMissing(await kit.installer.patch(`/leads/${unknownId}`, { firstName: 'No' })),
  },
  {
    id: 'v1.leads.change.updated-at',
    says: 'A change moves `updatedAt` on.',
    async check(kit) {
      const { before, after } = await change(kit, { firstName: `Moved ${randomUUID().slice(0, 8)}` })
      if (!(Date.parse(String(after['updatedAt'])) > Date.parse(String(before['updatedAt']))))
        fail(`updatedAt was ${shown(before['updatedAt'])} and is ${shown(after['updatedAt'])}`)
    },
  },
  {
    id: 'v1.leads.change.same-value',
    says: 'A change that changes nothing does not move `updatedAt`.',
    decision: true,
    async check(kit) {
      await change(kit, { firstName: 'Same' })
      const { before, after } = await change(kit, { firstName: 'Same' })
      expectEqual(after['updatedAt'], before['updatedAt'], 'updatedAt')
    },
  },
  {
    id: 'v1.leads.change.if-match',
    says: 'A change with an outdated `If-Match` is 412, and nothing is written.',
    decision: true,
    async check(kit) {
      const id = await changingLead(kit)
      const { etag } = (await kit.installer.get(`/leads/${id}`)).headers
      if (!etag) fail('a single read has no ETag')
      await change(kit, { firstName: `Newer ${randomUUID().slice(0, 8)}` })
      const before = await readLead(kit, id)
      const late = await kit.installer.patch(
        `/leads/${id}`,
        { firstName: 'Late' },
        { headers: { 'if-match': etag } },
      )
      expectStatus(late, 412)
      expectEqual(await readLead(kit, id), before, 'the lead')
    },
  },
]
