import assert from 'node:assert/strict'
import { setTimeout as wait } from 'node:timers/promises'
import { declineAgentProposal } from '../../src/domain/agents/decide.ts'
import { propose } from '../../src/domain/agents/propose.ts'
import { deletePlan, setPlan } from '../../src/domain/billing/plans/set-plan.ts'
import { sellLead } from '../../src/domain/deals/sale/sell-lead.ts'
import { recordEvents } from '../../src/domain/journal/events/record-events.ts'
import { takeTimes } from '../../src/domain/kernel/tenant/clock-queries.ts'
import type { Alert } from '../../src/domain/sites/alerts/alert.ts'
import { alertEvent } from '../../src/domain/sites/alerts/find-alerts.ts'
import { writeAlerts } from '../../src/domain/sites/alerts/queries.ts'
import { newId } from '../../src/platform/ids.ts'
import { agentOf, personOf, saleOf } from './agents.ts'
import type { App } from './app.ts'
import { solarSale, type World } from './factories.ts'
import { post } from './invoices.ts'
import { type Person, signedIn } from './people.ts'
import { pdf } from './sample-files.ts'
import { stock } from './stock.ts'

/** Stands in everything that is said about the customer, and nowhere else. */
export const marker = 'Zyxmarker'
/** The same for numbers. */
export const markedDigits = '6195550147'

export const markedLead = {
  firstName: `${marker}first`,
  lastName: `${marker}last`,
  email: `${marker}@example.com`,
  phone: `+1 ${markedDigits}`,
  notes: `${marker} likes to be called after six`,
  externalId: `${marker}-ext-1`,
  address: {
    line1: `1 ${marker} St`,
    line2: `Unit ${marker}`,
    city: `${marker}ville`,
    state: 'CA',
    postalCode: '92101',
  },
}

export const markedPdf = Buffer.concat([pdf, Buffer.from(`\n% ${marker} signed this\n`)])

export interface Marked {
  app: App
  world: World
  owner: Person
  /** An address of a file whose contents hold the marker. */
  fileUrl: string
}

export type Console = Awaited<ReturnType<typeof signedIn>>

/** What an agent says of them: in a sale that waits, in another that was declined, and in a bill of no record. */
async function proposals(world: World, leadId: string): Promise<void> {
  const { installer } = world
  const agent = await agentOf(world, installer)
  const owner = await personOf(world, installer, 'Decider', 'owner')
  const { panel, inverter } = await stock(installer)
  const sale = saleOf(leadId, panel.id, inverter.id)
  await propose(agent.as(), sale, { reason: `${marker} wants it` })
  const invoice = {
    customer: {
      name: `${marker} last`,
      email: `${marker}@example.com`.toLowerCase(),
      address: `1 ${marker} St`,
    },
    lineItems: [{ description: `For ${marker}`, quantity: '1', unit: 'h', unitPrice: '10.00' }],
  }
  await propose(agent.as(), { kind: 'draftInvoice', invoice })
  const more = { ...invoice, dueDate: '2030-01-01' }
  const declined = await propose(agent.as(), { kind: 'draftInvoice', invoice: more })
  await declineAgentProposal(owner.as(), declined.id, `${marker} has paid`)
}

