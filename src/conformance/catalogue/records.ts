import type { Answer } from '../client.ts'
import { expectInvalid, expectShape, expectStatus, recordOf, succeeded, textAt } from '../expect.ts'
import type { Kit } from '../kit.ts'
import { need } from '../outcome.ts'
import type { Rule } from '../rule.ts'
import { list, number, object, record } from '../shape.ts'
import type { Row } from '../v1/records.ts'

export const unknownId = 'conformance-no-such-record'
export const region = 'US-CA'

/** What it answers, asked for once. */
export const read = (kit: Kit, path: string): Promise<Answer> =>
  kit.once(`catalogue ${path}`, () => kit.catalog.get(path))

export const installationBody = (kit: Kit) => ({
  name: kit.mark,
  address: '1 Market St, San Diego, CA 92101',
  region,
  capacity_kw: 8.405,
})

export const installationCreated = (kit: Kit): Promise<Answer> =>
  kit.once('catalogue installation', () => kit.catalog.post('/installations', installationBody(kit)))

export async function installation(kit: Kit): Promise<string> {
  return need(
    'an installation of its own',
    (async () => textAt(succeeded(await installationCreated(kit)).json, 'id'))(),
  )
}

export async function panelBody(kit: Kit, more: Row = {}): Promise<Row> {
  return { name: `${kit.mark} panel`, capacity_kw: 0.405, installation_id: await installation(kit), ...more }
}

/** Creates a panel, to be removed at the end. */
export async function createPanel(kit: Kit, more: Row = {}): Promise<Answer> {
  const answer = await kit.catalog.post('/panels', await panelBody(kit, more))
  const { id } = (answer.json ?? {}) as Row
  if (typeof id === 'string') kit.later(() => kit.catalog.delete(`/panels/${encodeURIComponent(id)}`))
  return answer
}

export const panelCreated = (kit: Kit): Promise<Answer> =>
  kit.once('catalogue panel', () => createPanel(kit, { metadata: { serial: 'C-1', checked: true } }))

/** One that no rule changes. */
export async function panel(kit: Kit): Promise<string> {
  return need('a panel of its own', (async () => textAt(succeeded(await panelCreated(kit)).json, 'id'))())
}

export const changingPanel = (kit: Kit): Promise<string> =>
  kit.once('catalogue changing panel', () =>
    need('a panel of its own', (async () => textAt(succeeded(await createPanel(kit)).json, 'id'))()),
  )

export async function readPanel(kit: Kit, id: string): Promise<Row> {
  return need('to read a panel', (async () => recordOf(await kit.catalog.get(`/panels/${id}`)))())
}

/** What the lists of this interface share. */
export function envelopeRules(name: string, path: string, perPage: boolean): Rule[] {
  const meta = record({ page: number, total: number, ...(perPage ? { per_page: number } : {}) })
  return [
    {
      id: `catalogue.${name}.list.status`,
      says: `\`GET ${path}\` answers 200 with a list in \`data\`.`,
      async check(kit) {
        const answer = await read(kit, path)
        expectStatus(answer, 200)
        expectShape(answer, list(object), 'data')
      },
    },
    {
      id: `catalogue.${name}.list.meta`,
      says: `\`GET ${path}\` says in \`meta\` its \`page\`${perPage ? ', `per_page`' : ''} and \`total\`, in numbers.`,
      check: async (kit) => expectShape(await read(kit, path), meta, 'meta'),
    },
    ...['0', 'x', '-1'].map(
      (page, i): Rule => ({
        id: `catalogue.${name}.list.page.${['zero', 'text', 'negative'][i]}`,
        says: `A \`page\` of ${page} is 400.`,
        decision: true,
        check: async (kit) => expectInvalid(await kit.catalog.get(`${path}?page=${page}`)),
      }),
    ),
  ]
}

/** Each value of a filter gives rows of that value only; another value is 400. */
export function filterRules(
  name: string,
  path: string,
  field: string,
  values: string[],
  more: Pick<Rule, 'decision'> = {},
): Rule[] {
  return [
    ...values.map(
      (value): Rule => ({
        id: `catalogue.${name}.list.${field}.${value}`,
        says: `\`${field}=${value}\` gives only those whose ${field} is ${value}.`,
        ...more,
        async check(kit) {
          const answer = await read(kit, `${path}?${field}=${value}`)
          expectStatus(answer, 200)
          const same = (found: unknown, at: string) => (found === value ? null : `${at} is not ${value}`)
          expectShape(answer, list(record({ [field]: same })), 'data')
        },
      }),
    ),
    {
      id: `catalogue.${name}.list.${field}.invalid`,
      says: `Another \`${field}\` is 400.`,
      decision: true,
      check: async (kit) => expectInvalid(await kit.catalog.get(`${path}?${field}=conformance`)),
    },
  ]
}
