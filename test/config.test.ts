import assert from 'node:assert/strict'
import { availableParallelism } from 'node:os'
import { test } from 'node:test'
import { addressesOf, readConfig } from '../src/config.ts'

test('nothing set: the documented defaults', () => {
  const config = readConfig({})
  assert.equal(config.host, '127.0.0.1')
  assert.equal(config.port, 8080)
  assert.equal(config.rateLimitPerMinute, 100)
  assert.equal(config.demo, null)
  assert.equal(config.databaseUrl, null)
  assert.equal(config.storageUrl, `file:${config.dataDir}/files`)
  assert.deepEqual(addressesOf(config, 8080), {
    baseUrl: 'http://127.0.0.1:8080',
    legacyBaseUrl: 'http://127.0.0.1:8080/legacy',
    catalogBaseUrl: 'http://127.0.0.1:8080/catalog',
  })
})

test('every mistake is named in one error', () => {
  const wrong = {
    PORT: '80x',
    DEMO: 'yes',
    LOG_LEVEL: 'loud',
    BASE_URL: 'example.com',
    DATABASE_URL: 'mysql://x',
    STORAGE_URL: 's3://bucket',
    REDIS_URL: 'http://x',
    WEB_CONCURRENCY: '0',
    ROLE: 'king',
    DATABASE_CONNECTIONS: '11',
    DATABASE_DIRECT_URL: 'http://x',
    SMTP_URL: 'mail',
    TRUSTED_PROXIES: '10.0.0.0/99',
    SECRET_KEY: 'short',
    METRICS_TOKEN: 'short',
    DRAIN_SECONDS: '-1',
  }
  assert.throws(
    () => readConfig(wrong),
    (error: Error) => Object.keys(wrong).every((name) => error.message.includes(name)),
  )
})

test('processes: one that does everything, or as many as are said, by number or by cores', () => {
  const { webConcurrency, role, databaseConnections } = readConfig({})
  assert.deepEqual([webConcurrency, role], [1, 'all'])
  assert.ok(4 * databaseConnections + 1 <= 97, 'four of them fit what PostgreSQL lets in')
  assert.equal(readConfig({ WEB_CONCURRENCY: '4' }).webConcurrency, 4)
  assert.equal(readConfig({ WEB_CONCURRENCY: 'auto' }).webConcurrency, availableParallelism())
  assert.throws(() => readConfig({ WEB_CONCURRENCY: 'many' }), /from 1 to 256 or auto, not "many"/)
  assert.throws(() => readConfig({ DATABASE_CONNECTIONS: '5' }), /DATABASE_CONNECTIONS must be .* from 12 to/)
  assert.throws(() => readConfig({ DATABASE_DIRECT_URL: 'postgres://x' }), /goes with DATABASE_URL/)
  assert.throws(() => readConfig({ DATABASE_REPLICA_URL: 'postgres://x' }), /goes with DATABASE_URL/)
  assert.throws(
    () => readConfig({ DATABASE_URL: 'postgres://x', DATABASE_REPLICA_URL: 'replica:5432' }),
    /DATABASE_REPLICA_URL must be an address beginning with postgres/,
  )
})

test('addresses: BASE_URL without its last slash, the others below it unless given', () => {
  const config = readConfig({
    BASE_URL: 'https://sun.example.com/',
    LEGACY_BASE_URL: 'https://old.example.com',
  })
  assert.deepEqual(addressesOf(config, 1), {
    baseUrl: 'https://sun.example.com',
    legacyBaseUrl: 'https://old.example.com',
    catalogBaseUrl: 'https://sun.example.com/catalog',
  })
  assert.equal(addressesOf(readConfig({ HOST: '::1' }), 80).baseUrl, 'http://[::1]:80')
})

test('trusted hosts are a list of host:port in lower case', () => {
  const { outboundTrustedHosts } = readConfig({ OUTBOUND_TRUSTED_HOSTS: ' Localhost:9000, store.lan:443 ,' })
  assert.deepEqual([...outboundTrustedHosts], ['localhost:9000', 'store.lan:443'])
})

test('proxies are addresses or networks, and a secret that is refused is not shown', () => {
  const { trustedProxies } = readConfig({ TRUSTED_PROXIES: '127.0.0.1, 10.0.0.0/8,fd00::/8,' })
  assert.deepEqual(trustedProxies, ['127.0.0.1', '10.0.0.0/8', 'fd00::/8'])
  assert.throws(
    () => readConfig({ SECRET_KEY: 'hunter2hunter2' }),
    (error: Error) => !error.message.includes('hunter2'),
  )
})

test('a new secret key stands before the one that it replaces', () => {
  const [next, last] = ['n'.repeat(32), 'o'.repeat(32)]
  assert.deepEqual(readConfig({ SECRET_KEY: `${next}, ${last}` }).secretKeys, [next, last])
  assert.equal(readConfig({}).secretKeys, null)
  assert.throws(() => readConfig({ SECRET_KEY: `${next},short` }), /SECRET_KEY/)
})

test('whoever listens on loopback alone is not drained unless it is asked for', () => {
  assert.equal(readConfig({}).drainSeconds, 0)
  assert.equal(readConfig({ HOST: 'localhost' }).drainSeconds, 0)
  assert.equal(readConfig({ HOST: '::1' }).drainSeconds, 0)
  assert.equal(readConfig({ HOST: '0.0.0.0' }).drainSeconds, 5)
  assert.equal(readConfig({ HOST: '0.0.0.0', DRAIN_SECONDS: '1' }).drainSeconds, 1)
})

