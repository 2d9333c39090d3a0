import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { grow } from '../../bench/growth/grow.ts'
import { createGrowthTenant, type GrowthTenant, password, type Reader } from '../../bench/growth/tenant.ts'
import { countAgain } from '../../src/domain/operations/checks/count-again.ts'
import { countOfMany } from '../../src/domain/sites/monitoring/fleet-figure-queries.ts'
import { listFleet, placeOf } from '../../src/domain/sites/monitoring/fleet-queries.ts'
import { type App, startApp } from '../support/app.ts'
import { signedIn } from '../support/people.ts'

// Enough that a list is not found by looking through the first of its order, and rare ones are not among these.
const count = 9_000
const readers = ['owner', 'dealer', 'newDealer'] as const satisfies Reader[]
const members = ['rep', 'newRep'] as const satisfies Reader[]

let app: App
let tenant: GrowthTenant
const people = new Map<Reader, Awaited<ReturnType<typeof signedIn>>>()

before(async () => {
  app = await startApp({ env: { ROLE: 'web' } })
  tenant = await createGrowthTenant(app.database.db)
  // Rows stand for themselves here: what they would point to is not there.
  const keys = await app.database.rows<{ text: string }>(
    `select format('alter table %s drop constraint if exists %I', conrelid::regclass, conname) as text
     from pg_constraint where contype = 'f' and conparentid = 0`,
  )
  for (const { text } of keys) await app.database.rows(text)
  const tables = [
    'leads',
    'projects',
    'installations',
    'alerts',
    'billing_plans',
    'billing_months',
    'invoices',
    'credits',
  ]
  await grow(app.database.url, tenant, 0, count, {
    tables: [...tables, 'billing_run_outcomes', 'long_jobs', 'panels', 'quarantined_readings'],
  })
  for (const reader of [...readers, ...members])
    people.set(reader, await signedIn(app, { email: tenant.people[reader].email, password }))
})

const own = (reader: Reader, column: string) =>
  reader === 'owner' ? 'true' : `${column} = '${reader === 'dealer' ? tenant.dealerId : tenant.newDealerId}'`

/** The ids of the first page and of the one behind it, and what they should be by a statement of its own. */
async function compare(
  reader: Reader,
  path: string,
  part: string,
  table: string,
  condition: string,
  order: string,
  idOf: (row: Record<string, string>) => string = (row) => row['id']!,
): Promise<void> {
  const get = async (more: string) => (await people.get(reader)!.get(`${path}${more}`)).body
  const first = await get('')
  const second = first.next === null ? { [part]: [] } : await get(`&after=${encodeURIComponent(first.next)}`)
  const found = [...first[part], ...second[part]].map(idOf)
  const expected = await app.database.rows<{ id: string }>(
    `select id from ${table} where ${condition} order by ${order} limit ${found.length + (second.next ? 0 : 1)}`,
  )
  assert.deepEqual(
    found,
    expected.map(({ id }) => id),
    `${path} (${reader})`,
  )
}

const has = (text: string, word: string) => `search_form(${text}) like '%${word}%'`
const words = ['quillfeather', 'customer', 'xyzzyplugh', 'house']

test('invoices are the same by each way to find them', async () => {
  const orders = { made: 'i.id', due: `coalesce(i.due_date, 'infinity'), i.id`, amount: 'i.amount_due, i.id' }
  const filters: Record<string, string> = {
    'status=paid': `i.status = 'paid'`,
    'status=draft': `i.status = 'draft'`,
    'status=void': `i.status = 'void'`,
    'month=2026-03': `i.billed_month = '2026-03-01'`,
    'status=open&month=2026-03': `i.status = 'open' and i.billed_month = '2026-03-01'`,
    'status=void&search=quillfeather': `i.status = 'void' and i.search like '%quillfeather%'`,
    'status=paid&search=quillfeather': `i.status = 'paid' and i.search like '%quillfeather%'`,
    ...Object.fromEntries(words.map((word) => [`search=${word}`, `i.search like '%${word}%'`])),
  }
  for (const reader of readers)
    for (const [filter, condition] of Object.entries(filters))
      for (const [sort, keys] of Object.entries(orders)) {
        const down = keys.replaceAll(/, (?=i\.)|$/g, (end) => ` desc${end}`)
        const [order, reversed] = sort === 'due' ? [keys, down] : [down, keys]
        const mine = `${own(reader, 'i.company_id')} and ${condition}`
        await compare(
          reader,
          `/billing/invoices?sort=${sort}&${filter}`,
          'invoices',
          'invoices i',
          mine,
          order,
        )
        await compare(
          ...[reader, `/billing/invoices?sort=${sort}-reversed&${filter}`, 'invoices', 'invoices i'],
          ...([mine, reversed] as const),
        )
      }
})

