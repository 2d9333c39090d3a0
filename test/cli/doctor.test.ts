import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { after, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { migrate } from '../../src/platform/migrate.ts'
import { startApp } from '../support/app.ts'
import { sunstead } from '../support/commands.ts'
import { dropDatabase, onServer, secretKey, templateName, withDatabase } from '../support/database.ts'
import { checkRollUps, send } from '../support/energy.ts'
import { createWorld } from '../support/factories.ts'
import { invoiceIn } from '../support/invoices.ts'
import { installation, panel } from '../support/panels.ts'
import { root, userEnvironment } from '../support/process.ts'
import { startRedis, withoutRedis } from '../support/redis-server.ts'
import { webhookIn } from '../support/watched.ts'

const app = await startApp()
const { rows } = app.database
const { installer, dealer } = await createWorld(app.database.db)

const roof = await installation(app, installer, { timezone: 'America/Los_Angeles' })
const wing = await installation(app, dealer, { timezone: 'Europe/Berlin' })
const panels = [
  await panel(app, installer, roof),
  await panel(app, installer, roof),
  await panel(app, dealer, wing),
]
// Over the day on which clocks are changed in America, and from before the last month.
const hours = 45 * 24
for (const panel_id of panels) {
  const readings = Array.from({ length: hours }, (_, i) => ({
    panel_id,
    timestamp: new Date(Date.UTC(2026, 1, 1) + i * 3_600_000).toISOString(),
    kwh: (i % 24) / 100,
  }))
  assert.equal((await send(app, installer.key, readings)).accepted, hours)
}
await invoiceIn(app, installer.key, 'paid')
// What a panel that is gone made is in its installation's days.
await app.call('DELETE', `/catalog/v1/panels/${panels[1]}`, { key: installer.key })

const doctor = (...options: string[]) => doctorWith({}, ...options)

async function doctorWith(env: Record<string, string>, ...options: string[]) {
  const { code, stdout } = await sunstead(['doctor', '--json', ...options], {
    DATABASE_URL: app.database.url,
    STORAGE_URL: `file:${app.dataDir}/files`,
    ...env,
  })
  const findings = JSON.parse(stdout) as { check: string; result: string; detail: string }[]
  return { code, of: (check: string) => findings.find((finding) => finding.check === check)! }
}

test('all is well: counts and days are what they count', async () => {
  const { code, of } = await doctor()
  assert.equal(code, 0, JSON.stringify(of('energy')))
  assert.match(of('counts').detail, /^those of 2 installers are right$/)
  assert.match(of('energy').detail, /^\d+ days of 2 installations \(a sample; --energy checks all\)$/)
  const all = (await doctor('--energy')).of('energy')
  assert.match(all.detail, /all there are/)
  // 46 or 47 days of three panels and two installations, by the clocks of both.
  assert.ok(Number.parseInt(all.detail, 10) > 220, all.detail)
})

test('a Redis that is away is told, with the reason', async () => {
  assert.equal((await doctor()).of('limits'), undefined)
  const { code, of } = await doctorWith({ REDIS_URL: 'redis://127.0.0.1:1', SECRET_KEY: secretKey })
  assert.equal(code, 1)
  assert.equal(of('limits').result, 'PROBLEM')
  assert.match(
    of('limits').detail,
    /^Redis is away \(connect ECONNREFUSED 127.0.0.1:1\); each host limits for itself$/,
  )
})

test('one that is there is well, unless nothing can be written to it', { skip: withoutRedis }, async () => {
  const redis = await startRedis()
  const env = { REDIS_URL: redis.url, SECRET_KEY: secretKey }
  const { code, of } = await doctorWith(env)
  assert.deepEqual([code, of('limits').detail], [0, 'shared by Redis'])
  await redis.ask('CONFIG', 'SET', 'maxmemory', '1')
  assert.match((await doctorWith(env)).of('limits').detail, /^Redis is away \(.*OOM/)
})

for (const [table, spoil, said] of [
  ['panel_counts', `panels = panels + 1 where status = 'active'`, 'active: 2, counted 1'],
  ['installation_counts', 'installations = 7', 'US-CA: 7, counted 1'],
  ['invoice_counts', `invoices = 3 where status = 'paid'`, 'paid: 3, counted 1'],
  ['invoice_sums', `paid = paid + 1 where status = 'paid'`, '1 136.50 137.50, counted 1 136.50 136.50'],
  ['installations', `panels_kw = panels_kw + 1`, `panels of ${roof}: 1 of 1.42 kW, counted 1 of 0.42 kW`],
  ['installations', `worst = 3`, `worst alert and last day of ${roof}: 3 2026-`],
  ['installations', `panel_count = 9`, `panels of ${wing}: 9 of 0.42 kW, counted 1 of 0.42 kW`],
] as const) {
  test(`${table} that is not right is named, and mended: ${spoil.split(' ')[0]}`, async () => {
    await rows(`update ${table} set ${spoil}`)
    const { code, of } = await doctor()
    assert.deepEqual([code, of('counts').result], [1, 'PROBLEM'])
    assert.ok(of('counts').detail.includes(said), of('counts').detail)
    assert.match(of('counts').detail, /run "sunstead doctor --mend"/)
    assert.match((await doctor('--mend')).of('counts').detail, /^[12] mended$/)
    assert.equal((await doctor()).code, 0)
  })
}

test('kept totals of deliveries and of quarantined readings are named and mended', async () => {
  const { webhookId } = await webhookIn(app.database, installer)
  await rows(`update webhooks set counted_at = '-infinity', deliveries_failed = 3 where id = $1`, [webhookId])
  await rows('update quarantine_totals set readings = 4 where company_id = $1', [installer.company.id])
  const { detail } = (await doctor()).of('counts')
  assert.match(detail, /^2 are wrong/)
  assert.ok(detail.includes(`quarantine_totals of ${installer.company.id}: 4, counted 0`), detail)
  assert.ok(
    detail.includes(
      `deliveries to ${webhookId}: 0 due 0 delivered 3 failed, counted 0 due 0 delivered 1 failed`,
    ),
    detail,
  )
  await doctor('--mend')
  assert.equal((await doctor()).code, 0)
  const list = await app.get(`/catalog/v1/webhooks/${webhookId}/deliveries`, installer.key)
  assert.equal(list.body.meta.total, 1)
  assert.equal((await app.get('/catalog/v1/monitoring/quarantine', installer.key)).body.meta.total, 0)
})

test('a count that is missing, and one of nothing, are found and mended', async () => {
  await rows('delete from panel_counts where company_id = $1', [dealer.company.id])
  await rows(`insert into alert_counts values ($1, $1, 'active', 'high', 'outage', 4)`, [
    installer.company.id,
  ])
  const { detail } = (await doctor()).of('counts')
  assert.match(detail, /^2 are wrong/)
  assert.ok(detail.includes(`panel_counts of ${dealer.company.id} active: 0, counted 1`), detail)
  assert.ok(
    detail.includes(`alert_counts of ${installer.company.id} active high outage: 4, counted 0`),
    detail,
  )
  await doctor('--mend')
  assert.equal((await doctor()).code, 0)
  assert.equal((await app.get('/catalog/v1/panels', dealer.key)).body.meta.total, 1)
})

for (const [what, spoil, id] of [
  [
    'a sum',
    `update panel_days set microkwh = microkwh + 1 where panel_id = $1 and day = '2026-03-08'`,
    panels[0],
  ],
  [
    'an hour',
    `update panel_days set hours[3] = hours[3] + 1 where panel_id = $1 and day = '2026-03-08'`,
    panels[0],
  ],
  [
    'a count of readings',
    `update panel_days set readings = 1 where panel_id = $1 and day = '2026-03-08'`,
    panels[0],
  ],
  ['a missing day', `delete from panel_days where panel_id = $1 and day = '2026-03-08'`, panels[0]],
  [
    'an installation’s sum',
    `update installation_days set microkwh = 5 where installation_id = $1 and day = '2026-03-08'`,
    roof,
  ],
  [
    'a count of panels',
    `update installation_days set panels = 1 where installation_id = $1 and day = '2026-03-08'`,
    roof,
  ],
] as const) {
  test(`${what} of a day that is not what its readings say is named, and mended`, async () => {
    await rows(spoil, [id])
    const { code, of } = await doctor()
    assert.deepEqual([code, of('energy').result], [1, 'PROBLEM'])
    assert.ok(of('energy').detail.includes(`1 wrong (${id} on 2026-03-08: `), of('energy').detail)
    assert.match((await doctor('--mend')).of('energy').detail, /, 1 mended$/)
    assert.equal((await doctor('--energy')).code, 0)
    await checkRollUps(app.database)
  })
}

test('what is further back is found only where all is checked', async () => {
  await rows(`update panel_days set readings = 1 where panel_id = $1 and day = '2026-02-02'`, [panels[2]])
  assert.equal((await doctor()).code, 0)
  const { code, of } = await doctor('--energy')
  assert.equal(code, 1)
  assert.match(
    of('energy').detail,
    new RegExp(`${panels[2]} on 2026-02-02: .* of 1 readings, counted .* of 24`),
  )
  assert.match((await doctor('--energy', '--mend')).of('energy').detail, /, 1 mended$/)
})

test('Ctrl-C ends it with what was found by then', async () => {
  // Whoever mends waits for those who write readings: here for us.
  const held = Promise.withResolvers<void>()
  const holding = app.database.db.transaction(async (tx) => {
    await tx.query({ name: '', text: 'select id from installations for update' }, [])
    await held.promise
  })
  const child = spawn(process.execPath, ['bin/sunstead.js', 'doctor', '--json', '--energy', '--mend'], {
    cwd: root,
    env: userEnvironment({
      DATABASE_URL: app.database.url,
      STORAGE_URL: `file:${app.dataDir}/files`,
    }),
  })
  const output = child.stdout.toArray()
  const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  while ((await rows(waiting)).length === 0) await setImmediate()
  child.kill('SIGINT')
  held.resolve()
  await holding
  const ended = once(child, 'exit')
  const findings = JSON.parse(Buffer.concat(await output).toString()) as { check: string; detail: string }[]
  assert.deepEqual(await ended, [0, null])
  const { detail } = findings.find(({ check }) => check === 'energy')!
  assert.match(detail, /days of 1 installations \(stopped before the end\)$/)
})

test('a day that has lost readings is told, and nothing of it is taken back', async () => {
  await rows(`delete from readings where panel_id = $1 and at >= '2026-03-10' and at < '2026-03-12'`, [
    panels[2],
  ])
  const days =
    'select installer_id, panel_id, day, microkwh, readings, hours from panel_days union all select installer_id, installation_id, day, microkwh, readings, hours from installation_days order by 1, 2, 3'
  const before = await rows(days)
  const { of } = await doctor('--mend')
  assert.match(of('energy').detail, new RegExp(`${panels[2]} on 2026-03-11: .* counted no readings`))
  assert.match(of('energy').detail, /bring the readings back/)
  assert.deepEqual(await rows(days), before)
})

test('a database that does not know all letters is told of, and what to do about it', async () => {
  const locales = {
    "locale_provider libc locale 'C'": /knows capitals of A to Z alone.* UTF-8 LC_CTYPE .*restore it there$/,
    "locale_provider builtin builtin_locale 'C.UTF-8' lc_collate 'C' lc_ctype 'C'":
      /words in other letters than A to Z are in no index.* UTF-8 LC_CTYPE .*restore it there$/,
  }
  for (const [locale, words] of Object.entries(locales)) {
    const name = templateName()
    after(() => dropDatabase(name))
    await onServer(`create database ${name} template template0 encoding 'UTF8' ${locale}`)
    const url = withDatabase(app.database.url, name)
    await migrate(url)
    const { result, detail } = (await doctorWith({ DATABASE_URL: url })).of('database')
    assert.deepEqual([result, detail.slice(0, 19)], ['ok', 'reachable, migrated'])
    assert.match(detail, words)
  }
  assert.equal((await doctor()).of('database').detail, 'reachable, migrated')
})
