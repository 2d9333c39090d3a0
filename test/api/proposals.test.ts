import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Financing, System } from '../../src/domain/deals/projects/project.ts'
import { productionByMonth } from '../../src/domain/deals/sale/describe-system.ts'
import { startApp } from '../support/app.ts'
import {
  type Actors,
  address,
  createWorld,
  hiSale,
  project,
  solarSale,
  system,
} from '../support/factories.ts'
import { addPerson, signedIn } from '../support/people.ts'

const app = await startApp()
const { installer, dealer, other } = await createWorld(app.database.db)

const phone = {
  'user-agent': 'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 Safari/604.1',
  accept: 'text/html',
}
const loan: Financing = {
  type: 'loan',
  lender: 'Sunvale <Finance>',
  amount: '28728.50',
  aprPercent: '5.99',
  termMonths: 300,
  monthlyPayment: null,
  dealerFeePercent: '18.75',
}

async function proposalOf(projectId: string, of: Actors = installer): Promise<string> {
  const { links } = (await app.get(`/v1/projects/${projectId}`, of.key)).body
  return new URL(links.proposal).pathname
}

const open = (path: string, headers: Record<string, string> = phone, method = 'GET') =>
  app.send(method, path, { headers })

/** What the feed says of opened proposals. */
async function openings(leadId: string) {
  const { data } = (await app.get(`/v1/leads/${leadId}/activities`, installer.key)).body
  return data.filter(({ body }: { body: string }) => body === 'Opened the proposal')
}

test('the customer reads the system, the price, the payment and the months', async () => {
  const sold: System = {
    ...system,
    adders: [
      { name: 'Trenching & more', quantity: 40, total: '1520.00', unit: 'perFoot', showOnProposal: true },
      { name: 'Steep roof', quantity: 8400, total: '672.00', unit: 'perWatt', showOnProposal: false },
      { name: 'Of an older sale', quantity: 1, total: null },
    ],
  }
  const customer = {
    firstName: 'Ada <b>',
    lastName: 'Moreno',
    email: 'ada@example.com',
    phone: '619 555 0100',
  }
  const { projectId } = await project(
    installer,
    { ...customer, notes: 'Beware of the dog' },
    { ...solarSale, system: sold, financing: loan, notes: 'Gate code' },
  )
  const { status, text, headers } = await open(await proposalOf(projectId))
  assert.equal(status, 200)
  for (const shown of [
    'Your solar system, Ada &#60;b&#62;',
    'Sunrise Solar',
    '8.4 kW',
    '12,651 kWh',
    '$28,728.50',
    '$184.92',
    'Qcells Q.TRON 400',
    '21 panels',
    '2 batteries, 13.5 kWh each',
    'Trenching &#38; more',
    '40 ft',
    'Of an older sale',
    'Sunvale &#60;Finance&#62; over 25 years at 5.99% APR',
  ])
    assert.ok(text.includes(shown), shown)
  // Neither what the company keeps to itself, nor more of the customer than they need to see themselves named.
  for (const kept of [
    'Steep roof',
    '18.75',
    'Moreno',
    'ada@',
    '555',
    'Market St',
    'dog',
    'Gate',
    projectId,
    '1,520',
  ])
    assert.ok(!text.includes(kept), kept)
  assert.equal(text.match(/<rect /g)?.length, 12)

  assert.match(
    headers['content-security-policy']!,
    /^default-src 'none'; style-src 'sha256-[^']+'; img-src 'self'; base-uri/,
  )
  assert.equal(headers['referrer-policy'], 'no-referrer')
  assert.equal(headers['cache-control'], 'private, no-store')
  assert.match(headers['x-robots-tag']!, /noindex/)
  assert.equal(headers['x-content-type-options'], 'nosniff')
  assert.ok(!/<script|\sstyle=|\son\w+=|https?:/.test(text), 'nothing that runs, nothing from elsewhere')
})

