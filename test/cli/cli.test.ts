import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { sunstead } from '../support/commands.ts'
import { type ServerProcess, startProcess, temporaryFolder } from '../support/process.ts'

const folder = await temporaryFolder()
const env = { DATA_DIR: join(folder.path, 'data'), DEMO: '0' }
let server: ServerProcess | null = null
after(async () => {
  await server?.end('SIGTERM')
  await folder.remove()
})

async function json<T>(...args: string[]): Promise<T> {
  const { code, stdout, stderr } = await sunstead([...args, '--json'], env)
  assert.equal(code, 0, stderr)
  return JSON.parse(stdout) as T
}

interface Company {
  id: string
  orgId: number
  kind: string
  status: string
  installerId: string
}

interface Key {
  id: string
  key: string
  prefix: string
  revokedAt: string | null
  expiresAt: string | null
}

async function statusWith(key: string, path = '/v1/me', method = 'GET', body?: object): Promise<number> {
  const headers = { authorization: `Bearer ${key}`, ...(body ? { 'content-type': 'application/json' } : {}) }
  const init = { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) }
  return (await fetch(server!.url + path, init)).status
}

/** The server believes a key for half a second; a busy machine may take longer to notice. */
async function becomes(key: string, status: number): Promise<void> {
  const until = performance.now() + 60_000
  while ((await statusWith(key)) !== status) assert.ok(performance.now() < until, `not ${status}`)
}

let installer: Company

test('without a database, a command says what to do and makes nothing', async () => {
  const { code, stderr } = await sunstead(['company', 'list'], env)
  assert.equal(code, 1)
  assert.match(stderr, /no database in .*sunstead migrate/)
})

test('without a server: migrate, then make companies, members and keys', async () => {
  assert.deepEqual((await json<{ applied: string[] }>('migrate')).applied.slice(0, 1), ['000001_schema.sql'])
  assert.deepEqual((await json<{ applied: string[] }>('migrate')).applied, [])
  installer = await json<Company>('company', 'create', 'Bright Roof', '--timezone', 'America/Denver')
  assert.equal(installer.kind, 'installer')
  const dealer = await json<Company>('company', 'create', 'Door Team', '--installer', String(installer.orgId))
  assert.equal(dealer.installerId, installer.id)
  assert.equal((await json<Company[]>('company', 'list')).length, 2)

  await json(
    'member',
    'add',
    '--company',
    installer.id,
    '--email',
    'ann@example.com',
    '--name',
    'Ann',
    '--role',
    'owner',
  )
  const members = await json<{ email: string; active: boolean }[]>(
    'member',
    'list',
    '--company',
    installer.id,
  )
  assert.deepEqual(
    members.map((m) => [m.email, m.active]),
    [['ann@example.com', true]],
  )
})

test('bad input is refused with what to change', async () => {
  const cases: [string[], RegExp][] = [
    [['company', 'create', ' '], /needs a name/],
    [['company', 'create', 'X', '--timezone', 'Mars/Base'], /no time zone/],
    [['company', 'create', 'X', '--installer', '99999'], /no installer 99999/],
    [
      ['member', 'add', '--company', installer.id, '--email', 'nonsense', '--name', 'N', '--role', 'rep'],
      /not an email/,
    ],
    [
      [
        'member',
        'add',
        '--company',
        installer.id,
        '--email',
        'ANN@example.com',
        '--name',
        'N',
        '--role',
        'rep',
      ],
      /already/,
    ],
    [
      [
        'member',
        'add',
        '--company',
        installer.id,
        '--email',
        'b@example.com',
        '--name',
        'N',
        '--role',
        'king',
      ],
      /Allowed choices/,
    ],
    [['member', 'deactivate', 'nobody@example.com', '--company', installer.id], /no member/],
    [['key', 'revoke', 'psk_00000000'], /no key/],
    [
      ['key', 'create', '--company', installer.id, '--name', 'k', '--expires', '2001-01-01T00:00:00Z'],
      /future/,
    ],
    [['key', 'roll', 'psk_00000000', '--grace', '25'], /0 to 24/],
    [['key', 'create', '--company', 'comp_nothing', '--name', 'k'], /no company/],
    [['key', 'create', '--company', installer.id, '--name', 'k', '--propose'], /agentName is required/],
    [['nonsense'], /unknown command/],
  ]
  for (const [args, message] of cases) {
    const { code, stderr } = await sunstead(args, env)
    assert.equal(code, 1, args.join(' '))
    assert.match(stderr, message)
    assert.doesNotMatch(stderr, /\n\s+at /)
  }
})

