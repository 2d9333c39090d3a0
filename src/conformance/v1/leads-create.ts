import { expectEqual, expectInvalid, expectShape, expectStatus, option, rowsOf, textAt } from '../expect.ts'
import type { Kit } from '../kit.ts'
import { fail, need } from '../outcome.ts'
import type { Rule } from '../rule.ts'
import { at, boolean, list, shown, text } from '../shape.ts'
import {
  activities,
  createLead,
  fullLead,
  fullLeadBody,
  fullLeadCreated,
  leadBody,
  type Row,
  readLead,
} from './records.ts'

const required = [
  'firstName',
  'lastName',
  'address',
  'address.line1',
  'address.city',
  'address.state',
  'address.postalCode',
]

/** The smallest body without one of its fields. */
function without(kit: Kit, path: string): Row {
  const { address, ...rest } = leadBody(kit)
  const [top, inner] = path.split('.')
  if (inner) return { ...rest, address: { ...address, [inner]: undefined } }
  return { ...rest, address, [top!]: undefined }
}

const wrongTypes: [name: string, more: Row][] = [
  ['first-name', { firstName: 5 }],
  ['address', { address: '1 Market St' }],
  ['notes', { notes: { text: 'no' } }],
  ['external-id', { externalId: 5 }],
]

const decided: [name: string, says: string, more: Row][] = [
  ['email', 'An `email` that looks like none is 400 `invalid`.', { email: 'no address' }],
  ['nul', 'A text with NUL in it is 400 `invalid`.', { notes: 'a\u0000b' }],
  ['long-name', 'A name of more than 200 characters is 400 `invalid`.', { firstName: 'x'.repeat(201) }],
  ['long-notes', 'Notes of more than 20,000 characters are 400 `invalid`.', { notes: 'x'.repeat(20_001) }],
]

/** What was sent, and where the lead shows it. */
const shownAs: [field: string, path: string][] = [
  ['firstName', 'customer.firstName'],
  ['lastName', 'customer.lastName'],
  ['email', 'customer.email'],
  ['phone', 'customer.phone'],
  ['notes', 'notes'],
  ['externalId', 'externalId'],
  ['address', 'address'],
]

const repeated = (kit: Kit) =>
  kit.once('v1 repeated lead', async () => {
    const body = leadBody(kit, { externalId: `${kit.mark} repeated` })
    return {
      first: await kit.installer.post('/leads', body),
      second: await kit.installer.post('/leads', body),
    }
  })

const strangers = (kit: Kit) =>
  kit.once('v1 lead of strangers', () =>
    kit.installer.post(
      '/leads',
      leadBody(kit, { salesRepEmail: 'no.rep@example.com', setterEmail: 'no.setter@example.com' }),
    ),
  )

const unassigned = (name: string, email: string, field: string): Rule => ({
  id: `v1.leads.create.unassigned.${name.replace(' ', '-')}`,
  says: `An email of the ${name} that is no active member's leaves the ${name} empty and is listed in \`unassigned\`.`,
  async check(kit) {
    const { json } = await strangers(kit)
    const listed = at(json, 'unassigned')
    if (!Array.isArray(listed) || !listed.includes(email)) fail(`unassigned is ${shown(listed)}`)
    expectEqual(at(await readLead(kit, textAt(json, 'leadId')), field), null, field)
  },
})

