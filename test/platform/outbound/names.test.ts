import assert from 'node:assert/strict'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { stat } from 'node:fs/promises'
import { after, test } from 'node:test'
import { explainOutboundFailure } from '../../../src/platform/outbound/failure.ts'
import { publicNames } from '../../../src/platform/outbound/names.ts'
import { OutboundRefused, OutboundUnavailable } from '../../../src/platform/outbound/refused.ts'

// A name server: the first label of what it is asked for says how it answers.
const server = createSocket('udp4')
let asked = 0
server.on('message', (query, { port, address }) => {
  asked++
  const label = query.toString('latin1', 13, 13 + query[12]!)
  const aaaa = query.readUInt16BE(query.indexOf(0, 12) + 1) === 28
  const answer = answerTo(query, label, aaaa)
  if (answer) server.send(answer, port, address)
})
server.bind(0, '127.0.0.1')
await once(server, 'listening')
after(() => server.close())

function answerTo(query: Buffer, label: string, aaaa: boolean): Buffer | null {
  if (label === 'silent') return null
  const codes: Record<string, number> = { broken: 2, missing: 3 }
  const found = label === 'both' || (label === 'old' && !aaaa)
  const head = Buffer.from(query)
  head.writeUInt16BE(0x8180 | (codes[label] ?? 0), 2)
  head.writeUInt16BE(found ? 1 : 0, 6)
  head.writeUInt16BE(0, 10)
  const end = query.indexOf(0, 12) + 5
  if (!found) return head.subarray(0, end)
  const data = aaaa ? Buffer.from('20010db8000000000000000000000001', 'hex') : Buffer.from([192, 0, 2, 7])
  const record = Buffer.alloc(12)
  record.writeUInt16BE(0xc00c, 0)
  record.writeUInt16BE(aaaa ? 28 : 1, 2)
  record.writeUInt16BE(1, 4)
  record.writeUInt16BE(data.length, 10)
  return Buffer.concat([head.subarray(0, end), record, data])
}

const resolve = publicNames([`127.0.0.1:${server.address().port}`])
const said = async (name: string) =>
  resolve(name).then(
    () => null,
    (error) => explainOutboundFailure(error, new AbortController().signal),
  )

test('finds the addresses of a name, of either kind', async () => {
  assert.deepEqual(await resolve('both.example.com'), [
    { address: '192.0.2.7', family: 4 },
    { address: '2001:db8::1', family: 6 },
  ])
  assert.deepEqual(await resolve('old.example.com'), [{ address: '192.0.2.7', family: 4 }])
})

test('a name that is not there stays so; a name server that fails does so for the moment', async () => {
  for (const name of ['missing.example.com', 'empty.example.com']) {
    const error = await said(name)
    assert.ok(error instanceof OutboundRefused && !(error instanceof OutboundUnavailable), String(error))
  }
  assert.ok((await said('broken.example.com')) instanceof OutboundUnavailable)
})

test('a name server that says nothing holds up neither files nor other names, and is given up', async () => {
  const before = asked
  let ended = 0
  const silent = Array.from({ length: 8 }, (_, i) => said(`silent.${i}.example.com`).finally(() => ended++))
  while (asked < before + 16) await new Promise(setImmediate)
  // The system's look-up would hold every thread that files are read by until it gives up.
  await stat('.')
  assert.equal((await resolve('both.example.com')).length, 2)
  assert.equal(ended, 0)
  for (const error of await Promise.all(silent))
    assert.ok(error instanceof OutboundUnavailable, String(error))
})
