import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, open, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { createInvoice } from '../../src/domain/billing/invoices/create-invoice.ts'
import { finalizeInvoice } from '../../src/domain/billing/invoices/finalize-invoice.ts'
import { findPlan } from '../../src/domain/billing/plans/plan-queries.ts'
import { writeNote } from '../../src/domain/deals/activities/write-note.ts'
import { findLeadDeal } from '../../src/domain/deals/changes/deal.ts'
import { updateLead } from '../../src/domain/deals/leads/update-lead.ts'
import { scopeOf } from '../../src/domain/kernel/context.ts'
import { eraseAgain } from '../../src/domain/operations/privacy/erase-again.ts'
import { eraseCustomer } from '../../src/domain/operations/privacy/erase-customer.ts'
import { type ErasureDeps, resumeErasures } from '../../src/domain/operations/privacy/finish-erasure.ts'
import { runNextRetention } from '../../src/domain/operations/privacy/run-retention.ts'
import { readZipNames } from '../../src/platform/contents/zip-directory.ts'
import { openWorkbook } from '../../src/platform/tables/xlsx-parts.ts'
import { type App, startApp } from '../support/app.ts'
import { type Actors, address, createWorld, lead, project, type World } from '../support/factories.ts'
import { plan, site } from '../support/invoices.ts'
import { addPerson, signedIn } from '../support/people.ts'
import { pdf } from '../support/sample-files.ts'

type Client = Awaited<ReturnType<typeof signedIn>>
const never = new AbortController().signal

