import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { type Action, actions, decides, holds } from '../../src/domain/kernel/policy.ts'
import { agentOf } from '../support/agents.ts'
import { startApp } from '../support/app.ts'
import { createWorld, lead, leadBody, project } from '../support/factories.ts'
import { creditIn, draftBody, invoiceIn, plan, site } from '../support/invoices.ts'
import { newProject } from '../support/new-project.ts'
import { root } from '../support/process.ts'
import { stock } from '../support/stock.ts'

const app = await startApp()
const { rows } = app.database
const world = await createWorld(app.database.db)
const { installer, dealer } = world
const { panel, inverter } = await stock(installer)
const proposing = await agentOf(world, installer)
const free = await agentOf(world, installer, { agentName: 'Free', proposes: false })

interface Prepared {
  path: string
  body?: unknown
}

interface Decided {
  action: Action
  /** What there is to be called about, and the call. */
  prepare: () => Promise<Prepared>
}

const invoice = async (state: 'draft' | 'open', path = '') =>
  `/catalog/v1/billing/invoices/${await invoiceIn(app, installer.key, state)}${path}`
const sale = {
  contract: { price: 26_609, signedAt: '2026-01-31' },
  financing: { type: 'cash' },
  system: { panels: { id: panel.id, count: 22 }, inverters: { id: inverter.id, count: 22 } },
}
const planBody = { kind: 'lease', rate: 120, start_date: '2026-01-01' }
const sited = async () => {
  const id = await site(app.database, installer)
  await plan(installer, id)
  return id
}

