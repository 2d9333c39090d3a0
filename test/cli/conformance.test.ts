import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Fault, startFaultyProxy } from '../conformance/faulty-proxy.ts'
import { startJudgedServer } from '../conformance/judged-server.ts'
import { sunstead } from '../support/commands.ts'
import { freePort } from '../support/free-port.ts'

const { app, world } = await startJudgedServer()
const { installer, dealer } = world
const keys = { CONFORMANCE_INSTALLER_KEY: installer.key, CONFORMANCE_DEALER_KEY: dealer.key }
const conformance = (args: string[], env: Record<string, string> = keys) =>
  sunstead(['conformance', '--base-url', app.url, ...args], env)

test('the table says of each rule what it is and how it went, and the exit code is 0', async () => {
  const { code, stdout, stderr } = await conformance([
    '--only',
    'v1.me,v1.keys.form',
    '--only',
    'v1.leads.create.status',
  ])
  assert.equal(code, 0, stderr)
  assert.match(stdout, /^passed {2}v1\.me {2,}`GET \/v1\/me` proves that a key works: 200\.$/m)
  assert.match(stdout, /^passed {2}v1\.me\.prefix .*\(decision\)$/m)
  assert.match(stdout, /\n8 rules: 8 passed, 0 failed, 0 not applicable\n$/)
  assert.match(stderr, /^8 rules\.\nThis writes to http[^,\n]*:\n- leads called .*\n- nothing else/)
})

test('what is announced fits the rules that are chosen', async () => {
  const { code, stderr } = await conformance(['--only', 'v1.me'])
  assert.equal(code, 0)
  assert.match(stderr, /^6 rules\.\nThese rules write nothing, unless [^\n]*\n$/)
  assert.match((await conformance(['--only', 'v1.me', '--read-only'])).stderr, /\(--read-only\)\.\n$/)
  const panels = (await conformance(['--only', 'catalogue.panels.create.status'])).stderr
  assert.match(panels, /This writes to http\S*\/catalog:\n- up to two installations .*\n- panels/)
  assert.doesNotMatch(panels, /leads|projects|webhook/)
})

test('a rule that fails is named with the reason, and the exit code is 1', async () => {
  const proxy = await startFaultyProxy()
  const fault: Fault = {
    name: 'no name',
    fails: [],
    within: [],
    when: ({ path }) => path === '/v1/me',
    answer: ({ body }) => {
      delete body.company?.name
    },
  }
  proxy.plant(fault, app.url)
  const { code, stdout, stderr } = await conformance([
    '--base-url',
    proxy.url,
    '--only',
    'v1.me',
    '--spec-only',
  ])
  assert.equal(code, 1)
  assert.match(stdout, /^FAILED {2}v1\.me\.company\.name .*\n +\S.*$/m)
  assert.match(stderr, /^\d of \d+: v1\.me\.company\.name failed$/m)
})

test('an address or a key that is wrong is said in a line, nothing is run, and the exit code is 2', async () => {
  const nobody = `psk_${'0'.repeat(40)}`
  const dead = `http://127.0.0.1:${await freePort()}`
  const me = `GET ${app.url}/v1/me answers 401.`
  const cases: [args: string[], env: Record<string, string>, lines: RegExp[]][] = [
    [['--base-url', dead], keys, [new RegExp(`^No answer from ${dead}: .*ECONNREFUSED`)]],
    [['--catalog-base-url', `${dead}/c`], keys, [new RegExp(`^No answer from ${dead}: .*ECONNREFUSED`)]],
    [
      ['--base-url', `${app.url}/elsewhere`, '--interface', 'catalogue'],
      keys,
      [/^There is no catalogue interface here: .* 404\.$/],
    ],
    [
      ['--interface', 'v1'],
      { ...keys, CONFORMANCE_INSTALLER_KEY: nobody },
      [new RegExp(`^--installer-key is refused: ${me}$`)],
    ],
    [
      ['--only', 'v1.me'],
      { ...keys, CONFORMANCE_DEALER_KEY: nobody },
      [new RegExp(`^--dealer-key is refused: ${me}$`)],
    ],
    [
      ['--legacy-key', nobody, '--catalog-key', nobody],
      keys,
      [
        /^--legacy-key is refused: .*\/legacy\/.* 401\.$/,
        /^--catalog-key is refused: .*\/catalog\/v1\/.* 401\.$/,
      ],
    ],
    [
      [],
      { CONFORMANCE_INSTALLER_KEY: dealer.key, CONFORMANCE_DEALER_KEY: installer.key },
      [/^--installer-key and --dealer-key are swapped: /],
    ],
    [[], { CONFORMANCE_INSTALLER_KEY: dealer.key }, [/^--installer-key is a dealer's key: /]],
    [[], { ...keys, CONFORMANCE_DEALER_KEY: world.other.key }, [/^--dealer-key is an installer's key: /]],
    [[], { ...keys, CONFORMANCE_DEALER_KEY: installer.key }, [/are the same key\.$/]],
  ]
  for (const [args, env, lines] of cases) {
    const { code, stdout, stderr } = await conformance(args, env)
    assert.equal(code, 2, `${args}: ${stderr}`)
    assert.equal(stdout, '')
    const said = stderr.trimEnd().split('\n')
    assert.equal(said.length, lines.length, stderr)
    for (const [i, line] of lines.entries()) assert.match(said[i]!, line)
    assert.ok(!stderr.includes('psk_'))
  }
})

test('--json is for programs, --interface chooses, and the keys may be said too', async () => {
  const said = ['--installer-key', installer.key, '--dealer-key', dealer.key]
  const { code, stdout } = await conformance(
    [...said, '--interface', 'catalogue', '--read-only', '--json'],
    {},
  )
  assert.equal(code, 0, stdout)
  const { baseUrl, catalogBaseUrl, counts, rules } = JSON.parse(stdout)
  assert.deepEqual([baseUrl, catalogBaseUrl], [app.url, `${app.url}/catalog`])
  assert.equal(counts.passed + counts['not applicable'], rules.length)
  assert.ok(rules.every((rule: { interface: string }) => rule.interface === 'catalogue'))
  assert.deepEqual(Object.keys(rules[0]), ['id', 'interface', 'source', 'says', 'result', 'why'])
})

test('what is wrong in the command is said, and nothing is run', async () => {
  for (const [args, said] of [
    [['--only', 'v1.nothing'], /No rule is called v1\.nothing/],
    [['--interface', 'v2'], /v2 is none of v1, legacy, catalogue/],
    [['--timeout', '0'], /Use up to 300 seconds/],
    [['--legacy-base-url', 'nowhere'], /Write an address/],
    [['--receiver-url', 'https://kit.example.com', '--receiver-listen', 'here'], /write host:port/],
  ] as const) {
    const { code, stdout, stderr } = await conformance([...args])
    assert.equal(code, 1)
    assert.equal(stdout, '')
    assert.match(stderr, said)
  }
  const { code, stderr } = await sunstead(['conformance', '--base-url', app.url], {})
  assert.equal(code, 1)
  assert.match(stderr, /--installer-key/)
})
