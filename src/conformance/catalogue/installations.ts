import { expectEqual, expectInvalid, expectMissing, expectStatus, recordOf, rowsOf } from '../expect.ts'
import type { Kit } from '../kit.ts'
import { fail, need } from '../outcome.ts'
import { fieldRules, type Rule } from '../rule.ts'
import { at, list, number, record, type Shape, text, timestamp } from '../shape.ts'
import type { Row } from '../v1/records.ts'
import {
  createPanel,
  envelopeRules,
  installation,
  installationBody,
  installationCreated,
  read,
  region,
  unknownId,
} from './records.ts'

const listFields: Record<string, Shape> = {
  id: text,
  name: text,
  address: text,
  region: text,
  panel_count: number,
}

const readOwn = (kit: Kit): Promise<Row> =>
  kit.once('catalogue read installation', () =>
    need(
      'to read an installation',
      (async () => recordOf(await kit.catalog.get(`/installations/${await installation(kit)}`)))(),
    ),
  )

/** In the list, looked for on the newest and the oldest pages: the order is not said. */
async function inList(kit: Kit, query: string): Promise<Row | undefined> {
  const id = await installation(kit)
  for (let page = 1; page <= 10; page++) {
    const answer = await kit.catalog.get(`/installations?per_page=100&page=${page}${query}`)
    const found = rowsOf(answer)
    const own = found.find((row) => row['id'] === id)
    if (own || found.length === 0) return own
  }
  return undefined
}

const refused = (name: string, says: string, more: Row): Rule => ({
  id: `catalogue.installations.create.${name}`,
  says,
  decision: true,
  check: async (kit) =>
    expectInvalid(await kit.catalog.post('/installations', { ...installationBody(kit), ...more })),
})

export const installationRules: Rule[] = [
  ...envelopeRules('installations', '/installations', false),
  ...fieldRules(
    'catalogue.installations.list.fields',
    'An installation in the list',
    listFields,
    async (kit) => rowsOf(await read(kit, '/installations')),
  ),
  {
    id: 'catalogue.installations.create.status',
    says: 'A new installation is answered 201.',
    decision: true,
    check: async (kit) => expectStatus(await installationCreated(kit), 201),
  },
  ...['name', 'address', 'region', 'capacity_kw'].map(
    (field): Rule => ({
      id: `catalogue.installations.create.kept.${field}`,
      says: `The \`${field}\` of a new installation reads back as it was sent.`,
      check: async (kit) =>
        expectEqual((await readOwn(kit))[field], (installationBody(kit) as Row)[field], field),
    }),
  ),
  ...['name', 'address', 'region'].map((field) =>
    refused(`required.${field}`, `An installation without \`${field}\` is refused, by decision by 400.`, {
      [field]: undefined,
    }),
  ),
  refused('type', 'A `capacity_kw` that is no number is 400.', { capacity_kw: 'much' }),
  refused('region', 'A `region` of more than 16 characters is 400.', { region: 'x'.repeat(17) }),
  {
    id: 'catalogue.installations.create.optional',
    says: 'An installation can be created without `capacity_kw`.',
    async check(kit) {
      const { capacity_kw, ...body } = installationBody(kit)
      const answer = await kit.catalog.post('/installations', body)
      if (answer.status > 299) fail(`${answer.what} → ${answer.status}`)
    },
  },
  {
    id: 'catalogue.installations.read.status',
    says: 'An installation is read by its id: 200.',
    async check(kit) {
      const id = await installation(kit)
      const answer = await kit.catalog.get(`/installations/${id}`)
      expectStatus(answer, 200)
      expectEqual(at(answer.json, 'id'), id, 'id')
    },
  },
  ...fieldRules(
    'catalogue.installations.read.fields',
    'An installation that is read',
    {
      id: text,
      name: text,
      address: text,
      region: text,
      capacity_kw: number,
      timezone: text,
      created_at: timestamp,
    },
    async (kit) => [await readOwn(kit)],
    { decision: true },
  ),
  {
    id: 'catalogue.installations.read.missing',
    says: 'An installation that there is not is 404.',
    decision: true,
    check: async (kit) => expectMissing(await kit.catalog.get(`/installations/${unknownId}`)),
  },
  {
    id: 'catalogue.installations.list.own',
    says: 'A new installation is in the list, with how many panels it has.',
    async check(kit) {
      const before = await inList(kit, '')
      if (!before) fail('it is not in the first 1,000')
      await createPanel(kit)
      const after = await inList(kit, '')
      expectEqual(after?.['panel_count'], Number(before['panel_count']) + 1, 'panel_count')
    },
  },
  {
    id: 'catalogue.installations.list.region',
    says: '`region` gives only installations of that region, the new one among them.',
    async check(kit) {
      if (!(await inList(kit, `&region=${region}`))) fail('it is not there')
      const answer = await kit.catalog.get(`/installations?region=${region}`)
      const same = (value: unknown, path: string) => (value === region ? null : `${path} is not ${region}`)
      const wrong = list(record({ region: same }))(at(answer.json, 'data'), 'data')
      if (wrong) fail(wrong)
    },
  },
  {
    id: 'catalogue.installations.dealer',
    says: "What the installer registered a dealer's key does not see: 404.",
    decision: true,
    check: async (kit) =>
      expectMissing(await kit.catalogDealer.get(`/installations/${await installation(kit)}`)),
  },
]