/** Every call of the three interfaces that writes: what it asks of the policy where that decides, else null. */
const calls: Record<string, Decided | null> = {
  'POST /v1/leads': null,
  'PATCH /v1/leads/{id}': null,
  'POST /v1/leads/{id}/activity': null,
  'POST /v1/leads/{id}/sale': {
    action: 'leads.sell',
    prepare: async () => ({ path: `/v1/leads/${await lead(installer)}/sale`, body: sale }),
  },
  'PATCH /v1/projects/{id}': null,
  'POST /v1/projects/{id}/stage': {
    action: 'projects.move',
    prepare: async () => ({
      path: `/v1/projects/${(await project(installer)).projectId}/stage`,
      body: { stage: 'Design' },
    }),
  },
  'POST /v1/projects/{id}/files': null,
  'DELETE /v1/projects/{id}/files/{fileId}': null,
  'POST /v1/batch/leads': null,
  'POST /legacy/create_project': {
    action: 'projects.create',
    prepare: async () => ({ path: '/legacy/create_project', body: newProject(installer) }),
  },
  'POST /legacy/project_upload_file': null,
  'POST /legacy/project_upload_file_hi': null,
  'POST /legacy/create_activity': null,
  'POST /legacy/create_activity_hi': null,
  'POST /legacy/create-lead': null,
  'POST /legacy/update_lead': null,
  'POST /legacy/update_stage': {
    action: 'projects.move',
    prepare: async () => ({
      path: `/legacy/update_stage?project_stage_name=Design&id=${(await project(installer)).projectId}`,
    }),
  },
  'POST /legacy/update_stage_hi': {
    action: 'projects.move',
    prepare: async () => ({
      path: `/legacy/update_stage_hi?project_stage_name=Measure&id=${(await project(installer, { productLine: 'hi' })).projectId}`,
    }),
  },
  'POST /catalog/v1/panels': null,
  'PATCH /catalog/v1/panels/{panel_id}': null,
  'DELETE /catalog/v1/panels/{panel_id}': null,
  'POST /catalog/v1/installations': null,
  'PATCH /catalog/v1/installations/{installation_id}': null,
  // Its plan ends with it.
  'DELETE /catalog/v1/installations/{installation_id}': {
    action: 'billing.plan',
    prepare: async () => ({ path: `/catalog/v1/installations/${await sited()}` }),
  },
  'POST /catalog/v1/monitoring/readings': null,
  'POST /catalog/v1/monitoring/quarantine/{id}/release': null,
  'POST /catalog/v1/monitoring/quarantine/{id}/drop': null,
  'POST /catalog/v1/monitoring/alerts/{id}/acknowledge': null,
  'POST /catalog/v1/monitoring/alerts/{id}/resolve': null,
  'POST /catalog/v1/billing/invoices': {
    action: 'billing.draft',
    prepare: async () => ({ path: '/catalog/v1/billing/invoices', body: draftBody }),
  },
  'PATCH /catalog/v1/billing/invoices/{id}': {
    action: 'billing.draft',
    prepare: async () => ({ path: await invoice('draft'), body: { due_date: '2030-01-01' } }),
  },
  'DELETE /catalog/v1/billing/invoices/{id}': {
    action: 'billing.draft',
    prepare: async () => ({ path: await invoice('draft') }),
  },
  'POST /catalog/v1/billing/invoices/{id}/finalize': {
    action: 'billing.finalize',
    prepare: async () => ({ path: await invoice('draft', '/finalize') }),
  },
  'POST /catalog/v1/billing/invoices/{id}/pay': {
    action: 'billing.pay',
    prepare: async () => ({ path: await invoice('open', '/pay'), body: { amount: 1 } }),
  },
  'POST /catalog/v1/billing/invoices/{id}/void': {
    action: 'billing.void',
    prepare: async () => ({ path: await invoice('open', '/void') }),
  },
  'POST /catalog/v1/billing/credits/{id}/refund': {
    action: 'billing.refund',
    prepare: async () => ({
      path: `/catalog/v1/billing/credits/${await creditIn(app, installer.key)}/refund`,
      body: { amount: 1 },
    }),
  },
  'PUT /catalog/v1/billing/plans/{installation_id}': {
    action: 'billing.plan',
    prepare: async () => ({
      path: `/catalog/v1/billing/plans/${await site(app.database, installer)}`,
      body: planBody,
    }),
  },
  'DELETE /catalog/v1/billing/plans/{installation_id}': {
    action: 'billing.plan',
    prepare: async () => ({ path: `/catalog/v1/billing/plans/${await sited()}` }),
  },
  'POST /catalog/v1/billing/plans/{installation_id}/months/{month}/release': {
    action: 'billing.run',
    prepare: async () => {
      const id = await sited()
      await rows(
        `insert into billing_months (installer_id, installation_id, month, state, reason, at)
         values ($1, $2, '2026-01-01', 'held', 'Nothing came in.', now())`,
        [installer.company.id, id],
      )
      return { path: `/catalog/v1/billing/plans/${id}/months/2026-01/release` }
    },
  },
  'POST /catalog/v1/webhooks': null,
  'PATCH /catalog/v1/webhooks/{webhook_id}': null,
  'DELETE /catalog/v1/webhooks/{webhook_id}': null,
  'POST /catalog/v1/webhooks/{webhook_id}/enable': null,
  'POST /catalog/v1/webhooks/{webhook_id}/test': null,
  'POST /catalog/v1/webhooks/{webhook_id}/secret': null,
  'POST /catalog/v1/webhooks/{webhook_id}/redeliver': null,
}

interface Described {
  servers: { url: string }[]
  paths: Record<string, Record<string, unknown>>
}

function described(): string[] {
  return ['company-key-api', 'legacy-workflow-api', 'catalogue-api'].flatMap((name) => {
    const { servers, paths }: Described = JSON.parse(readFileSync(join(root, `openapi/${name}.json`), 'utf8'))
    const prefix = new URL(servers[0]!.url).pathname.replace(/\/$/, '')
    return Object.entries(paths).flatMap(([path, methods]) =>
      ['post', 'put', 'patch', 'delete']
        .filter((method) => method in methods)
        .map((method) => `${method.toUpperCase()} ${prefix}${path}`),
    )
  })
}

/** All that moves stages, sells and bills, row by row. */
const decidedState = async () =>
  JSON.stringify(
    await rows(`select
      (select json_agg(json_build_array(id, stage_id) order by id) from projects) as projects,
      (select json_agg(json_build_array(id, status, project_id) order by id) from leads) as leads,
      (select json_agg(i order by id) from invoices i) as invoices,
      (select json_agg(p order by id) from invoice_payments p) as payments,
      (select json_agg(c order by id) from credits c) as credits,
      (select json_agg(r order by id) from credit_refunds r) as refunds,
      (select json_agg(b order by installation_id) from billing_plans b) as plans,
      (select json_agg(m order by installation_id, month) from billing_months m) as months`),
  )

