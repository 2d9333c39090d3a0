import { expectEqual, expectShape, expectStatus, recordOf } from '../expect.ts'
import type { Kit } from '../kit.ts'
import { need } from '../outcome.ts'
import { fieldRules, type Rule } from '../rule.ts'
import { boolean, matching, nullable, number, oneOf, record, type Shape, text } from '../shape.ts'
import { type Row, readLead } from '../v1/records.ts'
import {
  expectLegacyError,
  expectRefused,
  leadCreated,
  newLead,
  ownLead,
  unknownReference,
} from './records.ts'

const updates: Row = {
  primary_first_name: 'Updated',
  primary_last_name: 'Conformance',
  primary_email: 'updated@example.com',
  primary_phone: 6195550111,
  secondary_first_name: 'Second',
  secondary_last_name: 'Person',
  secondary_email: 'second@example.com',
  secondary_phone: 6195550112,
}

const updated = (kit: Kit) =>
  kit.once('legacy updated lead', async () =>
    kit.legacy.post('/update_lead', { id: await ownLead(kit), home_improvement: false, ...updates }),
  )

const recordShape: Record<string, Shape> = {
  id: matching('10 letters and digits', /^[A-Za-z0-9]{10}$/),
  home_improvement: boolean,
  primary_first_name: text,
  primary_last_name: text,
  primary_email: text,
  primary_phone: nullable(number),
  secondary_first_name: text,
  secondary_last_name: text,
  secondary_email: text,
  secondary_phone: nullable(number),
}

const fetchedFields =
  'id customerFirstName customerLastName customerPhoneNumber customerEmail customerAddress customerStreet customerCity customerState customerZip secondaryCustomerFirstName secondaryCustomerLastName secondaryCustomerPhoneNumber secondaryCustomerEmail customerNotes leadStatus projectStatus utilityCompany monthlyBill salesRepName salesRepEmail salesRepPhone setterName setterEmail setterPhone proposalURL projectURL'

const fetched = (kit: Kit) =>
  kit.once('legacy fetched lead', async () =>
    recordOf(await kit.legacy.get(`/fetch_lead?id=${await ownLead(kit)}`)),
  )

const shownAs: [field: string, as: string][] = [
  ['firstName', 'customerFirstName'],
  ['lastName', 'customerLastName'],
  ['email', 'customerEmail'],
  ['phoneNumber', 'customerPhoneNumber'],
]

