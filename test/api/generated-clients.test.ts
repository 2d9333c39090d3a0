import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import { root, temporaryFolder } from '../support/process.ts'

const run = promisify(execFile)
const folder = await temporaryFolder()
after(() => folder.remove())

const names = ['company-key-api', 'catalogue-api', 'legacy-workflow-api']

/** What whoever writes a program against the interfaces relies on; each wrong line must be told so. */
const uses = `
import type { components, paths, webhooks } from './openapi-typescript-catalogue-api'
import * as catalogue from './hey-api-catalogue-api'
import * as fetched from './orval-catalogue-api'
import type { components as Company } from './openapi-typescript-company-key-api'

type Schemas = components['schemas']

export const panelOf = (event: Schemas['PanelCreatedEvent']): string =>
  [event.data.installation_id, event.data.version, event.data.previous].join()

/** Events are told apart by their type. */
export function told(event: Schemas['AlertResolvedEvent'] | Schemas['InvoicePaidEvent']): string {
  if (event.type === 'alert.resolved') return event.data.severity
  return event.data.customer.name
}

export type Told = webhooks['lead.created']['post']['requestBody']['content']['application/json']
export const leadOf = ({ data }: Told): string => data.customer.firstName ?? data.id

/** A body may be absent where it may, and not where it may not. */
type Pay = paths['/v1/billing/invoices/{id}/pay']['post']
export const paid: Pay['requestBody'] = undefined
type Create = paths['/v1/panels']['post']
// @ts-expect-error a panel needs a name
export const created: Create['requestBody'] = { content: { 'application/json': { capacity_kw: 1, installation_id: 'x' } } }

export type Limit = Create['responses'][201]['headers']['RateLimit-Remaining']

/** A field that joins an answer breaks nobody. */
const withMore = { ...({} as Schemas['PanelItem']), colour: 'red' }
export const item: Schemas['PanelItem'] = withMore

export const leadName = (lead: Company['schemas']['Lead']): string | null => lead.customer.lastName

export async function calls(client: Parameters<typeof catalogue.listPanels>[0]) {
  const { data } = await catalogue.listPanels({ ...client, query: { status: 'active', per_page: 100 } })
  // @ts-expect-error there is no such status
  await catalogue.listPanels({ ...client, query: { status: 'broken' } })
  await catalogue.payInvoice({ path: { id: 'inv_1' } })
  const pdf = await catalogue.readInvoicePdf({ path: { id: 'inv_1' } })
  const listed = await fetched.listPanels({ updated_since: '2026-01-01T00:00:00Z' })
  return [data?.data.map(({ updated_at }) => updated_at), pdf.data, listed.data]
}
`

const config = {
  compilerOptions: {
    strict: true,
    noEmit: true,
    target: 'esnext',
    module: 'esnext',
    moduleResolution: 'bundler',
    lib: ['esnext', 'dom', 'dom.iterable'],
    types: [],
  },
  include: ['.'],
}

test('three generators make clients of each interface that compile strictly', async () => {
  const support = join(root, 'test/support')
  const args = [
    '--import',
    join(support, 'typescript-api.js'),
    join(support, 'generate-clients.js'),
    folder.path,
  ]
  await run(process.execPath, [...args, ...names.map((name) => join(root, `openapi/${name}.json`))], {
    cwd: root,
  })
  const made = await readdir(folder.path)
  assert.deepEqual(
    made.toSorted(),
    names
      .flatMap((name) => [`openapi-typescript-${name}.ts`, `hey-api-${name}`, `orval-${name}.ts`])
      .toSorted(),
  )
  await writeFile(join(folder.path, 'uses.ts'), uses)
  await writeFile(join(folder.path, 'tsconfig.json'), JSON.stringify(config))
  const compile = run(join(root, 'node_modules/typescript/bin/tsc'), ['-p', folder.path])
  const { stdout } = await compile.catch((error: { stdout: string }) => error)
  assert.equal(stdout, '')
})