describe('a key that may only propose', () => {
  test('every call that writes is here, and every action that decides and that keys hold is asked by one', () => {
    assert.deepEqual(described().sort(), Object.keys(calls).sort(), 'say what the others ask of the policy')
    const deciding = (Object.keys(actions) as Action[]).filter(
      (action) => decides(action) && holds('installer', 'key', action),
    )
    const asked = new Set(Object.values(calls).flatMap((call) => call?.action ?? []))
    assert.deepEqual([...asked].sort(), deciding.sort())
    assert.ok([...asked].every(decides))
  })

  for (const [name, call] of Object.entries(calls)) {
    if (!call) continue
    test(`${name} is refused and says what to do`, async () => {
      const { path, body } = await call.prepare()
      const method = name.split(' ')[0]!
      const before = await decidedState()
      for (const headers of [{}, { 'idempotency-key': `proposing-${name.replace(' ', '-')}` }] as Record<
        string,
        string
      >[]) {
        const refused = await app.call(method, path, { key: proposing.secret, body, headers })
        assert.equal(refused.status, 403, refused.text)
        assert.match(refused.text, /This key may propose, but not .*Propose it through \/mcp/)
      }
      assert.equal(await decidedState(), before)
      const done = await app.call(method, path, { key: free.secret, body })
      assert.ok(done.status < 300, `the call was good: ${done.status} ${done.text}`)
      assert.notEqual(await decidedState(), before)
    })
  }

  test('a sale in a batch of leads is no way around', async () => {
    const id = await lead(installer)
    const before = await decidedState()
    const { body } = await app.call('POST', '/v1/batch/leads', {
      key: proposing.secret,
      body: {
        items: [
          { id, status: 'sold' },
          { ...leadBody, status: 'sold' },
          { id, notes: 'Called' },
        ],
      },
    })
    assert.deepEqual(
      body.results.map(({ status }: { status: number }) => status),
      [400, 400, 200],
    )
    assert.equal(await decidedState(), before)
  })

  test('a dealer’s is told that a move is the installer’s, as any dealer’s', async () => {
    const agent = await agentOf(world, dealer)
    const { projectId } = await project(dealer)
    const call = { key: agent.secret, body: { stage: 'Design' } }
    const refused = await app.call('POST', `/v1/projects/${projectId}/stage`, call)
    assert.equal(refused.status, 400)
    assert.match(refused.text, /Only the installer/)
  })

  test('an unknown record is not there before it is refused', async () => {
    const call = { key: proposing.secret, body: { stage: 'Design' } }
    assert.equal((await app.call('POST', '/v1/projects/proj_none000000/stage', call)).status, 404)
  })
})

describe('what an agent writes', () => {
  test('carries its name in activity and audit, over every interface', async () => {
    const { leadId, projectId } = await project(installer)
    const key = proposing.secret
    await app.call('POST', `/v1/leads/${leadId}/activity`, { key, body: { body: 'Called' } })
    await app.call('POST', '/legacy/create_activity', {
      key,
      body: { project_id: projectId, installer_id: installer.company.id, notes: 'Called again' },
    })
    const { body } = await app.get(`/v1/leads/${leadId}/activities`, installer.key)
    const authors = body.data
      .filter(({ type }: { type: string }) => type === 'note')
      .map(({ author }: { author: string }) => author)
    assert.deepEqual(authors, ['Ada (agent)', 'Ada (agent)'])
    const installation = { name: 'Roof', address: '1 Market St', region: 'US-CO' }
    const made = await app.call('POST', '/catalog/v1/installations', { key, body: installation })
    assert.equal(made.status, 201, made.text)
    const events = await rows<{ name: string }>(
      `select distinct actor_name as name from events where actor_id = $1`,
      [proposing.key.id],
    )
    assert.deepEqual(events, [{ name: 'Ada (agent)' }])
    await app.call('POST', `/v1/projects/${projectId}/stage`, { key: free.secret, body: { stage: 'Design' } })
    const [moved] = await rows<{ author: string }>(
      `select author from activities where lead_id = $1 and type = 'stageChanged'`,
      [leadId],
    )
    assert.equal(moved!.author, 'Free (agent)')
  })
})
