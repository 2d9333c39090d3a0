import {
  expectEqual,
  expectInvalid,
  expectMissing,
  expectShape,
  expectStatus,
  recordOf,
  rowsOf,
  succeeded,
  undisturbed,
} from '../expect.ts'
import type { Kit } from '../kit.ts'
import { fail, need, notApplicable } from '../outcome.ts'
import { fieldRules, type Rule } from '../rule.ts'
import { at, number, oneOf, type Shape, text, timestamp } from '../shape.ts'
import type { Row } from '../v1/records.ts'
import {
  changingPanel,
  createPanel,
  envelopeRules,
  filterRules,
  panel,
  panelBody,
  panelCreated,
  read,
  readPanel,
  unknownId,
} from './records.ts'

const statuses = ['active', 'inactive', 'maintenance']
const status = oneOf(...statuses)
const listFields: Record<string, Shape> = {
  id: text,
  name: text,
  capacity_kw: number,
  status,
  daily_output_kwh: number,
}
const createFields: Record<string, Shape> = {
  id: text,
  name: text,
  capacity_kw: number,
  status,
  installation_id: text,
}
const readFields: Record<string, Shape> = { ...listFields, installation_id: text, created_at: timestamp }

const change = async (kit: Kit, body: Row) => kit.catalog.patch(`/panels/${await changingPanel(kit)}`, body)

const refused = (name: string, says: string, more: Row): Rule => ({
  id: `catalogue.panels.create.${name}`,
  says,
  decision: true,
  check: async (kit) => expectInvalid(await createPanel(kit, more)),
})

const ids = async (kit: Kit, query: string) =>
  rowsOf(succeeded(await kit.catalog.get(`/panels?${query}`))).map(({ id }) => id)

const pageRules: Rule[] = [
  {
    id: 'catalogue.panels.list.per-page',
    says: '`per_page` says how many panels a page has.',
    async check(kit) {
      const answer = await kit.catalog.get('/panels?per_page=2')
      expectStatus(answer, 200)
      const { length } = rowsOf(answer)
      const total = at(answer.json, 'meta.total')
      if (length !== Math.min(2, Number(total))) fail(`${length} rows, of ${total}`)
      expectEqual(at(answer.json, 'meta.per_page'), 2, 'meta.per_page')
    },
  },
  {
    id: 'catalogue.panels.list.per-page.most',
    says: '`per_page` may be 100.',
    check: async (kit) => expectStatus(await kit.catalog.get('/panels?per_page=100'), 200),
  },
  {
    id: 'catalogue.panels.list.per-page.over',
    says: '`per_page` is at most 100: no page is longer.',
    async check(kit) {
      const answer = await kit.catalog.get('/panels?per_page=101')
      if (answer.status < 400 && rowsOf(answer).length > 100)
        fail(`${answer.what}: ${rowsOf(answer).length} rows`)
    },
  },
  {
    id: 'catalogue.panels.list.per-page.refused',
    says: '`per_page` of more than 100 is 400.',
    decision: true,
    check: async (kit) => expectInvalid(await kit.catalog.get('/panels?per_page=101')),
  },
  {
    id: 'catalogue.panels.list.per-page.default',
    says: '`per_page` is 20 when absent.',
    decision: true,
    check: async (kit) =>
      expectEqual(at((await read(kit, '/panels')).json, 'meta.per_page'), 20, 'meta.per_page'),
  },
  {
    id: 'catalogue.panels.list.pages',
    says: 'Page after page gives the rows of one long page: none twice, none left out.',
    check: (kit) =>
      undisturbed(async () => {
        const all = await ids(kit, 'per_page=6')
        if (all.length < 3) notApplicable('the server has fewer than three panels')
        const pages = [await ids(kit, 'per_page=2&page=1'), await ids(kit, 'per_page=2&page=2')]
        pages.push(await ids(kit, 'per_page=2&page=3'))
        expectEqual(pages.flat(), all, 'what the pages hold')
      }),
  },
]

