import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startApp } from '../../support/app.ts'
import { createWorld, keyFor, lead, leadBody, project } from '../../support/factories.ts'
import { startHttpsServer } from '../../support/https-server.ts'
import { png } from '../../support/sample-files.ts'

const outside = await startHttpsServer((_request, response) => response.end(png))
const app = await startApp({
  env: { OUTBOUND_TRUSTED_HOSTS: `localhost:${outside.port}` },
  outside: { ca: outside.ca },
})
const world = await createWorld(app.database.db)
const { installer, dealer, other } = world
const solar = await project(installer)
const own = await project(dealer)
const foreign = await project(other)
const readOnly = (await keyFor(world, installer, { access: 'read' })).secret
const unknown = 'psk_0000000000000000000000000000000000000000'
after(() => outside.close())

const p = `/v1/projects/${solar.projectId}`
const l = `/v1/leads/${solar.leadId}`
const files = (path = '/a.png') => ({ folder: 'permit', files: [{ url: outside.url + path }] })
const known = { ...leadBody, externalId: 'crm-1' }
await lead(installer, { externalId: 'crm-1' })

// Each row: who calls what with which body, and the status. The statuses are those of the spec's table
// and of the decisions; 429 and 503 have files of their own.
const rows: [key: string | undefined, method: string, path: string, body: unknown, status: number][] = [
  [installer.key, 'GET', '/v1/me', undefined, 200],
  [undefined, 'GET', '/v1/me', undefined, 401],
  [unknown, 'GET', '/v1/me', undefined, 401],
  [installer.key, 'GET', '/v1/me?x=1', undefined, 400],

  [installer.key, 'GET', '/v1/projects', undefined, 200],
  [dealer.key, 'GET', '/v1/projects?limit=100&productLine=hi', undefined, 200],
  [installer.key, 'GET', '/v1/projects?limit=0', undefined, 400],
  [unknown, 'GET', '/v1/projects', undefined, 401],

  [readOnly, 'GET', '/v1/projects?stage=sold&expand=milestones,files', undefined, 200],
  [installer.key, 'GET', '/v1/projects?stage=Nowhere', undefined, 400],
  [installer.key, 'GET', '/v1/projects?stage=stg_01m7egde1e01h969t2e9nkny', undefined, 404],
  [installer.key, 'GET', '/v1/projects?expand=links', undefined, 400],
  [unknown, 'GET', '/v1/projects?stage=sold', undefined, 401],

  [installer.key, 'GET', '/v1/stages', undefined, 200],
  [dealer.key, 'GET', '/v1/stages', undefined, 200],
  [readOnly, 'GET', '/v1/stages', undefined, 200],
  [installer.key, 'GET', '/v1/stages?line=hi', undefined, 400],
  [unknown, 'GET', '/v1/stages', undefined, 401],

  [installer.key, 'GET', '/v1/members', undefined, 200],
  [dealer.key, 'GET', '/v1/members?limit=1', undefined, 200],
  [readOnly, 'GET', '/v1/members', undefined, 200],
  [installer.key, 'GET', '/v1/members?limit=101', undefined, 400],
  [installer.key, 'GET', `/v1/members?companyId=${other.company.id}`, undefined, 404],
  [unknown, 'GET', '/v1/members', undefined, 401],

  [installer.key, 'GET', p, undefined, 200],
  [installer.key, 'GET', `/v1/projects/${foreign.projectId}`, undefined, 404],
  [unknown, 'GET', p, undefined, 401],

  [installer.key, 'PATCH', p, { installDate: '2026-12-01' }, 200],
  [installer.key, 'PATCH', p, {}, 200],
  [installer.key, 'PATCH', p, { installDate: 'soon' }, 400],
  [installer.key, 'PATCH', p, undefined, 400],
  [unknown, 'PATCH', p, {}, 401],
  [dealer.key, 'PATCH', `/v1/projects/${own.projectId}`, { ntpGranted: true }, 403],
  [readOnly, 'PATCH', p, { ntpGranted: true }, 403],
  [installer.key, 'PATCH', `/v1/projects/${foreign.projectId}`, {}, 404],

  [installer.key, 'POST', `${p}/stage`, { stage: 'Design' }, 200],
  [installer.key, 'POST', `${p}/stage`, { stage: 'Nowhere' }, 400],
  [installer.key, 'POST', `${p}/stage`, {}, 400],
  [dealer.key, 'POST', `/v1/projects/${own.projectId}/stage`, { stage: 'Design' }, 400],
  [unknown, 'POST', `${p}/stage`, { stage: 'Design' }, 401],
  [readOnly, 'POST', `${p}/stage`, { stage: 'Design' }, 403],
  [installer.key, 'POST', `/v1/projects/${foreign.projectId}/stage`, { stage: 'Design' }, 404],

  [installer.key, 'POST', `${p}/files`, files(), 201],
  [installer.key, 'POST', `${p}/files`, files(), 200],
  [installer.key, 'POST', `${p}/files`, { folder: 'permit', files: [] }, 400],
  [unknown, 'POST', `${p}/files`, files(), 401],
  [dealer.key, 'POST', `/v1/projects/${own.projectId}/files`, files(), 403],
  [readOnly, 'POST', `${p}/files`, files(), 403],
  [installer.key, 'POST', `/v1/projects/${foreign.projectId}/files`, files(), 404],

  [installer.key, 'GET', '/v1/leads', undefined, 200],
  [installer.key, 'GET', '/v1/leads?productLine=wind', undefined, 400],
  [unknown, 'GET', '/v1/leads', undefined, 401],
  [readOnly, 'GET', '/v1/leads?status=sold&expand=project', undefined, 200],
  [installer.key, 'GET', '/v1/leads?status=won', undefined, 400],
  [installer.key, 'GET', `/v1/leads?companyId=${other.company.id}`, undefined, 404],
  [dealer.key, 'GET', `/v1/leads?companyId=${installer.company.id}`, undefined, 404],
  [unknown, 'GET', '/v1/leads?status=sold', undefined, 401],

  [installer.key, 'POST', '/v1/leads', leadBody, 201],
  [dealer.key, 'POST', '/v1/leads', leadBody, 201],
  [installer.key, 'POST', '/v1/leads', known, 200],
  [installer.key, 'POST', '/v1/leads', { ...leadBody, lastName: 7 }, 400],
  [unknown, 'POST', '/v1/leads', leadBody, 401],
  [readOnly, 'POST', '/v1/leads', leadBody, 403],

  [installer.key, 'GET', l, undefined, 200],
  [unknown, 'GET', l, undefined, 401],
  [installer.key, 'GET', `/v1/leads/${foreign.leadId}`, undefined, 404],

  [installer.key, 'PATCH', l, { phone: '619 555 0100' }, 200],
  [dealer.key, 'PATCH', `/v1/leads/${own.leadId}`, { phone: '619 555 0100' }, 200],
  [installer.key, 'PATCH', l, { firstName: '' }, 400],
  [unknown, 'PATCH', l, {}, 401],
  [readOnly, 'PATCH', l, {}, 403],
  [installer.key, 'PATCH', `/v1/leads/${foreign.leadId}`, {}, 404],

  [installer.key, 'GET', `${l}/activities`, undefined, 200],
  [installer.key, 'GET', `${l}/activities?limit=101`, undefined, 400],
  [unknown, 'GET', `${l}/activities`, undefined, 401],
  [installer.key, 'GET', `/v1/leads/${foreign.leadId}/activities`, undefined, 404],

  [installer.key, 'GET', '/v1/adders', undefined, 200],
  [unknown, 'GET', '/v1/adders', undefined, 401],
  [dealer.key, 'GET', '/v1/adders', undefined, 403],

  [installer.key, 'GET', '/v1/equipment?kind=battery', undefined, 200],
  [installer.key, 'GET', '/v1/equipment?kind=roof', undefined, 400],
  [unknown, 'GET', '/v1/equipment', undefined, 401],
  [dealer.key, 'GET', '/v1/equipment', undefined, 403],
]

for (const [key, method, path, body, status] of rows) {
  test(`${method} ${path.replace(/(lead|proj)_\w+/, '{id}')} ${JSON.stringify(body ?? null)} answers ${status}`, async () => {
    const answer = await app.call(method, path, {
      ...(key === undefined ? {} : { key }),
      ...(body === undefined ? {} : { body }),
    })
    assert.equal(answer.status, status, answer.text)
  })
}
