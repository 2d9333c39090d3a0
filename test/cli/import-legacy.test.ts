import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sunstead } from '../support/commands.ts'
import { createTestDatabase } from '../support/database.ts'
import { createWorld } from '../support/factories.ts'
import { type Fields, legacyLead, startLegacySource } from '../support/legacy-source.ts'
import { temporaryFolder } from '../support/process.ts'

const database = await createTestDatabase()
const { installer, dealer } = await createWorld(database.db)
const folder = await temporaryFolder()
after(async () => {
  await database.drop()
  await folder.remove()
})

const key = 'old-key-0123456789'
let status = 200
const lists: Record<string, Fields[]> = {
  fetch_all_lead: [legacyLead('DEALERS001')],
  fetch_all_lead_installer: [
    legacyLead('DEALERS001'),
    legacyLead('OWNLEAD001'),
    { ...legacyLead('x'), id: '' },
  ],
}
const source = await startLegacySource((operation, query, response) => {
  if (status !== 200) return void response.writeHead(status, { 'retry-after': '9999' }).end('{}')
  if (operation === 'me') return void response.writeHead(404).end('{}')
  return { data: query.get('page') === '1' ? (lists[operation] ?? []) : [] }
})
const env = {
  DATABASE_URL: database.url,
  DATA_DIR: folder.path,
  OUTBOUND_TRUSTED_HOSTS: source.host,
  LEGACY_KEY: key,
}
const base = ['import', 'legacy', '--base-url', `${source.url}/legacy`]
const own = ['--company', String(installer.company.number), '--installer-id', '1001']
const companies = () =>
  database.rows<{ reference: string; company: string }>(
    'select reference, company_id as company from leads order by reference',
  )

test('what is wrong with the call is said, and the key never', async () => {
  const said = async (more: string[], environment: Record<string, string> = env) => {
    const { code, stderr, stdout } = await sunstead([...base, ...more], environment)
    assert.notEqual(code, 0)
    assert.doesNotMatch(stderr + stdout, new RegExp(key))
    return stderr
  }
  const { LEGACY_KEY: _, ...without } = env
  assert.match(await said(own, without), /Give the key of the old server in LEGACY_KEY/)
  assert.match(await said(['--installer-id', '1001']), /several companies here. Say which one with --company/)
  assert.match(await said(['--company', '999999', '--org-id', '1']), /There is no company 999999/)
  assert.match(await said(own.slice(0, 2)), /Say whose records to read with --installer-id or --org-id/)
  assert.match(await said([...own, '--org-id', '7']), /either --installer-id or --org-id, not both/)
  const elsewhere = ['import', 'legacy', ...own, '--base-url']
  const refused = await sunstead([...elsewhere, 'http://old.example.com/legacy'], env)
  assert.match(refused.stderr, /--base-url must begin with https/)
  assert.match(
    (await sunstead([...elsewhere, 'https://10.0.0.1/x'], env)).stderr,
    /must not hold an IP address/,
  )
})

test('a server that is down or refuses the key: exit code 2, and the same command goes on', async () => {
  status = 503
  const down = await sunstead([...base, ...own], env)
  assert.equal(down.code, 2)
  assert.match(
    down.stderr,
    /answered 503 and asks to wait for 9999 s. What came stays; the same command goes on/,
  )
  status = 401
  const refused = await sunstead([...base, ...own], env)
  assert.equal(refused.code, 2)
  assert.match(refused.stderr, /refuses the key \(401\)/)
  status = 200
})

test('what the old server says is printed without signs that a terminal obeys', async () => {
  const hostile = '\x1b]0;PWNED\x07\x1b[31mred\x9b2J\u202e'
  const elsewhere = await startLegacySource((operation, query, response) => {
    if (operation === 'fetch_all_adders') return [{ name: hostile }]
    if (operation === 'fetch_all_panel') return [{ model: hostile }]
    if (operation === 'fetch_all_lead_hi_installer')
      return void response
        .writeHead(400, { 'content-type': 'application/json' })
        .end(JSON.stringify({ message: hostile }))
    if (operation !== 'fetch_all_lead_installer' || query.get('page') !== '1') return []
    return [legacyLead('ESCAPES001', { leadStatus: hostile, salesRepEmail: hostile })]
  })
  const args = ['import', 'legacy', '--base-url', elsewhere.url, ...own, '--dry-run']
  for (const json of [[], ['--json']]) {
    const hosts = { ...env, OUTBOUND_TRUSTED_HOSTS: elsewhere.host }
    const { stdout, stderr } = await sunstead([...args, ...json], hosts)
    const said = stdout + stderr
    for (const place of ['fetch_all_adders', 'fetch_all_panel', 'fetch_all_lead_hi_installer', 'leadStatus'])
      assert.match(said, new RegExp(place))
    assert.match(said, /PWNED \[31mred/)
    assert.doesNotMatch(said, /[^\P{Cc}\n]|\p{Cf}|\\u00/u)
  }
})

test('a dealer’s records stay its own when the installer’s follow; what did not come is exit code 1', async () => {
  const first = await sunstead([...base, '--company', dealer.company.id, '--org-id', '2002'], env)
  assert.equal(first.code, 0, first.stderr)
  assert.match(first.stdout, /lead solar\s+1 new, 0 changed, 0 as before, 0 did not come/)
  const { code, stdout, stderr } = await sunstead([...base, ...own], env)
  assert.equal(code, 1)
  assert.match(stdout, /lead solar\s+1 new, 0 changed, 1 as before, 1 did not come/)
  assert.match(stderr, /lead \(no id\) \w+: the lead did not come: the list gives no id for it/)
  assert.deepEqual(await companies(), [
    { reference: 'DEALERS001', company: dealer.company.id },
    { reference: 'OWNLEAD001', company: installer.company.id },
  ])
  assert.deepEqual([...source.keys], [`Bearer ${key}`])
})