test('an S3-compatible store: what is usual, what is said, and what is wrong with it', () => {
  const keys = { AWS_ACCESS_KEY_ID: 'AKIA', AWS_SECRET_ACCESS_KEY: 'hush-hush' }
  const s3 = (STORAGE_URL: string, more = {}) => readConfig({ STORAGE_URL, ...keys, ...more }).s3!
  const amazon = s3('s3://kept-files', { AWS_REGION: 'eu-west-1', AWS_SESSION_TOKEN: 'until noon' })
  assert.deepEqual(
    [amazon.bucket, amazon.prefix, amazon.endpoint, amazon.region, amazon.style, amazon.sessionToken],
    ['kept-files', '', null, 'eu-west-1', 'host', 'until noon'],
  )
  assert.equal(amazon.delivery, 'serve')
  const own = s3('s3://kept/a/b/?endpoint=store.lan:9000&region=here')
  assert.deepEqual(
    [own.prefix, own.endpoint, own.region, own.style],
    ['a/b/', 'https://store.lan:9000', 'here', 'path'],
  )
  assert.equal(s3('s3://kept?endpoint=http://store.lan').endpoint, 'http://store.lan')
  assert.equal(s3('s3://with.dots').style, 'path')
  const sent = s3(
    's3://kept?endpoint=store.lan&delivery=redirect&deliveryEndpoint=https://files.example.com/',
  )
  assert.deepEqual([sent.delivery, sent.deliveryEndpoint], ['redirect', 'https://files.example.com'])
  const wrong: [string, RegExp][] = [
    ['s3://', /s3:\/\/bucket/],
    ['s3://Kept', /lower-case/],
    ['s3://key:hush-hush@kept', /must not hold credentials/],
    ['s3://kept/../x y', /prefix/],
    ['s3://kept?endpoint=ftp://store', /endpoint such as/],
    ['s3://kept?style=virtual', /style=path or style=host/],
    ['s3://kept?delivery=never', /delivery=serve or delivery=redirect/],
    ['s3://kept?deliveryEndpoint=https://x', /only used with/],
    ['s3://kept?region=eu west', /region/],
    ['s3://kept?regoin=x', /unknown option "regoin"/],
    ['gs://kept', /file: or s3:/],
  ]
  for (const [url, message] of wrong)
    assert.throws(
      () => s3(url),
      (error: Error) => message.test(error.message) && !error.message.includes('hush-hush'),
      url,
    )
  assert.throws(() => readConfig({ STORAGE_URL: 's3://kept' }), /AWS_ACCESS_KEY_ID.*AWS_SECRET_ACCESS_KEY/s)
})

test('a Redis: with password, number and TLS; what is wrong is named without the password', () => {
  const of = (REDIS_URL: string) => readConfig({ REDIS_URL }).redisUrl
  for (const url of [
    'redis://store.lan',
    'rediss://user:hush@store.lan:6380/12',
    'redis://:hush@[::1]:6379/0',
  ])
    assert.equal(of(url), url)
  for (const url of ['store.lan:6379', 'redis://:hush@store.lan/cache', 'redis://:hush@store.lan?db=1'])
    assert.throws(
      () => of(url),
      (error: Error) => /REDIS_URL must be/.test(error.message) && !error.message.includes('hush'),
    )
  assert.equal(readConfig({ REDIS_URL: 'redis://store.lan' }).severalHosts, true)
})

test('what a sample holds in place of a secret is refused, wherever it stands, and so is an address that cannot be read', () => {
  const refused = (env: Record<string, string>, said: RegExp) =>
    assert.throws(
      () => readConfig(env),
      (error: Error) => said.test(error.message) && !/hush|change-me-to/.test(error.message),
      JSON.stringify(env),
    )
  for (const env of [
    { SECRET_KEY: 'change-me-to-the-output-of-openssl-rand' },
    { METRICS_TOKEN: 'change-me-to-a-long-random-text' },
    { DATABASE_URL: 'postgres://sunstead:change-me@postgres:5432/sunstead' },
    { REDIS_URL: 'redis://:change-me@valkey:6379/0' },
    { SMTP_URL: 'smtps://sun:change-me@smtp.example.com' },
    { STORAGE_URL: 's3://files', AWS_ACCESS_KEY_ID: 'change-me', AWS_SECRET_ACCESS_KEY: 'hush' },
  ])
    refused(
      env,
      new RegExp(
        `${Object.keys(env).at(-1) === 'AWS_SECRET_ACCESS_KEY' ? 'AWS_ACCESS_KEY_ID' : Object.keys(env)[0]} still holds "change-me"`,
      ),
    )
  refused({ DATABASE_URL: 'postgres://u:hush%zz@h/db' }, /DATABASE_URL .*%25/)
  refused({ REDIS_URL: 'redis://u:hush%zz@h/0' }, /REDIS_URL .*%25/)
  refused({ REDIS_URL: 'redis:///0' }, /REDIS_URL must be/)
  refused({ STORAGE_URL: 'file:' }, /STORAGE_URL must name a folder/)
  refused({ STORAGE_URL: 'file://host/files' }, /STORAGE_URL must name a folder/)
  refused({ STORAGE_URL: 'file:///%zz' }, /STORAGE_URL must name a folder/)
  refused({ METRICS_TOKEN: 'two words of a token' }, /METRICS_TOKEN must not hold spaces/)
})