describe('what is kept of a customer', () => {
  let app: App
  let world: World
  let admin: Client
  let dealerAdmin: Client
  let rep: Client
  let stranger: Client
  let folder: string
  let parts: ErasureDeps

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sunstead-privacy-'))
    app = await startApp({ env: { DATA_DIR: join(folder, 'data') } })
    world = await createWorld(app.database.db)
    const person = async (of: Actors, role: 'admin' | 'rep') =>
      signedIn(app, await addPerson(app, of.company.id, role))
    admin = await person(world.installer, 'admin')
    rep = await person(world.installer, 'rep')
    dealerAdmin = await person(world.dealer, 'admin')
    stranger = await person(world.other, 'admin')
    parts = {
      store: app.server.deps.copying.store,
      note: app.server.deps.noteErased,
    }
  })
  after(async () => {
    await app.stop()
    await rm(folder, { recursive: true, force: true })
  })

  const customer = { firstName: 'Ada', lastName: 'Moreno', email: 'ada@example.com', phone: '619 555 0100' }
  const rows = <T extends object>(text: string, values?: unknown[]) => app.database.rows<T>(text, values)
  const erasedAt = async (leadId: string) => {
    const [row] = await rows<{ at: Date | null }>('select erased_at as at from leads where id = $1', [leadId])
    return row!.at
  }
  const unzip = async (bytes: Uint8Array) => {
    const path = join(folder, 'archive.zip')
    await writeFile(path, bytes)
    const file = await open(path)
    try {
      const { part } = await openWorkbook(file, bytes.length)
      const names = await readZipNames(file, bytes.length)
      const read = async (name: string) => Buffer.concat(await Array.fromAsync(part(name))).toString('latin1')
      return Object.fromEntries(
        await Promise.all(names.map(async (name) => [name, await read(name)] as const)),
      )
    } finally {
      await file.close()
    }
  }

  test('is exported as one archive, with files and notes, by owners and admins alone', async () => {
    const { leadId, projectId } = await project(world.installer, customer)
    const other = await lead(world.installer, { ...customer, email: 'ADA@example.com', phone: null })
    await lead(world.dealer, customer)
    await writeNote(world.installer.as(), { lead: leadId }, { body: 'Likes tea', internal: true })
    await app.send('PUT', `/console/api/projects/${projectId}/files?folder=contract&name=signed.pdf`, {
      raw: pdf,
      headers: { cookie: admin.cookie, 'x-sunstead-console': '1' },
    })
    const shown = (await admin.get(`/leads/${leadId}/privacy`)).body
    assert.deepEqual([shown.files, shown.name, shown.others.length], [1, 'Ada Moreno', 1])
    assert.equal(shown.others[0].id, other)

    const alone = await admin.get(`/leads/${leadId}/privacy/archive`)
    assert.equal(alone.headers['content-type'], 'application/zip')
    assert.match(alone.headers['content-disposition']!, /^attachment/)
    const files = await unzip(alone.bytes)
    const told = JSON.parse(files['customer.json']!)
    assert.equal(told.lead.customer.email, 'ada@example.com')
    assert.equal(told.project.id, projectId)
    assert.ok(
      told.activities.some(
        (one: { text: string; internal: boolean }) => one.text === 'Likes tea' && one.internal,
      ),
    )
    assert.equal(files[told.files[0].path], pdf.toString('latin1'))
    const both = await unzip((await admin.get(`/leads/${leadId}/privacy/archive?others=yes`)).bytes)
    assert.ok(both[`${leadId}/customer.json`] && both[`${other}/customer.json`])

    for (const path of ['privacy', 'privacy/archive']) {
      assert.equal((await rep.get(`/leads/${leadId}/${path}`)).status, 404)
      assert.equal((await stranger.get(`/leads/${leadId}/${path}`)).status, 404)
      assert.equal((await dealerAdmin.get(`/leads/${leadId}/${path}`)).status, 404)
    }
    const logged = await rows<{ id: string }>(
      `select subject_id as id from events where type = 'customer.exported' order by at`,
    )
    assert.deepEqual(
      logged.map(({ id }) => id),
      [leadId, leadId, other],
    )
  })

  test('is erased by a dealer’s admin among its own leads, and by the installer’s among all', async () => {
    const own = await lead(world.dealer, customer)
    const theirs = await lead(world.installer, customer)
    const erase = (as: Client, id: string) =>
      as.call('POST', `/leads/${id}/erase`, { body: { name: 'ada moreno' } })
    assert.equal((await erase(dealerAdmin, theirs)).status, 404)
    assert.equal((await erase(stranger, own)).status, 404)
    assert.equal((await erase(dealerAdmin, own)).status, 200)
    assert.equal((await erase(admin, theirs)).status, 200)
    const logged = await rows<{ id: string; data: object; actor: string }>(
      `select subject_id as id, data, actor_name as actor from events where type = 'customer.erased' order by at`,
    )
    assert.deepEqual(logged, [
      { id: own, data: { name: own }, actor: 'The admin' },
      { id: theirs, data: { name: theirs }, actor: 'The admin' },
    ])
    const list = (await readFile(join(folder, 'data/erased-leads.ndjson'), 'utf8')).trim().split('\n')
    // A line may come twice.
    assert.deepEqual([...new Set(list.map((line) => JSON.parse(line).leadId))], [own, theirs])
  })

  test('does not come back with what is written at the same moment', async () => {
    const { leadId } = await project(world.installer, { ...customer, lastName: 'Racing' })
    const work = Array.from({ length: 12 }, (_, i) => [
      writeNote(world.installer.as(), { lead: leadId }, { body: `Racing note ${i}` }),
      updateLead(world.installer.as(), leadId, { notes: `Racing details ${i}` }),
    ]).flat()
    const erasing = eraseCustomer(
      { ...world.installer.as(), actor: { ...world.installer.as().actor, role: 'owner' } },
      parts,
      leadId,
    )
    await Promise.allSettled(work)
    await erasing
    const left = await rows(`select id from activities where lead_id = $1 and body like 'Racing%'`, [leadId])
    assert.deepEqual(left, [])
    const deal = await findLeadDeal(app.database.db, scopeOf(world.installer.as()), leadId)
    assert.equal(deal!.lead.notes, null)
  })

  test('is erased to the end by another process where one dies half-way', async () => {
    const leadId = await lead(world.installer, { ...customer, notes: 'Half-way' })
    const dying: ErasureDeps = {
      ...parts,
      get store(): never {
        throw new Error('the process dies')
      },
    }
    const ctx = { ...world.installer.as(), actor: { ...world.installer.as().actor, role: 'owner' as const } }
    await assert.rejects(eraseCustomer(ctx, dying, leadId), /dies/)
    assert.ok(await erasedAt(leadId), 'the record is erased first')
    const half = await rows(`select id from activities where lead_id = $1 and body = 'Half-way'`, [leadId])
    assert.equal(half.length, 1)
    assert.equal(await resumeErasures(app.database.db, parts, never), 0, 'it is taken over too soon')
    await rows(`update erasures set claimed_until = now() - interval '1 second' where lead_id = $1`, [leadId])
    assert.equal(await resumeErasures(app.database.db, parts, never), 1)
    assert.deepEqual(
      await rows(`select id from activities where lead_id = $1 and body = 'Half-way'`, [leadId]),
      [],
    )
    const [row] = await rows<{ person: unknown }>('select person from erasures where lead_id = $1', [leadId])
    assert.equal(row!.person, null, 'whom to look for is kept')
  })

  test('opens the log to nothing else', async () => {
    const leadId = await lead(world.installer, customer)
    const untouched = await lead(world.installer, customer)
    // Both where the tenant's log is.
    const { installerId } = world.installer.company
    const of = 'where installer_id = $1'
    const allow = `select set_config('sunstead.erased_lead', $2, true) from tenant_clocks ${of}`
    const change = (setting: string, set: string, leadId: string) =>
      app.database.db.transaction(async (tx) => {
        const update = `update events set ${set} ${of} and lead_id = $2`
        await tx.query({ name: '', tenant: true, text: allow }, [installerId, setting])
        await tx.query({ name: '', tenant: true, text: update }, [installerId, leadId])
      })
    const refused = /only added to/
    await assert.rejects(change(leadId, `changes = '{}'`, leadId), refused, 'of one who is not erased')
    await admin.call('POST', `/leads/${leadId}/erase`, { body: { name: 'Ada Moreno' } })
    await change(leadId, `changes = '{}'`, leadId)
    await assert.rejects(change(leadId, `changes = '{}'`, untouched), refused, 'of another lead')
    await assert.rejects(change(leadId, `actor_name = 'Nobody'`, leadId), refused, 'of who did it')
    await assert.rejects(rows('delete from events where lead_id = $1', [leadId]), refused)
  })

  test('is erased again from the list after a restore, whoever sold to them and whatever billed them', async () => {
    const leadId = await lead(world.installer, customer)
    const { leadId: sold } = await project(world.dealer, { ...customer, email: 'sold@example.com' })
    const home = await site(app.database, world.dealer)
    await plan(world.dealer, home, {
      customer: { name: 'Ada Moreno', email: 'sold@example.com', address: null },
    })
    const { db, directories, actor } = world.installer.as()
    const { installerId } = actor
    const line = (id: string, companyId: string) =>
      JSON.stringify({ installerId, companyId, leadId: id, reason: 'request' })
    const list = [
      line(leadId, installerId),
      line(sold, world.dealer.company.id),
      line('lead_gone00000000', installerId),
      // Of another installer: it reaches nobody.
      line(sold, installerId).replaceAll(installerId, world.other.company.id),
      '{"lea',
    ]
    const text = list.join('\n')
    assert.deepEqual(await eraseAgain(db, directories, parts, text), {
      listed: 4,
      erased: 2,
      erasedBefore: 0,
      missing: 2,
    })
    assert.ok((await erasedAt(leadId)) && (await erasedAt(sold)))
    assert.equal(await findPlan(db, { installerId, installationId: home }), null)
    assert.deepEqual(await eraseAgain(db, directories, parts, text), {
      listed: 4,
      erased: 0,
      erasedBefore: 2,
      missing: 2,
    })
  })

  test('is not erased by a dealer once they have bought, and the dealer is not offered it', async () => {
    const { leadId: sold, projectId } = await project(world.dealer, customer)
    const open = await lead(world.dealer, customer)
    const can = async (of: Client, id: string) => {
      const { export: mayExport, erase } = (await of.get(`/leads/${id}`)).body.can
      return [mayExport, erase]
    }
    assert.deepEqual(await can(dealerAdmin, sold), [true, false])
    assert.deepEqual(await can(dealerAdmin, open), [true, true])
    assert.deepEqual(await can(admin, sold), [true, true])
    const refused = await dealerAdmin.call('POST', `/leads/${sold}/erase`, { body: { name: 'Ada Moreno' } })
    assert.equal(refused.status, 403)
    assert.equal(
      (await admin.call('POST', `/leads/${sold}/erase`, { body: { name: 'Ada Moreno' } })).status,
      200,
    )
    assert.deepEqual(await can(admin, sold), [false, false])
    // What the page then offers is what still goes on.
    const shown = (await admin.get(`/projects/${projectId}`)).body
    assert.deepEqual(shown.can, { run: true, write: false, upload: false, renewLinks: false })
    assert.ok(shown.erasedAt)
    assert.deepEqual(
      shown.folders.filter(({ adds }: { adds: boolean }) => adds),
      [],
    )
    assert.equal((await admin.get(`/leads/${open}/sale`)).status, 200)
    await admin.call('POST', `/leads/${open}/erase`, { body: { name: 'Ada Moreno' } })
    assert.equal((await admin.get(`/leads/${open}/sale`)).status, 400)
  })

  test('is erased from bills of the installer for what a dealer sold them', async () => {
    const told = async (name: string, of: Actors, billed: object) => {
      const invoice = await createInvoice(of.as(), {
        customer: { name, email: null, address: null, ...billed },
        lineItems: [{ description: `Inspection for ${name}`, quantity: '1', unit: 'h', unitPrice: '90' }],
      })
      return (await finalizeInvoice(of.as(), invoice.id)).id
    }
    const nameOn = async (id: string) =>
      (await rows<{ name: string }>(`select customer->>'name' as name from invoices where id = $1`, [id]))[0]
        ?.name
    const { installer, dealer } = world
    const street = { ...address, line1: '7 Lone Ln' }
    const { leadId } = await project(dealer, {
      firstName: 'Ilse',
      lastName: 'Buyer',
      email: 'ilse@example.com',
      address: street,
    })
    const theirs = [
      await told('Ilse Buyer', installer, { email: 'ILSE@example.com' }),
      await told('Ilse Buyer', installer, { address: '7 Lone Ln, San Diego, CA 92101' }),
      await told('Ilse Buyer', dealer, { email: 'ilse@example.com' }),
    ]
    const others = [
      await told('Ilse Buyer', installer, { address: '8 Other St, San Diego, CA 92101' }),
      await told('Ivo Buyer', installer, { address: '7 Lone Ln, San Diego, CA 92101' }),
      await told('Ilse Buyer', installer, { email: 'another@example.com' }),
    ]
    const shown = async (client: Client) => (await client.get(`/leads/${leadId}/privacy`)).body.invoices
    assert.deepEqual([await shown(admin), await shown(dealerAdmin)], [3, 1])
    const archive = await unzip((await admin.get(`/leads/${leadId}/privacy/archive`)).bytes)
    assert.equal(JSON.parse(archive['customer.json']!).invoices.length, 3)

    // A lead that a dealer erases by itself reaches no further than the dealer's own books.
    const prospect = await lead(dealer, { firstName: 'Ilse', lastName: 'Buyer', email: 'ilse@example.com' })
    await eraseCustomer(dealer.as(), parts, prospect)
    assert.deepEqual(await Promise.all(theirs.map(nameOn)), ['Ilse Buyer', 'Ilse Buyer', 'Erased customer'])

    await eraseCustomer(installer.as(), parts, leadId)
    assert.deepEqual(new Set(await Promise.all(theirs.map(nameOn))), new Set(['Erased customer']))
    assert.deepEqual(await Promise.all(others.map(nameOn)), ['Ilse Buyer', 'Ivo Buyer', 'Ilse Buyer'])
    const left = await rows(
      `select from events where subject_id = any($1) and data::text || changes::text ilike any(array['%ilse%', '%lone ln%'])`,
      [theirs],
    )
    assert.equal(left.length, 0)
  })

  test('goes after the time that its company set, and not before', async () => {
    const months = (count: number) => new Date(Date.now() - count * 31 * 86_400_000).toISOString()
    const old = await lead(world.dealer, { ...customer, lastName: 'Old' })
    const fresh = await lead(world.dealer, { ...customer, lastName: 'Fresh' })
    const { leadId: sold } = await project(world.dealer, { ...customer, lastName: 'Sold' })
    const others = await lead(world.installer, { ...customer, lastName: 'Others' })
    for (const [n, id] of [old, sold, others].entries())
      await rows('update leads set updated_at = $1 where id = $2', [months(8 + n), id])
    const { installerId, id: companyId } = world.dealer.company
    await rows(
      `insert into mails (installer_id, id, company_id, to_address, subject, body, created_at, state, next_attempt_at)
        select $1, 'mail_' || d.id, $2, 'x@example.com', 'Hello', 'Body', d.at, 'sent', d.at
        from unnest(array['old', 'new'], array[$3::timestamptz, now()]) as d(id, at)`,
      [installerId, companyId, months(8)],
    )
    const rule = { unsoldMonths: 6, mailMonths: 6, requestDays: 3, keepInvoiceNames: true }
    const { keepInvoiceNames, ...asked } = rule
    const preview = (await dealerAdmin.call('POST', '/retention/preview', { body: asked })).body
    assert.deepEqual([preview.leads, preview.mails, preview.calls], [1, 1, 0])
    const run = (now = new Date()) => runNextRetention({ ...world.dealer.as(), ...parts }, now, never)
    assert.equal(await run(), null, 'nothing is kept for a time before somebody says so')

    assert.equal((await dealerAdmin.call('PUT', '/retention', { body: { ...rule, version: 0 } })).status, 200)
    const stale = await dealerAdmin.call('PUT', '/retention', {
      body: { ...rule, unsoldMonths: 1, version: 0 },
    })
    assert.equal(stale.status, 400)
    assert.deepEqual(await run(), { companyId, leads: 1, mails: 1, calls: 0 })
    assert.deepEqual(
      [await erasedAt(old), await erasedAt(fresh), await erasedAt(sold), await erasedAt(others)].map(Boolean),
      [true, false, false, false],
    )
    const mails = await rows(
      `select id, body, subject from mails where company_id = $1 and id like 'mail____' order by id`,
      [companyId],
    )
    assert.deepEqual(mails, [
      { id: 'mail_new', body: 'Body', subject: 'Hello' },
      { id: 'mail_old', body: '', subject: 'Hello' },
    ])
    assert.equal(await run(), null, 'once a day is enough')
    const shown = (await dealerAdmin.get('/retention')).body
    assert.deepEqual([shown.leadsErased, shown.mailsCleared, shown.version], [1, 1, 1])
    assert.ok(await run(new Date(Date.now() + 25 * 3_600_000)), 'a day later it is gone by again')
    const logged = await rows<{ changes: object }>(
      `select changes from events where type = 'retention.changed'`,
    )
    assert.deepEqual(logged, [
      {
        changes: {
          unsoldMonths: [null, 6],
          mailMonths: [null, 6],
          requestDays: [null, 3],
          keepInvoiceNames: [false, true],
        },
      },
    ])
  })

  test('is exported and erased on the command line', async () => {
    const leadId = await lead(world.installer, { ...customer, lastName: 'Shell' })
    const company = world.installer.company.id
    const run = (...words: string[]) =>
      promisify(execFile)(process.execPath, ['src/main.ts', 'customer', ...words], {
        env: {
          ...process.env,
          DATABASE_URL: app.database.url,
          DATA_DIR: join(folder, 'data'),
          BASE_URL: app.url,
        },
      })
    const to = join(folder, 'handed-out')
    await run('export', '--company', company, '--lead', leadId, '--to', to)
    assert.deepEqual((await readdir(to)).toSorted(), ['README.txt', 'customer.json', 'manifest.json'])
    assert.equal(
      JSON.parse(await readFile(join(to, 'customer.json'), 'utf8')).lead.customer.lastName,
      'Shell',
    )
    const dry = JSON.parse(
      (await run('erase', '--company', company, '--lead', leadId, '--dry-run', '--json')).stdout,
    )
    assert.equal(dry.name, 'Ada Shell')
    assert.equal(await erasedAt(leadId), null)
    await run('erase', '--company', company, '--lead', leadId, '--yes')
    assert.ok(await erasedAt(leadId))
    const again = await run('erase', '--again-after-restore', '--json')
    assert.equal(JSON.parse(again.stdout).erased, 0)
  })
})