/** A customer who is spoken of wherever the system keeps something, brought in through its doors. */
export async function markCustomer({ app, world, owner, fileUrl }: Marked) {
  const { installer } = world
  const { key } = installer
  const ok = async (sent: ReturnType<App['send']>, what: string) => {
    const answer = await sent
    assert.ok(answer.status < 300, `${what}: ${answer.status} ${answer.text}`)
    return answer.body
  }
  const console = await signedIn(app, owner)
  const { rows } = app.database
  await rows(
    `update stages set alerts = array['owner'], messages = $1 where name in ('Permitting', 'Installed') and installer_id = $2`,
    [
      JSON.stringify([
        { subject: 'Dear {firstName}', body: 'Dear {firstName} {lastName}, you are in {stage}.' },
      ]),
      installer.company.id,
    ],
  )
  await rows('update tenant_clocks set directory_version = directory_version + 1')

  const { leadId } = await ok(app.call('POST', '/v1/leads', { key, body: markedLead }), 'the lead')
  await ok(
    console.call('PATCH', `/leads/${leadId}`, {
      body: {
        coBorrower: {
          firstName: `${marker}co`,
          lastName: 'Partner',
          email: `co-${marker}@example.com`,
          phone: `619 555 0147 ${marker}`.slice(0, 40),
        },
        utility: { name: `${marker} Electric`, monthlyBill: '120' },
        source: { name: `${marker} source`, subSource: `Friend ${marker}` },
        notes: `${marker} has a dog`,
        salesRepId: owner.id,
      },
    }),
    'the patch',
  )
  await ok(
    console.call('POST', `/leads/${leadId}/notes`, { body: { body: `${marker} is moody`, internal: true } }),
    'an internal note',
  )
  await app.get(`/v1/leads/${marker}@example.com`, key)
  await proposals(world, leadId)
  const sale = { ...solarSale, contractSignedAt: new Date() }
  const { projectId } = await sellLead(installer.as(), leadId, sale)
  await ok(
    console.call('PATCH', `/projects/${projectId}`, {
      body: { notes: `${marker} keeps bees`, installDate: '2030-03-02', projectManagerId: owner.id },
    }),
    'the project',
  )
  await ok(
    app.call('POST', `/v1/projects/${projectId}/files`, {
      key,
      body: { folder: 'identification', files: [{ url: fileUrl, name: `${marker} licence.pdf` }] },
    }),
    'a copied file',
  )
  const upload = (name: string) =>
    app.send('PUT', `/console/api/projects/${projectId}/files?folder=contract&name=${name}`, {
      raw: Buffer.concat([markedPdf, Buffer.from(name)]),
      headers: { cookie: console.cookie, 'x-sunstead-console': '1' },
    })
  const { id: removedId } = await ok(upload(`${marker}-removed.pdf`), 'a file')
  const { id: keptId } = await ok(upload(`${marker}-kept.pdf`), 'another file')
  const shared = await ok(
    console.call('POST', `/projects/${projectId}/links`, { body: { kind: 'file', fileId: keptId } }),
    'sharing it',
  )
  await ok(console.call('DELETE', `/projects/${projectId}/files/${removedId}`), 'removing it')
  await ok(
    app.call('PATCH', `/v1/leads/${leadId}`, { key, body: { email: `new-${marker}@example.com` } }),
    'an email',
  )
  for (const stage of ['Permitting', 'Installed'])
    await ok(app.call('POST', `/v1/projects/${projectId}/stage`, { key, body: { stage } }), stage)

  const { links, files } = (await app.get(`/v1/projects/${projectId}`, key)).body
  const device = { 'user-agent': `${marker}'s telephone` }
  const opened = await app.send('GET', new URL(files.identification[0]).pathname, { headers: device })
  assert.equal(opened.status, 200, opened.text)
  await app.send('GET', new URL(links.proposal).pathname, {
    headers: { 'user-agent': 'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0) Safari/604.1', accept: 'text/html' },
  })
  await ok(
    console.call('POST', '/views', { body: { page: 'leads', name: 'Mine', query: `q=${marker}last` } }),
    'a view',
  )

  const [site] = await rows<{ id: string; name: string }>(
    'select id, name from installations where project_id = $1',
    [projectId],
  )
  const alert: Alert = {
    id: newId('alrt'),
    companyId: installer.company.id,
    installationId: site!.id,
    panelId: null,
    type: 'outage',
    severity: 'high',
    status: 'active',
    title: `${site!.name}: no production from the whole installation`,
    description: `All panels of ${site!.name} have reported no output.`,
    recommendedAction: 'Look at it.',
    memberIds: [],
    usualRatio: null,
    usualRatios: [],
    beganAt: null,
    version: 1,
    triggeredAt: new Date(),
    updatedAt: new Date(),
    acknowledgedAt: null,
    resolvedAt: null,
  }
  const { db, actor } = installer.as()
  await db.transaction(async (tx) => {
    await writeAlerts(tx, actor.installerId, { opened: [alert] })
    const at = await takeTimes(tx, actor.installerId, new Date(), 1)
    await recordEvents(tx, actor, at, [alertEvent('alert.triggered', alert)])
  })

  const billed = {
    name: `${marker}first ${marker}last`,
    email: `new-${marker}@example.com`,
    address: `1 ${marker} St`,
  }
  await setPlan(installer.as(), site!.id, {
    kind: 'lease',
    rate: '120',
    startDate: '2026-01-01',
    customer: billed,
  })
  const line_items = [
    { description: `Cleaning for ${billed.name}`, quantity: 1, unit: 'visit', unit_price: 90 },
  ]
  const invoice = async (more: object) =>
    (await ok(post(app, key, '', { customer: billed, line_items, ...more }), 'an invoice')).id as string
  const openId = await invoice({ installation_id: site!.id })
  await ok(post(app, key, `/${openId}/finalize`), 'finalizing')
  const paidId = await invoice({})
  await ok(post(app, key, `/${paidId}/finalize`), 'finalizing')
  await ok(
    post(app, key, `/${paidId}/pay`, { method: 'check', reference: `Check of ${marker}first ${marker}last` }),
    'paying',
  )
  // Before the draft, which would use the credit.
  const voidId = await invoice({ installation_id: site!.id })
  await ok(post(app, key, `/${voidId}/finalize`), 'finalizing')
  await ok(
    post(app, key, `/${voidId}/pay`, { amount: 10, reference: `${marker}@example.com` }),
    'paying a part',
  )
  await ok(post(app, key, `/${voidId}/void`), 'voiding')
  const { data: credits } = (await app.get('/catalog/v1/billing/credits', key)).body
  await ok(
    app.call('POST', `/catalog/v1/billing/credits/${credits[0].id}/refund`, {
      key,
      body: { amount: 1, reference: `To ${marker}@example.com` },
    }),
    'refunding a part',
  )
  const draftId = await invoice({ installation_id: site!.id })

  const mails = await rows<{ id: string }>('select id from mails where lead_id = $1 order by id', [leadId])
  assert.ok(mails.length >= 3, 'mails to the customer and to staff')
  await rows(`update mails set state = 'failed', last_error = $2 where id = $1`, [
    mails[0]!.id,
    `550 no such user ${marker}@example.com`,
  ])
  await ok(console.call('POST', `/mails/${mails[0]!.id}/again`), 'sending again')
  // As they were written before mails said whose they are.
  await rows('update mails set lead_id = null where id = any($1)', [mails.slice(1).map(({ id }) => id)])

  return {
    console,
    leadId: leadId as string,
    projectId,
    siteId: site!.id,
    sharedPath: new URL(shared.address).pathname,
    invoices: { openId, paidId, draftId },
    creditId: credits[0].id as string,
    endPlan: () => deletePlan(installer.as(), site!.id),
  }
}