export const leadCreateRules: Rule[] = [
  ...required.map(
    (path): Rule => ({
      id: `v1.leads.create.required.${path}`,
      says: `A lead without \`${path}\` is 400 \`invalid\`.`,
      check: async (kit) => expectInvalid(await kit.installer.post('/leads', without(kit, path))),
    }),
  ),
  ...wrongTypes.map(
    ([name, more]): Rule => ({
      id: `v1.leads.create.type.${name}`,
      says: `A lead whose \`${Object.keys(more)[0]}\` has another type is 400 \`invalid\`.`,
      check: async (kit) => expectInvalid(await kit.installer.post('/leads', leadBody(kit, more))),
    }),
  ),
  ...decided.map(
    ([name, says, more]): Rule => ({
      id: `v1.leads.create.text.${name}`,
      says,
      decision: true,
      check: async (kit) => expectInvalid(await kit.installer.post('/leads', leadBody(kit, more))),
    }),
  ),
  {
    id: 'v1.leads.create.text.trimmed',
    says: 'Texts are trimmed.',
    decision: true,
    async check(kit) {
      const lead = await readLead(kit, await createLead(kit, kit.installer, { firstName: '  Conformance ' }))
      expectEqual(at(lead, 'customer.firstName'), 'Conformance', 'customer.firstName')
    },
  },
  {
    id: 'v1.leads.create.status',
    says: 'A new lead is answered 201.',
    check: async (kit) => expectStatus(await fullLeadCreated(kit), 201),
  },
  {
    id: 'v1.leads.create.answer.lead-id',
    says: 'The answer to a new lead has `leadId`, a text.',
    check: async (kit) => expectShape(await fullLeadCreated(kit), text, 'leadId'),
  },
  {
    id: 'v1.leads.create.answer.created',
    says: 'The answer to a new lead says `created: true`.',
    async check(kit) {
      const answer = await fullLeadCreated(kit)
      expectShape(answer, boolean, 'created')
      expectEqual(at(answer.json, 'created'), true, 'created')
    },
  },
  {
    id: 'v1.leads.create.answer.unassigned',
    says: 'The answer to a new lead has `unassigned`, an array of texts, empty where nobody was named.',
    async check(kit) {
      const answer = await fullLeadCreated(kit)
      expectShape(answer, list(text), 'unassigned')
      expectEqual(at(answer.json, 'unassigned'), [], 'unassigned')
    },
  },
  ...shownAs.map(
    ([field, path]): Rule => ({
      id: `v1.leads.create.kept.${field}`,
      says: `The \`${field}\` of a new lead reads back as it was sent.`,
      check: async (kit) =>
        expectEqual(at(await fullLead(kit), path), (fullLeadBody(kit) as Row)[field], path),
    }),
  ),
  {
    id: 'v1.leads.create.country.default',
    says: 'The country is `US` when absent.',
    check: async (kit) =>
      expectEqual(
        at(await readLead(kit, await createLead(kit, kit.installer)), 'address.country'),
        'US',
        'country',
      ),
  },
  {
    id: 'v1.leads.create.country.form',
    says: 'A country that is no code of two letters is 400 `invalid`.',
    check: async (kit) =>
      expectInvalid(
        await kit.installer.post(
          '/leads',
          leadBody(kit, { address: { ...leadBody(kit).address, country: 'Canada' } }),
        ),
      ),
  },
  {
    id: 'v1.leads.create.notes.activity',
    says: 'The notes of a new lead are posted to its activity.',
    async check(kit) {
      const feed = await activities(kit, textAt(await fullLead(kit), 'id'))
      const note = fullLeadBody(kit)['notes' as never] as unknown as string
      if (!feed.some(({ body }) => typeof body === 'string' && body.includes(note)))
        fail(`the note is in none of ${feed.length} activities`)
    },
  },
  {
    id: 'v1.leads.create.project',
    says: 'The `project` of a lead is null until the customer bought.',
    check: async (kit) => expectEqual((await fullLead(kit))['project'], null, 'project'),
  },
  {
    id: 'v1.leads.create.listed',
    says: 'A new lead is in the list.',
    async check(kit) {
      const id = await createLead(kit, kit.installer)
      const found = rowsOf(await kit.installer.get('/leads?limit=20'))
      if (!found.some((row) => row['id'] === id)) fail(`${id} is not among the ${found.length} newest`)
    },
  },
  unassigned('sales rep', 'no.rep@example.com', 'salesRep'),
  unassigned('setter', 'no.setter@example.com', 'setter'),
  {
    id: 'v1.leads.create.assigned',
    says: "An active member's email makes that member the sales rep.",
    async check(kit) {
      const email = option(kit.target.memberEmail, '--member-email', 'no member is known')
      const answer = await kit.installer.post('/leads', leadBody(kit, { salesRepEmail: email }))
      expectEqual(at(answer.json, 'unassigned'), [], 'unassigned')
      const lead = await readLead(kit, textAt(answer.json, 'leadId'))
      expectEqual(String(at(lead, 'salesRep.email')).toLowerCase(), email.toLowerCase(), 'salesRep.email')
    },
  },
  {
    id: 'v1.leads.external-id.status',
    says: 'An `externalId` that was sent before is answered 200.',
    check: async (kit) => expectStatus((await repeated(kit)).second, 200),
  },
  {
    id: 'v1.leads.external-id.same-lead',
    says: 'An `externalId` that was sent before is answered with the lead that is there, and `created: false`.',
    async check(kit) {
      const { first, second } = await repeated(kit)
      const id = await need('a first lead', (async () => textAt(first.json, 'leadId'))())
      expectEqual(at(second.json, 'leadId'), id, 'leadId')
      expectEqual(at(second.json, 'created'), false, 'created')
    },
  },
  {
    id: 'v1.leads.external-id.no-second',
    says: 'An `externalId` that was sent before makes no second lead.',
    async check(kit) {
      await repeated(kit)
      const found = rowsOf(await kit.installer.get('/leads?limit=100'))
      const same = found.filter((row) => row['externalId'] === `${kit.mark} repeated`)
      if (same.length > 1) fail(`${same.length} leads have it`)
    },
  },
  {
    id: 'v1.leads.external-id.length',
    says: 'An `externalId` may have 128 characters.',
    async check(kit) {
      const externalId = kit.mark.padEnd(128, 'x')
      expectStatus(await kit.installer.post('/leads', leadBody(kit, { externalId })), 201, 200)
    },
  },
  {
    id: 'v1.leads.external-id.too-long',
    says: 'An `externalId` of more than 128 characters is 400 `invalid`.',
    check: async (kit) =>
      expectInvalid(
        await kit.installer.post('/leads', leadBody(kit, { externalId: kit.mark.padEnd(129, 'y') })),
      ),
  },
  {
    id: 'v1.leads.external-id.per-company',
    says: 'An `externalId` belongs to its company: the dealer’s own lead by the same one is another.',
    decision: true,
    async check(kit) {
      const { first } = await repeated(kit)
      const other = await kit.dealer.post('/leads', leadBody(kit, { externalId: `${kit.mark} repeated` }))
      expectShape(other, text, 'leadId')
      if (at(other.json, 'leadId') === at(first.json, 'leadId')) fail('it is the same lead')
    },
  },
  {
    id: 'v1.leads.idempotency-key',
    says: 'The same POST with the same `Idempotency-Key` is done once and answered as before.',
    decision: true,
    async check(kit) {
      const headers = { 'idempotency-key': `${kit.mark.replace(' ', '-')}-once` }
      const first = await kit.installer.post('/leads', leadBody(kit), { headers })
      const second = await kit.installer.post('/leads', leadBody(kit), { headers })
      expectStatus(first, 201, 200)
      expectEqual([second.status, second.json], [first.status, first.json], 'the second answer')
      expectEqual(second.headers['idempotency-replayed'], 'true', 'Idempotency-Replayed')
    },
  },
]