test('credits are', async () => {
  for (const reader of readers)
    for (const word of words)
      for (const [state, left] of [
        ['', 'i.amount > i.used + i.refunded'],
        ['state=all&', 'true'],
      ]) {
        const condition = `${own(reader, 'i.company_id')} and ${left} and i.search like '%${word}%'`
        const path = `/billing/credits?${state}search=${word}`
        await compare(reader, path, 'credits', 'credits i', condition, 'i.id desc')
      }
})

test('installations with their plans are', async () => {
  const plan = `(select b from billing_plans b where b.installer_id = i.installer_id and b.installation_id = i.id)`
  const states: Record<string, string> = {
    '': 'true',
    'state=with': `(${plan}).kind is not null and (${plan}).ended_at is null`,
    'state=without': `(${plan}).kind is null`,
    'state=ended': `(${plan}).ended_at is not null`,
  }
  const searched = [...words, 'customer 8', 'diego customer', 'diego quill', 'house 07']
  const all = Object.entries(states)
  const compareAll = async (reader: Reader, some: typeof all) => {
    for (const [state, condition] of some)
      for (const word of ['', ...searched]) {
        const text = `i.name || ' ' || i.address || ' ' || coalesce((${plan}).customer->>'name', '')`
        const wanted = `${own(reader, 'i.company_id')} and ${condition} and ${has(text, word)}`
        const path = `/billing/plans?${state}${word ? `&search=${encodeURIComponent(word)}` : ''}`
        await compare(reader, path, 'installations', 'installations i', wanted, 'i.name, i.id')
      }
  }
  for (const reader of readers) await compareAll(reader, all)
  // A version before does not mark those that have a plan; they are marked when it is counted again.
  const { db, rows } = app.database
  const marked = async () => (await rows('select from installations where planned')).length
  const before = await marked()
  assert.ok(before > count / 2)
  await rows('update installations set planned = false')
  for (const reader of readers) await compareAll(reader, [['state=without', states['state=without']!]])
  await countAgain(db, AbortSignal.timeout(60_000))
  assert.equal(await marked(), before)
})

test('months that are not billed are', async () => {
  for (const reader of readers)
    await compare(
      ...([reader, '/billing/unbilled?limit=50', 'months'] as const),
      `(select m.installation_id as id, m.month, s.company_id from billing_months m join installations s
        on s.installer_id = m.installer_id and s.id = m.installation_id where m.state <> 'drafted') i`,
      own(reader, 'i.company_id'),
      'i.month desc, i.id desc',
      (row) => row['installationId']!,
    )
  const figures = { owner: [900, false], dealer: [100, true], newDealer: [20, false] } as const
  for (const reader of readers) {
    const { unbilled } = (await people.get(reader)!.get('/billing/summary')).body
    assert.deepEqual([unbilled.count, unbilled.orMore], figures[reader], reader)
  }
})

const ofSite = 'a.installer_id = i.installer_id and a.installation_id = i.id'
const rank = `array_position(array['low', 'medium', 'high', 'critical'], a.severity)`
const worst = `coalesce((select max(${rank}) from alerts a where ${ofSite} and a.status <> 'resolved'), 0)`

test('the fleet is', async () => {
  const open = `(select 1 from alerts a where ${ofSite} and a.status <> 'resolved' and a.type =`
  const filters: Record<string, string> = {
    'region=US-CA': `i.region = 'US-CA'`,
    'region=US-NM': `i.region = 'US-NM'`,
    'kind=anomaly': `exists ${open} 'anomaly')`,
    'kind=outage&region=US-AZ': `exists ${open} 'outage') and i.region = 'US-AZ'`,
    ...Object.fromEntries(words.map((word) => [`search=${word}`, has(`i.name || ' ' || i.address`, word)])),
  }
  const orders = {
    name: 'i.name, i.id',
    size: 'i.panels_kw desc, i.id desc',
    trouble: `${worst} desc, i.name, i.id`,
  }
  for (const reader of readers)
    for (const [filter, condition] of Object.entries(filters))
      for (const [sort, order] of Object.entries(orders)) {
        const mine = `${own(reader, 'i.company_id')} and ${condition}`
        const path = `/monitoring?sort=${sort}&${filter}`
        await compare(reader, path, 'installations', 'installations i', mine, order)
      }
  for (const reader of readers)
    for (const sort of Object.keys(orders)) {
      const first = async (word: string) =>
        (await people.get(reader)!.get(`/monitoring?sort=${sort}&search=${word}`)).body
      const [few, none, many] = [await first(words[0]!), await first('xyzzyplugh'), await first('house')]
      const [{ rare }] = (await app.database.rows(
        `select count(*)::int as rare from installations i where ${own(reader, 'i.company_id')} and ${has('i.name', words[0]!)}`,
      )) as [{ rare: number }]
      assert.deepEqual([few.installations.length, few.next], [rare, null], `${reader} ${sort}`)
      assert.deepEqual([none.installations, none.next], [[], null])
      if (reader !== 'newDealer') assert.ok(many.installations.length === 30 && many.next)
    }
})