test('a dealer’s customer is told who builds it, and products have no chart', async () => {
  const { projectId } = await project(dealer, { productLine: 'hi' }, hiSale)
  const { text } = await open(await proposalOf(projectId))
  for (const shown of [
    'Your home project',
    'Bright Doors',
    'Installed by Sunrise Solar',
    'Roof',
    '$18,900.00, paid in cash',
  ])
    assert.ok(text.includes(shown), shown)
  assert.ok(!text.includes('Monthly payment') && !text.includes('<rect'))
})

test('an unknown proposal is a page for people, and for programs as any address that is not there', async () => {
  const nothing = await open('/nothing', {})
  for (const token of ['x', 'a'.repeat(27), '%00', 'a%2F..%2Fb', "'%20or%201=1", 'é'.repeat(30)]) {
    const page = await open(`/proposals/${encodeURI(token)}`)
    assert.equal(page.status, 404, token)
    assert.match(page.text, /This page isn’t available/)
    const answer = await open(`/proposals/${encodeURI(token)}`, {})
    assert.equal(answer.status, 404, token)
    assert.deepEqual(answer.body, nothing.body)
  }
})

test('that it was opened is noted once a day, by the customer, and changes no record', async () => {
  const { leadId, projectId } = await project(installer, { firstName: 'Ada', lastName: 'Moreno' })
  const path = await proposalOf(projectId)
  const before = (await app.get(`/v1/projects/${projectId}`, installer.key)).body.updatedAt
  const answers = await Promise.all(Array.from({ length: 6 }, () => open(path)))
  assert.ok(answers.every(({ status }) => status === 200))
  const noted = await openings(leadId)
  assert.deepEqual(
    noted.map(({ type, author, internal }: Record<string, unknown>) => [type, author, internal]),
    [['message', 'Ada Moreno', false]],
  )
  assert.equal((await app.get(`/v1/projects/${projectId}`, installer.key)).body.updatedAt, before)
  // On another day it is noted again.
  const dayBefore = new Date(Date.now() - 25 * 3_600_000).toISOString()
  await app.database.db.execute(
    `update activities set at = '${dayBefore}' where lead_id = '${leadId}' and body = 'Opened the proposal'`,
  )
  await open(path)
  assert.equal((await openings(leadId)).length, 2)
})

test('programs, looks ahead and the company’s own people are not noted', async () => {
  const { leadId, projectId } = await project(dealer)
  const path = await proposalOf(projectId)
  for (const agent of [
    '',
    'curl/8.5',
    'Slackbot-LinkExpanding 1.0',
    'Mozilla/5.0 (compatible; Googlebot/2.1)',
    'WhatsApp/2.24',
  ])
    assert.equal((await open(path, { ...phone, 'user-agent': agent })).status, 200)
  await open(path, { ...phone, 'sec-purpose': 'prefetch;prerender' })
  await open(path, phone, 'HEAD')
  for (const { company } of [installer, dealer]) {
    const { cookie } = await signedIn(app, await addPerson(app, company.id, 'rep'))
    assert.equal((await open(path, { ...phone, cookie })).status, 200)
  }
  assert.deepEqual(await openings(leadId), [])
  // Of another tenant, it may well be the customer.
  const { cookie } = await signedIn(app, await addPerson(app, other.company.id, 'rep'))
  await open(path, { ...phone, cookie })
  assert.equal((await openings(leadId)).length, 1)
})

test('the months add up to the year, and summer is where it is', () => {
  const year = (state: string, country: string | null = 'US') =>
    productionByMonth('12000', { ...address, state, country })
  for (const months of [year('CA'), year('Washington'), year('nowhere', null), year('NSW', 'AU')]) {
    assert.equal(months.length, 12)
    const sum = months.reduce((total, month) => total + month)
    assert.ok(Math.abs(sum - 12_000) <= 6, String(sum))
  }
  assert.ok(year('WA')[6]! > 2.5 * year('WA')[11]!)
  assert.ok(year('HI')[6]! < 1.5 * year('HI')[11]!)
  assert.ok(year('NSW', 'AU')[0]! > year('NSW', 'AU')[6]!)
})