export const legacyLeadRules: Rule[] = [
  {
    id: 'legacy.create-lead.answer',
    says: '`create-lead` answers `{status, leaduid}`: a number and a text.',
    check: async (kit) => expectShape(await leadCreated(kit), record({ status: number, leaduid: text })),
  },
  {
    id: 'legacy.create-lead.status',
    says: '`create-lead` answers by status 200, and says so in its body.',
    decision: true,
    async check(kit) {
      const answer = await leadCreated(kit)
      expectStatus(answer, 200)
      expectShape(answer, record({ status: (value) => (value === 200 ? null : 'status is not 200') }))
    },
  },
  ...Object.keys(newLead({ mark: '' } as Kit)).map(
    (field): Rule => ({
      id: `legacy.create-lead.required.${field}`,
      says: `\`create-lead\` needs \`${field}\`.`,
      check: async (kit) =>
        expectRefused(await kit.legacy.post('/create-lead', { ...newLead(kit), [field]: undefined })),
    }),
  ),
  ...shownAs.map(
    ([field, as]): Rule => ({
      id: `legacy.create-lead.kept.${field}`,
      says: `The \`${field}\` of a created lead reads back as \`${as}\`.`,
      decision: true,
      check: async (kit) =>
        expectEqual((await need('to read the lead', fetched(kit)))[as], (newLead(kit) as Row)[field], as),
    }),
  ),
  {
    id: 'legacy.create-lead.unknown-field',
    says: 'Unknown fields of a body are ignored.',
    decision: true,
    check: async (kit) =>
      expectStatus(await kit.legacy.post('/create-lead', { ...newLead(kit), conformance: true }), 200),
  },
  {
    id: 'legacy.create-lead.address',
    says: 'An address in one text is read as its parts.',
    decision: true,
    async check(kit) {
      const { customerStreet, customerCity, customerState, customerZip } = await need(
        'the lead',
        fetched(kit),
      )
      const expected = ['1 Market St', 'San Diego', 'CA', '92101']
      expectEqual([customerStreet, customerCity, customerState, customerZip], expected, 'the parts')
    },
  },
  {
    id: 'legacy.create-lead.in-v1',
    says: 'A created lead is in the company-key API at once, under its reference.',
    decision: true,
    check: async (kit) => {
      const id = await ownLead(kit)
      expectEqual((await readLead(kit, id))['reference'], id, 'reference')
    },
  },
  {
    id: 'legacy.fetch_lead.status',
    says: '`fetch_lead` gives the lead.',
    check: async (kit) => expectStatus(await kit.legacy.get(`/fetch_lead?id=${await ownLead(kit)}`), 200),
  },
  ...fieldRules(
    'legacy.fetch_lead.fields',
    'A solar lead',
    Object.fromEntries(fetchedFields.split(' ').map((name) => [name, text])),
    async (kit) => [await fetched(kit)],
    { decision: true },
  ),
  {
    id: 'legacy.update_lead.status',
    says: '`update_lead` answers the record as it now reads.',
    async check(kit) {
      const answer = await updated(kit)
      expectStatus(answer, 200)
      const { id, home_improvement, ...rest } = recordOf(answer)
      for (const [field, value] of Object.entries(updates)) expectEqual(rest[field], value, field)
    },
  },
  ...fieldRules('legacy.update_lead.fields', 'An updated lead', recordShape, async (kit) => [
    recordOf(await updated(kit)),
  ]),
  {
    id: 'legacy.update_lead.line',
    says: 'An updated solar lead says `home_improvement: false`.',
    check: async (kit) =>
      expectEqual(
        (await need('an updated lead', (async () => recordOf(await updated(kit)))()))['home_improvement'],
        false,
        'home_improvement',
      ),
  },
  {
    id: 'legacy.update_lead.kept',
    says: 'What is not sent to `update_lead` is kept.',
    async check(kit) {
      await updated(kit)
      const answer = await kit.legacy.post('/update_lead', {
        id: await ownLead(kit),
        home_improvement: false,
        primary_first_name: 'Updated',
      })
      expectEqual(recordOf(answer)['primary_email'], 'updated@example.com', 'primary_email')
    },
  },
  ...['id', 'home_improvement'].map(
    (field): Rule => ({
      id: `legacy.update_lead.required.${field}`,
      says: `\`update_lead\` needs \`${field}\`.`,
      async check(kit) {
        const body = { id: await ownLead(kit), home_improvement: false, [field]: undefined }
        expectRefused(await kit.legacy.post('/update_lead', body))
      },
    }),
  ),
  {
    id: 'legacy.update_lead.missing',
    says: '`update_lead` of a lead that there is not is 404.',
    decision: true,
    check: async (kit) =>
      expectLegacyError(
        await kit.legacy.post('/update_lead', { id: unknownReference, home_improvement: false }),
        404,
        'not_found',
      ),
  },
  {
    id: 'legacy.update_lead.no-phone',
    says: 'A phone that there is not is null in the record.',
    decision: true,
    async check(kit) {
      const answer = await kit.legacy.post('/update_lead', {
        id: await ownLead(kit),
        home_improvement: false,
        secondary_phone: null,
      })
      expectEqual(recordOf(answer)['secondary_phone'], null, 'secondary_phone')
    },
  },
  ...fieldRules(
    'legacy.fetch_lead.decided',
    'A solar lead, by decision as one of the known values,',
    {
      leadStatus: oneOf(
        'new',
        'contacted',
        'nurture',
        'appointmentSet',
        'proposalSent',
        'sold',
        'lost',
        'unqualified',
      ),
    },
    async (kit) => [await fetched(kit)],
    { decision: true },
  ),
]