const memberIds = () => ({ rep: tenant.repIds[0]!, newRep: tenant.memberIds.newRep })
const isOn = (
  memberId: string,
) => `exists (select from projects p join leads l on l.installer_id = p.installer_id and l.id = p.lead_id
  where p.installer_id = i.installer_id and p.id = i.project_id and l.sales_rep_id = '${memberId}')`

test('the fleet of a member is, be it much or little', async () => {
  const orders = {
    name: 'i.name, i.id',
    size: 'i.panels_kw desc, i.id desc',
    trouble: `${worst} desc, i.name, i.id`,
  }
  for (const member of members) {
    const memberId = memberIds()[member]
    const mine = isOn(memberId)
    for (const [sort, order] of Object.entries(orders))
      await compare(member, `/monitoring?sort=${sort}`, 'installations', 'installations i', mine, order)
    const [counted] = (await app.database.rows(
      `select array_agg(distinct region order by region) as regions, count(*)::int as installations,
         sum((select count(*) from alerts a where ${ofSite} and a.status <> 'resolved'))::int as alerts
       from installations i where ${mine}`,
    )) as [{ regions: string[]; installations: number; alerts: number }]
    assert.deepEqual((await people.get(member)!.get('/monitoring/summary')).body, {
      regions: counted.regions,
      installations: { count: counted.installations, orMore: false },
      alerts: { count: counted.alerts, orMore: false },
    })
    // As of one who is on many more.
    const scope = { installerId: tenant.installerId, companyId: null, memberId }
    const { installations, alerts } = await countOfMany(app.database.db, scope)
    const many = { count: 25, orMore: true }
    if (member === 'rep') assert.deepEqual([installations, alerts], [many, many])
    else {
      assert.ok(installations.orMore && installations.count <= counted.installations)
      assert.deepEqual(alerts, { count: counted.alerts, orMore: false })
    }
    const today = new Date().toISOString().slice(0, 10)
    const filters = [{}, { region: 'US-CA' }, { kind: 'outage' }, { kind: 'anomaly', search: 'a' }] as const
    for (const by of ['name', 'size', 'trouble'] as const)
      for (const filter of [...filters, { search: words[0]! }]) {
        const page = { ...scope, ...filter, by, reversed: false, today, after: null, limit: 60 }
        const found = await listFleet(app.database.db, page)
        const lookedFor = await listFleet(app.database.db, page, { mostOfMember: 1, most: 10 })
        assert.deepEqual(lookedFor, found, `${member} ${by} ${JSON.stringify(filter)}`)
      }
  }
})

test('outcomes of a run and quarantined readings are counted as far as they are shown', async () => {
  const owner = people.get('owner')!
  const { counts } = (await owner.get(`/billing/runs/job_${'1'.padStart(20, '0')}`)).body
  assert.deepEqual(counts, { drafted: 1_001, held: 450, failed: 20 })
  assert.equal((await owner.get('/quarantine')).body.total, 1_001)
  const [{ waiting }] = (await app.database.rows(
    `select count(*)::int as waiting from quarantined_readings where state = 'waiting' and company_id = $1`,
    [tenant.newDealerId],
  )) as [{ waiting: number }]
  assert.equal((await people.get('newDealer')!.get('/quarantine')).body.total, waiting)
})

