import assert from 'node:assert/strict'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { before, describe, test } from 'node:test'
import type { Demo } from '../../src/demo/demo-json.ts'
import { demoLines } from '../../src/demo/demo-lines.ts'
import { productKinds } from '../../src/domain/catalogue/adder.ts'
import { leadStatuses } from '../../src/domain/deals/leads/lead.ts'
import { financingTypes } from '../../src/domain/deals/projects/project.ts'
import { checkRenderings } from '../../src/domain/deals/renderings/rerender.ts'
import { folders } from '../../src/domain/kernel/folder.ts'
import { defaultLadders } from '../../src/domain/tenants/ladders/default-ladders.ts'
import { type Answer, clientOf, demoFile, type Running } from './demo-server.ts'
import { testSites } from './site-tests.ts'

const installers = [0, 3]
const dealersOf: Record<number, number[]> = { 0: [1, 2], 3: [4] }
const idsOf = (records: Answer[]) => new Set(records.map(({ id }) => id))
const sorted = (values: Iterable<string>) => [...new Set(values)].sort()
const cents = (amount: number) => Math.round(amount * 100)

/** What everybody must find in the demo, over a server that serves it. */
export function testContent(server: () => Running): void {
  describe('what is in it', () => {
    let folder: string
    let running: Running
    let demo: Demo
    const leads: Answer[][] = []
    const rows: Answer[][] = []
    /** Every project whole, as its installer reads it. */
    const projects: Answer[] = []

    before(async () => {
      running = server()
      folder = running.config.dataDir
      demo = await demoFile(folder)
      for (const company of demo.companies.keys()) {
        leads.push(await clientOf(demo, company).all('/leads'))
        rows.push(await clientOf(demo, company).all('/projects'))
      }
      for (const company of installers) {
        const { get } = clientOf(demo, company)
        for (const { id } of rows[company]!) projects.push((await get(`/projects/${id}`)).body)
      }
    })

    test('demo.json names five companies, and only its owner may read it', async () => {
      const { mode } = await stat(join(folder, 'demo.json'))
      assert.equal(mode & 0o777, 0o600)
      assert.deepEqual(
        demo.companies.map(({ kind }) => kind),
        ['installer', 'dealer', 'dealer', 'installer', 'dealer'],
      )
      assert.deepEqual(
        demo.companies.map(({ installerId }) => installerId),
        [0, 0, 0, 3, 3].map((index) => demo.companies[index]!.id),
      )
      const [{ orgId: first }] = demo.companies as [Demo['companies'][number]]
      assert.deepEqual(
        demo.companies.map(({ orgId }) => orgId),
        demo.companies.map((_, index) => first + index),
      )
      const { baseUrl } = running.server.deps.addresses
      assert.deepEqual(
        [demo.baseUrl, demo.legacyBaseUrl, demo.catalogBaseUrl, demo.consoleUrl],
        [baseUrl, `${baseUrl}/legacy`, `${baseUrl}/catalog`, baseUrl],
      )
      const printed = demoLines({ demo, isNew: true }).join('\n')
      const printedLater = demoLines({ demo, isNew: false }).join('\n')
      for (const [index, { name, key, owner }] of demo.companies.entries()) {
        assert.match(key, /^psk_[0-9a-f]{40}$/)
        assert.ok(owner.password.length >= 12)
        for (const text of [name, key, owner.email, owner.password]) assert.ok(printed.includes(text))
        for (const secret of [key, owner.password]) assert.ok(!printedLater.includes(secret))
        assert.equal((await clientOf(demo, index).get('/me')).body.company.name, name)
      }
    })

    test('every company has enough leads and projects, of both lines', () => {
      const wanted = [
        [60, 30],
        [20, 10],
        [20, 10],
        [40, 20],
        [20, 10],
      ]
      for (const [company, [leadCount, projectCount]] of wanted.entries()) {
        const others = (dealersOf[company] ?? []).flatMap((dealer) => [...leads[dealer]!, ...rows[dealer]!])
        const foreign = idsOf(others)
        const own = (records: Answer[]) => records.filter(({ id }) => !foreign.has(id))
        assert.ok(own(leads[company]!).length >= leadCount!)
        assert.ok(own(rows[company]!).length >= projectCount!)
        for (const records of [leads[company]!, rows[company]!.slice(0, 100)]) {
          assert.deepEqual(sorted(own(records).map((r) => r.productLine)), ['hi', 'solar'])
          assert.ok(own(records).some((r) => r.reference !== null))
        }
        assert.deepEqual(sorted(own(leads[company]!).map((lead) => lead.status)), [...leadStatuses].sort())
        for (const line of ['solar', 'hi'] as const) {
          const stages = own(rows[company]!)
            .filter((row) => row.productLine === line)
            .map((row) => row.stage.name)
          assert.deepEqual(sorted(stages), defaultLadders[line].map(({ name }) => name).sort())
        }
      }
    })

    test('a dealer sees its own records, its installer those of all its dealers', async () => {
      for (const [installer, dealers] of Object.entries(dealersOf)) {
        const tenant = idsOf(rows[Number(installer)]!)
        for (const dealer of dealers) for (const { id } of rows[dealer]!) assert.ok(tenant.has(id))
      }
      assert.ok(idsOf(rows[1]!).isDisjointFrom(idsOf(rows[2]!)))
      assert.ok(idsOf(rows[0]!).isDisjointFrom(idsOf(rows[3]!)))
      const { get } = clientOf(demo, 1)
      assert.equal((await get(`/projects/${rows[1]![0].id}`)).status, 200)
      for (const company of [2, 3]) assert.equal((await get(`/projects/${rows[company]![0].id}`)).status, 404)
      assert.equal((await get('/adders')).status, 403)
    })

    test('references answer', async () => {
      const { get } = clientOf(demo, 0)
      const row = rows[0]!.find(({ reference }) => reference !== null)
      const lead = leads[0]!.find(({ reference, project }) => reference !== null && project !== null)
      assert.match(row.reference, /^[A-Za-z0-9]{10}$/)
      assert.equal((await get(`/projects/${row.reference}`)).body.id, row.id)
      assert.equal((await get(`/leads/${lead.reference}`)).body.id, lead.id)
      assert.equal((await get(`/projects/${lead.reference}`)).body.id, lead.project.id)
    })

    test('the catalogues are complete', async () => {
      for (const company of installers) {
        const { get } = clientOf(demo, company)
        const adders: Answer[] = (await get('/adders')).body.data
        assert.ok(adders.length >= 12)
        assert.ok(adders.filter(({ unit }) => unit === 'perWatt').length >= 3)
        assert.ok(adders.some(({ tiered }) => tiered) && adders.some(({ repSponsored }) => repSponsored))
        assert.ok(new Set(adders.map(({ unit }) => unit)).size >= 5)
        const kinds = adders.filter(({ productLine }) => productLine === 'hi').map((a) => a.productKind)
        assert.deepEqual(sorted(kinds), [...productKinds].sort())

        const equipment: Answer[] = (await get('/equipment')).body.data
        assert.ok(equipment.length >= 12)
        const defaults = equipment.filter((item) => item.default).map(({ kind }) => kind)
        assert.deepEqual(defaults, ['panel', 'inverter', 'battery'])
      }
    })

    test('what was sold adds up', async () => {
      const adders = new Map<string, number>()
      const watts = new Map<string, number>()
      for (const company of installers) {
        const { get } = clientOf(demo, company)
        for (const { name, unitPrice } of (await get('/adders')).body.data)
          adders.set(`${company} ${name}`, unitPrice)
        for (const item of (await get('/equipment?kind=panel')).body.data)
          watts.set(`${item.manufacturer} ${item.model}`, item.watts)
      }
      assert.deepEqual(sorted(projects.map((p) => p.financing.type)), [...financingTypes].sort())
      for (const { id, stage, contract, system, products, productLine } of projects) {
        assert.ok(stage.enteredAt)
        if (productLine === 'hi') {
          const total = products.reduce((sum: number, { price }: Answer) => sum + cents(price), 0)
          assert.equal(cents(contract.price), total)
          continue
        }
        const { panels } = system
        const company = idsOf(rows[0]!).has(id) ? 0 : 3
        const size = panels.count * watts.get(`${panels.manufacturer} ${panels.model}`)!
        assert.equal(system.sizeKw, size / 1000)
        assert.equal(cents(contract.price), size * cents(system.pricePerWatt.final))
        assert.ok(system.pricePerWatt.final >= system.pricePerWatt.base)
        for (const { name, quantity, total } of system.adders) {
          assert.equal(cents(total), quantity * cents(adders.get(`${company} ${name}`)!))
        }
      }
    })

    test('files stand in all folders and open with their type', async () => {
      const types: Record<string, string> = {
        pdf: 'application/pdf',
        png: 'image/png',
        csv: 'text/csv; charset=utf-8',
        txt: 'text/plain; charset=utf-8',
      }
      const held = (name: string) => projects.flatMap(({ files }) => files[name] as string[])
      for (const name of folders) assert.ok(held(name).length > 0, name)
      const several = projects.filter(
        ({ files }) => Object.values<string[]>(files).filter((f) => f.length).length > 1,
      )
      assert.ok(several.length > projects.length / 2)
      const opened = new Set<string>()
      for (const address of folders.flatMap((name) => held(name).slice(0, 3))) {
        const answer = await fetch(address)
        const extension = address.split('.').at(-1)!
        assert.equal(answer.status, 200)
        assert.equal(answer.headers.get('content-type'), types[extension])
        assert.equal(String((await answer.arrayBuffer()).byteLength), answer.headers.get('content-length'))
        opened.add(extension)
      }
      assert.deepEqual([...opened].sort(), Object.keys(types).sort())
    })

    test('nothing lies in the future but planned surveys and installs, and feeds are in order', async () => {
      const now = new Date()
      const tomorrow = new Date(now.getTime() + 86_400_000).toISOString().slice(0, 10)
      for (const { updatedAt } of [...leads, ...rows].flat()) assert.ok(updatedAt < now.toISOString())
      const planned = new Set<string>()
      for (const { milestones } of projects) {
        for (const [key, day] of Object.entries<string>(milestones)) if (day > tomorrow) planned.add(key)
      }
      assert.deepEqual([...planned].sort(), ['installScheduled', 'siteSurveyScheduled'])

      const types = new Set<string>()
      for (const { leadId, company } of projects.filter((_, i) => i % 5 === 0)) {
        const index = demo.companies.findIndex(({ name }) => name === company.name)
        const reader = clientOf(demo, index < 3 ? 0 : 3)
        const feed = await reader.all(`/leads/${leadId}/activities`)
        for (const { type } of feed) types.add(type)
        const times = feed.map(({ createdAt }) => createdAt)
        assert.deepEqual(times, [...times].sort().reverse())
        assert.equal(feed.at(-1).type, 'leadCreated')
      }
      for (const type of [
        'note',
        'assigned',
        'stageChanged',
        'installScheduled',
        'ntpChanged',
        'fileAdded',
        'message',
      ])
        assert.ok(types.has(type), type)
    })

    test('internal files are kept from dealers, and no mail waits to be sent', async () => {
      const names = new Set(dealersOf[0]!.map((index) => demo.companies[index]!.name))
      const project = projects.find(
        ({ company, files }) => names.has(company.name) && files.internal.length > 0,
      )
      const dealer = demo.companies.findIndex(({ name }) => name === project.company.name)
      const seen = await clientOf(demo, dealer).get(`/projects/${project.id}`)
      assert.deepEqual(seen.body.files.internal, [])
      const feeds = await Promise.all(
        [0, dealer].map((company) => clientOf(demo, company).all(`/leads/${project.leadId}/activities`)),
      )
      assert.deepEqual(
        feeds.map((feed) => feed.some(({ internal }) => internal)),
        [true, false],
      )
      const waiting = await running.server.deps.db.query(
        { name: 'test-queued-mails', text: `select id from mails where state = 'queued'` },
        [],
      )
      assert.equal(waiting.length, 0)
    })

    test('no rendering is stale', async () => {
      for (const company of installers) {
        const { checked, stale } = await checkRenderings(
          running.server.deps.db,
          new Date(),
          demo.companies[company]!.id,
          false,
        )
        assert.ok(checked > 60)
        assert.deepEqual(stale, [])
      }
    })

    for (const company of installers) testSites(() => demo, company)
  })
}