test('beside a running server: keys work at once, roll with a grace, and end within a second', async () => {
  server = await startProcess(env)
  const made = await json<Key>('key', 'create', '--company', installer.id, '--name', 'CRM')
  assert.match(made.key, /^psk_[0-9a-f]{40}$/)
  assert.equal(made.prefix, made.key.slice(0, 12))
  assert.equal(await statusWith(made.key), 200)
  const agents = ['--name', 'Assistant', '--agent', 'Ada', '--propose']
  const agent = await json<Key & { agentName: string; proposes: boolean }>(
    'key',
    'create',
    '--company',
    installer.id,
    ...agents,
  )
  assert.deepEqual([agent.agentName, agent.proposes], ['Ada', true])
  assert.equal(await statusWith(agent.key), 200)
  const listed = await sunstead(['key', 'list', '--company', installer.id], env)
  assert.ok(listed.stdout.includes(made.prefix) && !listed.stdout.includes(made.key))

  const rolled = await json<Key>('key', 'roll', made.id, '--grace', '1')
  assert.equal(await statusWith(made.key), 200)
  assert.equal(await statusWith(rolled.key), 200)
  const rolledAgain = await json<Key>('key', 'roll', rolled.prefix, '--grace', '0')
  await becomes(rolled.key, 401)
  assert.equal(await statusWith(rolledAgain.key), 200)

  const reader = await json<Key>(
    'key',
    'create',
    '--company',
    installer.id,
    '--name',
    'reader',
    '--read-only',
  )
  const lead = {
    firstName: 'A',
    lastName: 'B',
    address: { line1: '1', city: 'C', state: 'CA', postalCode: '9' },
  }
  assert.equal(await statusWith(reader.key, '/v1/leads'), 200)
  assert.equal(await statusWith(reader.key, '/v1/leads', 'POST', lead), 403)
  const other = await json<Key>(
    'key',
    'create',
    '--company',
    installer.id,
    '--name',
    'x',
    '--interface',
    'catalog',
  )
  assert.equal(await statusWith(other.key), 403)

  await json('key', 'revoke', made.id)
  await becomes(made.key, 401)
  await json('company', 'suspend', installer.id)
  await becomes(rolledAgain.key, 401)
  await json('company', 'suspend', installer.id, '--resume')
  await becomes(rolledAgain.key, 200)
})

test('a deactivated member is no longer assigned; the doctor finds all well and the server runs on', async () => {
  await json('member', 'deactivate', 'Ann@example.com', '--company', installer.id)
  const key = await json<Key>('key', 'create', '--company', installer.id, '--name', 'CRM')
  const answer = await fetch(`${server!.url}/v1/leads`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      firstName: 'A',
      lastName: 'B',
      salesRepEmail: 'ann@example.com',
      address: { line1: '1', city: 'C', state: 'CA', postalCode: '9' },
    }),
  })
  assert.deepEqual(((await answer.json()) as { unassigned: string[] }).unassigned, ['ann@example.com'])
  const health = await json<{ check: string; result: string }[]>('doctor')
  assert.deepEqual(
    health.map(({ check, result }) => [check, result]),
    [
      ['configuration', 'ok'],
      ['storage', 'ok'],
      ['files', 'ok'],
      ['renderings', 'ok'],
      ['counts', 'ok'],
      ['energy', 'ok'],
      ['database', 'ok'],
    ],
  )
  assert.equal((await fetch(`${server!.url}/readyz`)).status, 200)
})

test('the doctor names what is wrong and answers 1', async () => {
  const wrong = await sunstead(['doctor', '--json'], { ...env, PORT: 'eighty' })
  assert.equal(wrong.code, 1)
  assert.match(wrong.stdout, /PORT must be a whole number/)
  const unreachable = await sunstead(['doctor', '--json'], {
    ...env,
    DATABASE_URL: 'postgres://127.0.0.1:1/none',
  })
  assert.equal(unreachable.code, 1)
  assert.match(unreachable.stdout, /"check": "database",\s+"result": "PROBLEM"/)
})
