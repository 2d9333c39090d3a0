import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkAddress, isPublicAddress } from '../../../src/platform/outbound/address.ts'
import { OutboundRefused } from '../../../src/platform/outbound/refused.ts'

const none = new Set<string>()
const ip = /IP address/
const name = /public host name/

const refused: [address: string, message: RegExp][] = [
  ['', /complete address/],
  ['plan.pdf', /complete address/],
  ['//files.example.com/a', /complete address/],
  ['https:files.example.com/a', /complete address/],
  ['https:///files.example.com/a', /complete address/],
  ['https://', /complete address/],
  ['https://files.example.com:99999/', /complete address/],
  [`https://files.example.com/${'a'.repeat(2_048)}`, /2048 characters/],
  ['https://files.example.com/a\nb', /control characters/],
  ['http://files.example.com/a', /https/],
  ['ftp://files.example.com/a', /https/],
  ['file:///etc/passwd', /complete address/],
  ['data:text/plain,hi', /complete address/],
  ['javascript:alert(1)', /complete address/],
  ['gopher://files.example.com/', /https/],
  ['https://user:secret@files.example.com/a', /user name or password/],
  ['https://user@files.example.com/a', /user name or password/],
  ['https://:secret@files.example.com/a', /user name or password/],
  ['https://@files.example.com/a', /user name or password/],
  ['https://files.example.com@10.0.0.1/a', /user name or password/],
  ['https://127.0.0.1/', ip],
  ['https://127.0.0.1./', ip],
  ['https://93.184.216.34/', ip],
  ['https://127.1/', ip],
  ['https://2130706433/', ip],
  ['https://0177.0.0.1/', ip],
  ['https://0x7f.0.0.1/', ip],
  ['https://0x7f000001/', ip],
  ['https://①②⑦.0.0.1/', ip],
  ['https://%31%32%37.0.0.1/', ip],
  ['https://[::1]/', ip],
  ['https://[::]/', ip],
  ['https://[::ffff:127.0.0.1]/', ip],
  ['https://[::ffff:7f00:1]/', ip],
  ['https://[::127.0.0.1]/', ip],
  ['https://[fd00::1]/', ip],
  ['https://[2606:4700::1111]/', ip],
  ['https://localhost/', name],
  ['https://localhost./', name],
  ['https://LOCALHOST/', name],
  ['https://intranet/', name],
  ['https://com/', name],
  ['https://printer.local/', name],
  ['https://printer.local./', name],
  ['https://Metadata.Google.INTERNAL/', name],
  ['https://a.localhost/', name],
  ['https://nas.home.arpa/', name],
  ['https://nas.lan/', name],
  ['https://wiki.intranet/', name],
  ['https://wiki.corp/', name],
  ['https://nas.home/', name],
  ['https://db.private/', name],
  ['https://abcdefgh.onion/', name],
  ['https://1.0.0.127.in-addr.arpa/', name],
  ['https://files..example.com/', /valid host name/],
  ['https://.example.com/', /valid host name/],
  [`https://${'a'.repeat(64)}.example.com/`, /valid host name/],
]

for (const [address, message] of refused) {
  test(`refuses ${JSON.stringify(address.slice(0, 60))}`, () => {
    assert.throws(
      () => checkAddress(address, none),
      (error) => error instanceof OutboundRefused && message.test(error.message),
    )
  })
}

test('takes public https addresses and normalises them', () => {
  for (const [given, href] of [
    ['https://files.example.com/a b.pdf?x=1', 'https://files.example.com/a%20b.pdf?x=1'],
    ['HTTPS://Files.Example.COM', 'https://files.example.com/'],
    ['https://files.example.com./a', 'https://files.example.com/a'],
    ['https://files.example.com:8443/a', 'https://files.example.com:8443/a'],
    ['https://münchen.example/a@b', 'https://xn--mnchen-3ya.example/a@b'],
    ['https://localhost.example.com/', 'https://localhost.example.com/'],
  ] as const) {
    assert.equal(checkAddress(given, none).href, href)
  }
})

test('a trusted host may be private, an IP address and plain http, and nothing else', () => {
  const trusted = new Set([
    'localhost:9000',
    '10.0.0.5:9000',
    '[::1]:9000',
    'store.internal:443',
    'nas:80',
    'wiki',
  ])
  for (const address of [
    'http://localhost:9000/a',
    'https://localhost:9000/a',
    'https://10.0.0.5:9000/',
    'http://[::1]:9000/',
    'https://store.internal/a',
    'http://nas/a',
    'https://wiki/a',
  ]) {
    assert.ok(checkAddress(address, trusted))
  }
  for (const address of [
    'https://localhost/a',
    'https://localhost:9001/a',
    'http://user@localhost:9000/a',
    'http://store.internal/a',
    'ftp://localhost:9000/a',
    'https://nas/a',
    'https://wiki:8443/',
    `http://localhost:9000/${'a'.repeat(2_048)}`,
  ]) {
    assert.throws(() => checkAddress(address, trusted), OutboundRefused, address)
  }
})

test('only plain unicast addresses are public', () => {
  for (const address of [
    '93.184.216.34',
    '8.8.8.8',
    '172.32.0.1',
    '2606:4700::1111',
    '2a00:1450:4001::200e',
  ]) {
    assert.equal(isPublicAddress(address), true, address)
  }
  for (const address of notPublic) assert.equal(isPublicAddress(address), false, address)
})

const notPublic = [
  '0.0.0.0',
  '0.1.2.3',
  '10.1.2.3',
  '100.64.0.1',
  '127.0.0.1',
  '127.255.255.254',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.255.255',
  '192.0.0.1',
  '192.0.2.1',
  '192.88.99.1',
  '192.168.1.1',
  '198.18.0.1',
  '198.51.100.1',
  '203.0.113.1',
  '224.0.0.1',
  '240.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::7f00:1',
  '::ffff:127.0.0.1',
  '::ffff:8.8.8.8',
  '64:ff9b::7f00:1',
  '64:ff9b:1::1',
  '100::1',
  '2001::1',
  '2001:db8::1',
  '2002:7f00:1::',
  '3fff::1',
  '4000::1',
  '5f00::1',
  'fc00::1',
  'fd12:3456::1',
  'fe80::1',
  'fe80::1%eth0',
  'fec0::1',
  'ff02::1',
  '2606:4700::1111%eth0',
  '127.1',
  'localhost',
  '',
]
