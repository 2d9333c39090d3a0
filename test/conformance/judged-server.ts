import { type Given, type Target, targetOf } from '../../src/conformance/target.ts'
import { newId } from '../../src/platform/ids.ts'
import { type App, startApp } from '../support/app.ts'
import { atFileEnd } from '../support/endings.ts'
import { site } from '../support/energy.ts'
import { createWorld, keyFor, lead, member, project, type World } from '../support/factories.ts'
import { freePort } from '../support/free-port.ts'
import { startHttpsServer } from '../support/https-server.ts'
import { invoiceIn, type State } from '../support/invoices.ts'
import { pdf } from '../support/sample-files.ts'
import { stock } from '../support/stock.ts'

export interface JudgedServer {
  app: App
  /** The same records behind a limit of 100 calls a minute. */
  limited: App
  world: World
  /** What the kit is told, with this base address. */
  target(baseUrl?: string, more?: Partial<Given>): Target
  /** A dealer's key that nobody has used yet. */
  freshDealerKey(): Promise<string>
}

/** Our server with something of everything in it, an outside world to copy a file from, and a way to the kit's receiver. */
export async function startJudgedServer(): Promise<JudgedServer> {
  const outside = await startHttpsServer((_request, response) => response.end(pdf))
  atFileEnd(() => outside.close())
  const receiverPort = await freePort()
  const env = { OUTBOUND_TRUSTED_HOSTS: `localhost:${outside.port},localhost:${receiverPort}` }
  const app = await startApp({ env: { ...env, RATE_LIMIT_PER_MINUTE: '0' }, outside: { ca: outside.ca } })
  const limited = await startApp({
    database: app.database,
    env: { RATE_LIMIT_PER_MINUTE: '100', ROLE: 'web' },
  })
  const world = await createWorld(app.database.db)
  const { installer, dealer, sister } = world
  await stock(installer)
  const rep = await member(world, installer, 'Robin Rep')
  for (const company of [installer, dealer, sister]) {
    await lead(company, { productLine: 'hi' })
    await project(company)
    await project(company, { productLine: 'hi' })
  }
  // More than a page of the legacy API.
  for (let i = 0; i < 101; i++) await lead(sister)
  const { projectId: hiProject } = await project(installer, { productLine: 'hi' })
  for (const state of ['draft', 'open', 'paid', 'void'] satisfies State[])
    await invoiceIn(app, installer.key, state)
  await alerts(app, world)
  const target = (baseUrl = app.url, more: Partial<Given> = {}) =>
    targetOf({
      baseUrl,
      installerKey: installer.key,
      dealerKey: dealer.key,
      orgId: String(installer.company.number),
      installerId: installer.company.id,
      hiProject,
      fileUrl: `${outside.url}/permit.pdf`,
      memberEmail: rep.email,
      receiverUrl: `http://localhost:${receiverPort}/hooks`,
      receiverListen: `127.0.0.1:${receiverPort}`,
      ...more,
    })
  return { app, limited, world, target, freshDealerKey: async () => (await keyFor(world, dealer)).secret }
}

/** One of each status, on an installation of a region of its own. */
async function alerts({ database }: App, { installer }: World): Promise<void> {
  const { installation } = await site(database, installer, 'UTC', 3)
  const { company } = installer
  for (const [type, status, severity] of [
    ['outage', 'active', 'low'],
    ['underperformance', 'acknowledged', 'medium'],
    ['data_gap', 'resolved', 'high'],
    ['anomaly', 'active', 'critical'],
  ])
    await database.rows(
      `insert into alerts (installer_id, id, company_id, installation_id, type, severity, status, title, description,
         recommended_action, triggered_at, acknowledged_at, resolved_at)
       values ($1, $2, $3, $4, $7, $5, $6::text, 'Nothing', 'It makes nothing.', 'Look.', now(),
         case when $6 = 'acknowledged' then now() end, case when $6 = 'resolved' then now() end)`,
      [company.installerId, newId('alrt'), company.id, installation, severity, status, type],
    )
}
