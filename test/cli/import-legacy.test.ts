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
  assert.match(await said([...own.slice(0, 2), '--org-id', ' ']), /must not be empty/)
  const at = async (address: string) => {
    const { stderr } = await sunstead(['import', 'legacy', ...own, '--base-url', address], env)
    assert.equal(stderr.trimEnd().split('\n').length, 1, stderr)
    return stderr
  }
  const letThrough = (host: string) =>
    new RegExp(
      `If this address is meant, let it through with OUTBOUND_TRUSTED_HOSTS=${RegExp.escape(host)}\\.`,
    )
  const plain = await at('http://old.example.com/legacy')
  assert.match(plain, /--base-url must begin with https:\/\/\. /)
  assert.match(plain, letThrough('old.example.com:80'))
  const byNumber = await at('https://10.0.0.1:8443/x')
  assert.match(byNumber, /must not hold an IP address/)
  assert.match(byNumber, letThrough('10.0.0.1:8443'))
  assert.match(await at('https://crm.internal/legacy'), letThrough('crm.internal:443'))
  const never = await at('https://me:secret@old.example.com/legacy')
  assert.match(never, /must not hold a user name/)
  assert.doesNotMatch(never, /OUTBOUND_TRUSTED_HOSTS/)
  assert.match(await at(`${source.url}/legacy?key=1`), /must not hold a question mark/)
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
  const wrongKey =
    /answered 401\. The old server refuses the key: give a good one in LEGACY_KEY, or with --key\. .+\n$/
  assert.match(refused.stderr, wrongKey)
  // Nothing else is asked for where the key opens nothing.
  const unnamed = await sunstead([...base, ...own.slice(0, 2)], env)
  assert.equal(unnamed.code, 2)
  assert.match(unnamed.stderr, wrongKey)
  status = 403
  const shut = await sunstead([...base, ...own], env)
  assert.equal(shut.code, 2)
  assert.match(
    shut.stderr,
    /gives none of the lists: .*answered 403\. Check --base-url, the key, and --installer-id or/,
  )
  status = 200
})

test('the same records of the same server are one source, however they are named', async () => {
  let account: object | null = null
  const elsewhere = await startLegacySource((operation, _query, response) => {
    if (operation === 'me' && account === null) return void response.writeHead(404).end('{}')
    return operation === 'me' ? { company: account } : { data: [] }
  })
  const hosts = {
    ...env,
    OUTBOUND_TRUSTED_HOSTS: `${elsewhere.host},${elsewhere.host.replace('127.0.0.1', 'localhost')}`,
  }
  const run = async (address: string, scope: string[]) => {
    const company = ['--company', dealer.company.id]
    const { code, stderr } = await sunstead(
      ['import', 'legacy', '--base-url', address, ...company, ...scope, '--no-files'],
      hosts,
    )
    assert.equal(code, 0, stderr)
  }
  const sources = () =>
    database.rows<{ scope: string; walk: number }>(
      `select scope, walk from legacy_sources where company_id = $1 order by scope`,
      [dealer.company.id],
    )
  const local = elsewhere.url.replace('127.0.0.1', 'localhost')
  await run(`${local}/legacy`, ['--org-id', '7'])
  for (const address of [
    `${local}/legacy/`,
    `${local.replace('localhost', 'LOCALHOST')}/legacy//`,
    `${local}/legacy?`,
  ])
    await run(address, ['--org-id', ' 007'])
  assert.deepEqual(await sources(), [{ scope: 'org_id=7', walk: 4 }])
  account = { id: 'comp_old', kind: 'installer', orgId: 1001 }
  for (const scope of [
    [],
    ['--installer-id', '1001'],
    ['--installer-id', '01001'],
    ['--installer-id', 'comp_old'],
  ])
    await run(`${local}/legacy`, scope)
  assert.deepEqual(await sources(), [
    { scope: 'installer_id=comp_old', walk: 4 },
    { scope: 'org_id=7', walk: 4 },
  ])
  await run(`${local}/legacy`, ['--installer-id', '1002'])
  assert.equal((await sources()).length, 3)
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