test('of a member who is on very many, 2,000 installations are looked at for a page, and none is left out or comes twice', async () => {
  const { db } = app.database
  const today = new Date().toISOString().slice(0, 10)
  const { installerId } = tenant
  // As where so many have it that those in trouble are looked through.
  await app.database.rows(
    `insert into alert_counts (installer_id, company_id, status, severity, type, alerts)
     values ($1, 'another', 'active', 'high', 'outage', 5000)`,
    [installerId],
  )
  const orders: [by: 'name' | 'size' | 'trouble', reversed: boolean, order: string][] = [
    ['name', false, 'i.name, i.id'],
    ['name', true, 'i.name desc, i.id desc'],
    ['size', false, 'i.panels_kw desc, i.id desc'],
    ['size', true, 'i.panels_kw, i.id'],
    ['trouble', false, `${worst} desc, i.name, i.id`],
  ]
  const hasOutage = `exists (select from alerts a where ${ofSite} and a.status <> 'resolved' and a.type = 'outage')`
  const wanted: [filter: object, condition: string][] = [
    [{}, 'true'],
    [{ region: 'US-CA' }, `i.region = 'US-CA'`],
    [{ kind: 'outage' }, hasOutage],
    [{ search: 'house' }, 'true'],
    [{ search: words[0]!, region: 'US-NM' }, `i.region = 'US-NM'`],
    [{ companyId: installerId, region: 'US-AZ' }, `i.region = 'US-AZ' and i.company_id = '${installerId}'`],
  ]
  const idsOf = async (condition: string, order: string) => {
    const found = `select id from installations i where ${condition} order by ${order}`
    return (await app.database.rows<{ id: string }>(found)).map(({ id }) => id)
  }
  for (const [by, reversed, order] of orders) {
    const all = await idsOf('true', order)
    for (const [who, memberId] of Object.entries(memberIds()))
      for (const [filter, condition] of wanted) {
        const named = `${who} ${by} ${reversed} ${JSON.stringify(filter)}`
        const found: string[] = []
        let after = null
        let ended = 0
        do {
          const page: Parameters<typeof listFleet>[1] = {
            ...{ installerId, companyId: null, memberId, by, reversed, today, after, limit: 300, ...filter },
          }
          const { rows, reached } = await listFleet(db, page, { mostOfMember: 1, most: 1 })
          found.push(...rows.map(({ id }) => id))
          assert.ok(found.length <= count, named)
          const last = rows.length === 300 ? rows.at(-1)! : reached
          if (reached) {
            ended++
            assert.ok(rows.length < 300, named)
            if (condition === 'true')
              assert.equal(all.indexOf(reached.id) - (after ? all.indexOf(after.id) : -1), 2_000, named)
          }
          after = last && placeOf({ by }, last)
        } while (after)
        assert.deepEqual(found, await idsOf(`${isOn(memberId)} and ${condition}`, order), named)
        if (condition === 'true') assert.ok(who === 'rep' || ended === 4, `${named}: ${ended}`)
      }
  }
})

test('the place where such a page ended says nothing of what is another’s, and is of use to nobody else', async () => {
  const { newRep } = memberIds()
  await app.database.rows(
    `insert into leads (installer_id, id, company_id, product_line, status, created_at, updated_at, sales_rep_id, rendering)
     select $1, 'lead_x' || lpad(n::text, 19, '0'), $1, 'solar', 'new', now(), now(), $2, '{}'
     from generate_series(1, 30001) n`,
    [tenant.installerId, newRep],
  )
  const get = (reader: Reader, after = '') =>
    people.get(reader)!.get(`/monitoring?sort=name${after && `&after=${encodeURIComponent(after)}`}`)
  // Their names come last of all.
  const first = (await get('newRep')).body
  assert.deepEqual(first.installations, [])
  const [, , sealed, ...others] = first.next.split(':') as string[]
  assert.ok(sealed && others.length === 0 && first.next.startsWith('sealed:'), first.next)
  for (const told of [first.next, Buffer.from(sealed, 'base64url').toString('latin1')])
    assert.doesNotMatch(told, /inst_|house/i)
  assert.equal((await get('rep', first.next)).status, 400)
  const altered = `${first.next.slice(0, -3)}${first.next.endsWith('AAA') ? 'BBB' : 'AAA'}`
  assert.equal((await get('newRep', altered)).status, 400)
  assert.equal((await get('newRep', 'sealed:zzzzzzzz:'.padEnd(80, 'z'))).status, 400)
  const found: string[] = []
  for (let page = first; page.next; ) {
    page = (await get('newRep', page.next)).body
    found.push(...page.installations.map(({ id }: { id: string }) => id))
  }
  const theirs = await app.database.rows<{ id: string }>(
    `select id from installations i where ${isOn(newRep)} order by i.name, i.id`,
  )
  assert.ok(theirs.length > 0)
  assert.deepEqual(
    found,
    theirs.map(({ id }) => id),
  )
})