/** A table that holds the customer: uploaded, or imported to the end; answers its id. */
export async function markImport(app: App, console: Console, name: string, run: boolean): Promise<string> {
  const csv =
    'External ID,First Name,Last Name,Email,Phone,Street,City,State,Zip\n' +
    `${name},${marker}first,${marker}last,new-${marker}@example.com,${markedDigits},1 ${marker} St,Denver,CO,80202\n` +
    `${name}-2,Bob,,not-an-email-${marker},,2 Elm St,Denver,CO,80202\n`
  const answer = await app.send('PUT', `/console/api/imports?name=${name}.csv`, {
    raw: Buffer.from(csv),
    headers: { cookie: console.cookie, 'x-sunstead-console': '1' },
  })
  assert.equal(answer.status, 201, answer.text)
  const { id } = answer.body
  const settled = async (state: string) => {
    for (const limit = Date.now() + 60_000; Date.now() < limit; await wait(20)) {
      const { body } = await console.get(`/imports/${id}`)
      if (body.state === state) return body
    }
    throw new Error(`the import is not ${state}`)
  }
  if (!run) return id
  const { columns } = (await console.get(`/imports/${id}`)).body
  const mapping = columns.map(({ field }: { field: string | null }) => field)
  await console.call('POST', `/imports/${id}/check`, { body: { mapping } })
  await settled('checked')
  await console.call('POST', `/imports/${id}/start`)
  await settled('done')
  return id
}
