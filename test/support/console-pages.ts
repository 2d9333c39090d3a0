import { setTimeout as wait } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { propose } from '../../src/domain/agents/propose.ts'
import { importKind } from '../../src/domain/data/imports/import.ts'
import { createLongJob } from '../../src/domain/journal/long-jobs/create-long-job.ts'
import { agentOf, saleOf } from './agents.ts'
import type { App } from './app.ts'
import { keyFor, lead, project, type World } from './factories.ts'
import { importIn } from './imports.ts'
import { creditIn, invoiceIn, plan, site } from './invoices.ts'
import { type Person, signedIn } from './people.ts'
import { stock } from './stock.ts'
import { watchedIn, webhookIn } from './watched.ts'

/** A page, and what is there when it is. */
export type Stop = [path: string, shown: (page: Page) => Promise<unknown>]

const day = '2031-03-12'
const text = (words: string | RegExp) => (page: Page) => page.getByText(words).first().waitFor()
const link = (name: string | RegExp) => (page: Page) => page.getByRole('link', { name }).first().waitFor()
const button = (name: string | RegExp) => (page: Page) => page.getByRole('button', { name }).first().waitFor()
const heading = (name: string | RegExp) => (page: Page) =>
  page.getByRole('heading', { name }).first().waitFor()

/** Every page of the console with something on it: those an owner sees, and those before the door. */
export async function consolePages(app: App, world: World, owner: Person) {
  const { installer } = world
  const { panel, inverter } = await stock(installer)
  const leadId = await lead(installer, { firstName: 'Bo', lastName: 'Young' })
  await lead(installer, { firstName: 'Bo', lastName: 'Young', phone: '+1 619 555 0142' })
  const { projectId } = await project(installer, { firstName: 'Ada', lastName: 'Moreno' })
  const { installationId } = await watchedIn(app.database, installer, projectId)
  const home = await site(app.database, installer)
  await plan(installer, home)
  const invoiceId = await invoiceIn(app, installer.key, 'open')
  await creditIn(app, installer.key)
  const { call, get } = await signedIn(app, owner)
  await call('PATCH', `/projects/${projectId}`, { body: { installDate: day } })
  await call('POST', `/leads/${leadId}/notes`, { body: { body: 'Called. Wants a battery.' } })
  await call('POST', '/people/invitations', {
    body: { email: 'maria@example.com', name: 'Maria', role: 'rep' },
  })
  const [mail] = (await get('/mails?to=maria@example.com')).body.mails
  const { body } = (await get(`/mails/${mail.id}`)).body
  const invitation = new URL(/https?:\S+\/invitation\S+/.exec(body)![0])
  const agent = await agentOf(world, installer)
  await propose(agent.as(), saleOf(leadId, panel.id, inverter.id), { reason: 'They called and want it.' })
  const move = { kind: 'move', project: projectId, stage: 'Design' } as const
  const { id: declinedId } = await propose(agent.as(), move)
  await call('POST', `/agent-proposals/${declinedId}/decline`, { body: { reason: 'Not before the permit' } })
  const { links } = (await app.get(`/v1/projects/${projectId}`, installer.key)).body
  const settings = await settingsPages(app, world, owner)

  const inside: Stop[] = [
    ['/', link(/Bo Young/)],
    ['/board', link('Ada Moreno')],
    ['/leads', link('Bo Young')],
    [`/leads/${leadId}`, text('Wants a battery')],
    [`/leads/${leadId}/sell`, (page) => page.getByLabel('Number of panels').waitFor()],
    [`/projects/${projectId}`, heading('Schedule')],
    [`/projects/${projectId}/items`, heading('Edit system')],
    [`/calendar?view=month&day=${day}`, text('Ada Moreno')],
    [`/calendar?view=week&day=${day}`, text('Ada Moreno')],
    ['/search?q=moreno', link(/Ada Moreno/)],
    ['/account', (page) => page.getByLabel('Current password').waitFor()],
    ['/monitoring', text('No data yet')],
    [`/monitoring/${installationId}`, button('Acknowledge')],
    ['/monitoring/quarantine', text('314 kWh in 1 h')],
    ...settings,
    ['/billing', text('1001-000001')],
    ['/billing?part=plans', text('$0.12 per kWh')],
    ['/billing?part=unbilled', text('All months are billed')],
    ['/billing?part=credits', button('Record a refund to Ada Moreno')],
    ['/billing?part=runs', button('Start the run')],
    [`/billing/invoices/${invoiceId}`, heading('Invoice 1001-000001')],
    ['/approvals', button(/^Approve: Mark Bo Young as sold/)],
    ['/approvals?list=decided', text('Not before the permit')],
    ['/leads/lead_none000000', text('Page not found')],
  ]
  const outside: Stop[] = [
    ['/sign-in', heading('Sign in')],
    ['/forgot-password', heading('Forgot your password?')],
    ['/reset-password?token=none', heading('This link is no longer valid')],
    [invitation.pathname + invitation.search, heading(/has invited you/)],
    [new URL(links.proposal).pathname, heading(/Your solar system/)],
  ]
  return { inside, outside }
}

