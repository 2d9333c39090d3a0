import assert from 'node:assert/strict'
import { openDatabase } from '../../../src/platform/db.ts'
import type { DataDir } from '../../support/data-dir.ts'
import { type Actors, createWorld, lead, project } from '../../support/factories.ts'
import type { Receiver } from '../../support/webhook-receiver.ts'
import type { Caller } from '../load/caller.ts'
import { fileWriter } from '../load/files.ts'
import { leadWriter } from '../load/leads.ts'
import type { LoadParts, MakeParts } from '../load/load.ts'
import { lastNoteWriter, noteWriter } from '../load/notes.ts'
import { paymentWriter } from '../load/payments.ts'
import type { createPoller } from '../load/poller.ts'
import { readingWriter } from '../load/readings.ts'
import { stageWriter } from '../load/stages.ts'
import { type Endpoint, noteArrivals } from './endpoint.ts'
import type { FileHost } from './file-host.ts'
import type { BedPostgres } from './postgres.ts'

/** Two installers and a dealer with what they need to be busy, and an owner who is signed in to the console. */
export interface Business {
  installer: Actors
  dealer: Actors
  other: Actors
  endpoints: Endpoint[]
  /** Of the owner who uses the console. */
  session: { headers: Record<string, string>; installerId: string; leadId: string }
  loadParts(files: FileHost, name: string): MakeParts
}

interface Given {
  url: string
  postgres: BedPostgres
  receiver: Receiver
  company: DataDir
}

export async function openBusiness({ url, postgres, receiver, company }: Given): Promise<Business> {
  const post = async (path: string, key: string, body: object) => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    const answer = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) })
    const text = await answer.text()
    assert.ok(answer.status < 300, `${path}: ${answer.status} ${text}`)
    return text === '' ? null : JSON.parse(text)
  }
  const listen = async (path: string, key: string, installerId: string) => {
    const { id } = await post('/catalog/v1/webhooks', key, { url: receiver.url + path, events: ['*'] })
    return noteArrivals(receiver, { webhookId: id, path, installerId })
  }

  return postgres.using(async (databaseUrl) => {
    const db = openDatabase(databaseUrl, () => {})
    try {
      const { installer, dealer, other } = await createWorld(db)
      const endpoints = [
        await listen('/installer', installer.key, installer.company.id),
        await listen('/other', other.key, other.company.id),
      ]
      const rows = postgres.rows
      const panels = await addPanels((path, body) => post(path, installer.key, body))
      const sold = await Promise.all([project(installer), project(installer), project(other)])
      const noted = await Promise.all([lead(installer), lead(other)])
      const stages = await rows<{ name: string }>(
        `select name from stages where installer_id = $1 and product_line = 'solar' order by position limit 4`,
        [installer.company.id],
      )
      const draft = { customer: { name: 'Ada' }, line_items: [{ description: 'All', unit_price: 9_000_000 }] }
      const { id: invoiceId } = await post('/catalog/v1/billing/invoices', installer.key, draft)
      await post(`/catalog/v1/billing/invoices/${invoiceId}/finalize`, installer.key, {})
      const { leadId } = await post('/v1/leads', company.key, {
        ...{ firstName: 'Con', lastName: 'Sole' },
        address: { line1: '1 A St', city: 'B', state: 'CA', postalCode: '90001' },
      })
      const session = {
        headers: { cookie: await signIn(url, company.owner), 'x-sunstead-console': '1', origin: url },
        installerId: company.companyId,
        leadId,
      }

      const loadParts =
        (files: FileHost, name: string) =>
        (caller: Caller, newPoller: typeof createPoller): LoadParts => {
          const by = ({ key }: Actors) => ({ authorization: `Bearer ${key}` })
          const installerId = installer.company.id
          const names = stages.map((stage) => stage.name)
          const [first, second, third] = sold
          return {
            writers: [
              leadWriter(caller, `${name}-a`, installer),
              leadWriter(caller, `${name}-b`, dealer),
              leadWriter(caller, `${name}-c`, other),
              lastNoteWriter(caller, `${name} changed`, by(installer), { installerId, leadId: noted[0]! }),
              lastNoteWriter(caller, `${name} other`, by(other), {
                installerId: other.company.id,
                leadId: noted[1]!,
              }),
              stageWriter(caller, by(installer), { installerId, projectId: first!.projectId, stages: names }),
              stageWriter(caller, by(other), {
                installerId: other.company.id,
                projectId: third!.projectId,
                stages: names,
              }),
              noteWriter(
                caller,
                `${name} legacy`,
                {
                  kind: 'legacy notes',
                  method: 'POST',
                  path: '/legacy/create_activity',
                  headers: by(installer),
                  body: (notes) => ({ project_id: second!.projectId, installer_id: installerId, notes }),
                },
                { installerId, leadId: second!.leadId },
              ),
              noteWriter(
                caller,
                `${name} console`,
                {
                  kind: 'console notes',
                  method: 'POST',
                  path: `/console/api/leads/${session.leadId}/notes`,
                  headers: session.headers,
                  body: (body) => ({ body }),
                },
                session,
              ),
              fileWriter(caller, by(installer), files, {
                installerId,
                number: installer.company.number,
                projectId: second!.projectId,
              }),
              readingWriter(caller, by(installer), { installerId, panels }),
              paymentWriter(caller, by(installer), { installerId, invoiceId }),
            ],
            pollers: [
              newPoller(caller, by(installer), 'leads', installerId),
              newPoller(caller, by(installer), 'projects', installerId),
            ],
            reads: [
              { path: '/v1/leads?limit=20', headers: by(other) },
              { path: `/v1/projects/${first!.projectId}`, headers: by(installer) },
              { path: `/legacy/fetch_project?id=${first!.projectId}`, headers: by(installer) },
              { path: '/console/api/session', headers: session.headers },
              { path: '/catalog/v1/monitoring/alerts', headers: by(installer) },
            ],
          }
        }
      return { installer, dealer, other, endpoints, session, loadParts }
    } finally {
      await db.close()
    }
  })
}

/** So large that nothing is more than they can make. */
async function addPanels(post: (path: string, body: object) => Promise<{ id: string }>): Promise<string[]> {
  const roof = { name: 'Roof', address: '1 Market St', region: 'US-CO' }
  const { id } = await post('/catalog/v1/installations', roof)
  const panels: string[] = []
  for (const name of ['a', 'b', 'c', 'd']) {
    const panel = { name, capacity_kw: 1_000_000, installation_id: id }
    panels.push((await post('/catalog/v1/panels', panel)).id)
  }
  return panels
}

async function signIn(url: string, { email, password }: DataDir['owner']): Promise<string> {
  const answer = await fetch(`${url}/console/auth/sign-in/email`, {
    method: 'POST',
    headers: { origin: url, 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  })
  assert.equal(answer.status, 200, await answer.text())
  return answer.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ')
}