export const panelRules: Rule[] = [
  ...envelopeRules('panels', '/panels', true),
  ...filterRules('panels', '/panels', 'status', statuses),
  ...pageRules,
  ...fieldRules('catalogue.panels.list.fields', 'A panel in the list', listFields, async (kit) =>
    rowsOf(await read(kit, '/panels')),
  ),
  {
    id: 'catalogue.panels.create.status',
    says: 'A new panel is answered 201.',
    decision: true,
    check: async (kit) => expectStatus(await panelCreated(kit), 201),
  },
  ...fieldRules('catalogue.panels.create.fields', 'A new panel', createFields, async (kit) => [
    recordOf(await panelCreated(kit)),
  ]),
  {
    id: 'catalogue.panels.create.active',
    says: 'A panel is created with the status `active`.',
    check: async (kit) => expectEqual(at((await panelCreated(kit)).json, 'status'), 'active', 'status'),
  },
  {
    id: 'catalogue.panels.create.kept',
    says: 'A new panel shows what was sent, to the last digit.',
    async check(kit) {
      const { name, capacity_kw, installation_id } = await readPanel(kit, await panel(kit))
      const sent = await panelBody(kit)
      expectEqual(
        [name, capacity_kw, installation_id],
        [sent['name'], sent['capacity_kw'], sent['installation_id']],
        'it',
      )
    },
  },
  ...['name', 'capacity_kw', 'installation_id'].map((field) =>
    refused(`required.${field}`, `A panel without \`${field}\` is refused, by decision by 400.`, {
      [field]: undefined,
    }),
  ),
  refused('type', 'A `capacity_kw` that is no number is 400.', { capacity_kw: 'much' }),
  refused('metadata', '`metadata` that is no object is 400.', { metadata: 'text' }),
  refused('unknown-field', 'A field that a panel does not have is 400.', { conformance: true }),
  refused('installation', 'An `installation_id` that is not the caller’s is 400.', {
    installation_id: unknownId,
  }),
  {
    id: 'catalogue.panels.read.status',
    says: 'A panel is read by its id: 200.',
    check: async (kit) => expectStatus(await kit.catalog.get(`/panels/${await panel(kit)}`), 200),
  },
  ...fieldRules('catalogue.panels.read.fields', 'A panel that is read', readFields, async (kit) => {
    if (!kit.readOnly) return [await readPanel(kit, await panel(kit))]
    const [row] = rowsOf(await read(kit, '/panels'))
    return row ? [recordOf(await read(kit, `/panels/${row['id']}`))] : []
  }),
  {
    id: 'catalogue.panels.read.metadata',
    says: 'The single read shows the `metadata`.',
    decision: true,
    async check(kit) {
      const { metadata } = await readPanel(kit, await panel(kit))
      expectEqual(metadata, { serial: 'C-1', checked: true }, 'metadata')
    },
  },
  {
    id: 'catalogue.panels.read.missing',
    says: 'A panel that there is not is 404.',
    decision: true,
    check: async (kit) => expectMissing(await kit.catalog.get(`/panels/${unknownId}`)),
  },
  ...statuses.map(
    (value): Rule => ({
      id: `catalogue.panels.change.status.${value}`,
      says: `The status of a panel can be set to \`${value}\`.`,
      async check(kit) {
        succeeded(await change(kit, { status: value }))
        expectEqual((await readPanel(kit, await changingPanel(kit)))['status'], value, 'status')
      },
    }),
  ),
  {
    id: 'catalogue.panels.change.name',
    says: 'The name of a panel can be changed, and what is not sent is kept.',
    async check(kit) {
      const before = await readPanel(kit, await changingPanel(kit))
      succeeded(await change(kit, { name: `${kit.mark} renamed` }))
      const after = await readPanel(kit, await changingPanel(kit))
      expectEqual(
        [after['name'], after['status']],
        [`${kit.mark} renamed`, before['status']],
        'name and status',
      )
    },
  },
  {
    id: 'catalogue.panels.change.metadata',
    says: 'A change sets the keys of `metadata` that are sent and removes those that are null.',
    decision: true,
    async check(kit) {
      await change(kit, { metadata: { first: 1, second: 2 } })
      await change(kit, { metadata: { first: null, third: 3 } })
      const { metadata } = await readPanel(kit, await changingPanel(kit))
      expectEqual(metadata, { second: 2, third: 3 }, 'metadata')
    },
  },
  {
    id: 'catalogue.panels.change.answer',
    says: 'A change is answered 200 with the whole panel.',
    decision: true,
    async check(kit) {
      const answer = await change(kit, { name: `${kit.mark} whole` })
      expectStatus(answer, 200)
      expectEqual(answer.json, await readPanel(kit, await changingPanel(kit)), 'the answer')
    },
  },
  {
    id: 'catalogue.panels.change.invalid',
    says: 'Another status is 400.',
    decision: true,
    check: async (kit) => expectInvalid(await change(kit, { status: 'broken' })),
  },
  {
    id: 'catalogue.panels.delete',
    says: 'A deleted panel is removed for good: it is not read any more, nor listed.',
    async check(kit) {
      const { id } = await need('a panel', (async () => recordOf(await createPanel(kit)))())
      succeeded(await kit.catalog.delete(`/panels/${id}`))
      const gone = await kit.catalog.get(`/panels/${id}`)
      if (gone.status < 400) fail(`${gone.what} → ${gone.status}`)
      if ((await ids(kit, 'per_page=100')).includes(id)) fail('it is still in the list')
    },
  },
  {
    id: 'catalogue.panels.delete.status',
    says: 'A deleted panel is answered 204, and 404 from then on.',
    decision: true,
    async check(kit) {
      const { id } = await need('a panel', (async () => recordOf(await createPanel(kit)))())
      expectStatus(await kit.catalog.delete(`/panels/${id}`), 204)
      expectMissing(await kit.catalog.get(`/panels/${id}`))
    },
  },
  {
    id: 'catalogue.panels.dealer',
    says: "What the installer registered a dealer's key does not see: 404.",
    decision: true,
    check: async (kit) => expectMissing(await kit.catalogDealer.get(`/panels/${await panel(kit)}`)),
  },
]

export const catalogueErrorRules: Rule[] = [
  {
    id: 'catalogue.errors.shape',
    says: 'An error is `{error: {code, message, docs}}`, as in the company-key API.',
    decision: true,
    async check(kit) {
      const answer = await read(kit, `/panels/${unknownId}`)
      for (const name of ['code', 'message', 'docs']) expectShape(answer, text, `error.${name}`)
    },
  },
]