async function settingsPages(app: App, world: World, owner: Person): Promise<Stop[]> {
  const { installer, dealer } = world
  const { get } = await signedIn(app, owner)
  const { key } = await keyFor(world, installer)
  const { webhookId } = await webhookIn(app.database, installer)
  const { ladders } = (await get('/session')).body
  const imports = await importsOnTheirWay(app, world, owner)
  return [
    ['/settings/company', heading('Dealers')],
    [`/settings/company/${dealer.company.id}`, button('Suspend')],
    ['/settings/people', text(/Invited until/)],
    ['/settings/ladder', link(/Site Survey/)],
    ['/settings/ladder?line=hi', link(/Measure/)],
    [`/settings/ladder/${ladders.solar[0].id}`, (page) => page.getByLabel('Days allowed').waitFor()],
    ['/settings/catalogue', button('Add')],
    ['/settings/catalogue?part=panel', button(/^Helianth HX-410/)],
    ['/settings/catalogue/import?section=adders', heading(/Import/)],
    ['/settings/keys', link('Another')],
    [`/settings/keys/${key.id}`, heading('Another')],
    ['/settings/webhooks', link(/localhost/)],
    [`/settings/webhooks/${webhookId}`, button(/^Details of A lead was created/)],
    ['/settings/requests', button(/GET \/v1\//)],
    ['/settings/import', link(/leads\.csv/)],
    [`/settings/import/${imports.mapping}`, heading('Match columns')],
    [`/settings/import/${imports.running}`, (page) => page.getByRole('progressbar').waitFor()],
    [`/settings/import/${imports.checked}`, heading('What will happen')],
    [`/settings/import/${imports.done}`, heading('Results')],
    ['/settings/retention', text('What this affects now')],
    ['/settings/audit', text(/invited/)],
    ['/settings/mail', button(/invited you/)],
    ['/settings/mail?view=samples', heading('Invitation')],
  ]
}

/** Imports as far as each step of them, with a row that is not taken. */
async function importsOnTheirWay(app: App, { installer }: World, owner: Person) {
  const { cookie, call, get } = await signedIn(app, owner)
  const table =
    'First Name,Last Name,Street,City,State,Zip\nEve,Reyes,1 Elm St,Boston,MA,02108\nEve,,1 Elm St,Boston,MA,02108\n'
  const upload = async (): Promise<string> => {
    const headers = { cookie, 'x-sunstead-console': '1' }
    const path = '/console/api/imports?name=leads.csv'
    return (await app.send('PUT', path, { raw: Buffer.from(table), headers })).body.id
  }
  const until = async (id: string, state: string) => {
    while ((await get(`/imports/${id}`)).body.state !== state) await wait(20)
  }
  const check = async (): Promise<string> => {
    const id = await upload()
    const mapping = ['firstName', 'lastName', 'line1', 'city', 'state', 'postalCode']
    await call('POST', `/imports/${id}/check`, { body: { mapping } })
    await until(id, 'checked')
    return id
  }
  const done = await check()
  await call('POST', `/imports/${done}/start`)
  await until(done, 'done')
  const running = await importIn(app.database, installer, 'running')
  const { db, actor, now } = installer.as()
  const work = { kind: importKind, subjectId: running, companyId: actor.companyId, total: 9 }
  await createLongJob(db, actor, now, { ...work, heldUntil: new Date('2099-01-01') })
  return { mapping: await upload(), checked: await check(), running, done }
}
