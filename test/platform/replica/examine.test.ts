import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Examined, unfitness } from '../../../src/platform/replica/examine.ts'
import { createLag } from '../../../src/platform/replica/lag.ts'

const primary: Examined = {
  isStandby: false,
  system: '7300000000000000001',
  database: 'sunstead',
  migrations: '000001_schema.sql, 000002_more.sql',
  place: 5_000,
  timeline: '00000001',
  replayedSeconds: null,
  zone: 'UTC',
  plans: 'force_generic_plan',
}
const standby: Examined = { ...primary, isStandby: true, timeline: null, place: 4_000, replayedSeconds: 1 }

for (const [what, otherwise, behindSeconds, reason] of [
  ['a standby a moment behind', {}, 0.2, null],
  ['another system', { system: '7300000000000000002' }, 0, /no copy/],
  ['another database of the same system', { database: 'postgres' }, 0, /the database postgres/],
  ['one that was promoted', { isStandby: false }, 0, /promoted/],
  ['one that has replayed nothing', { place: null }, 0, /nothing yet/],
  ['one with changes that the primary does not have', { place: 5_001 }, 0, /lost in a failover/],
  ['one that lacks a migration', { migrations: '000001_schema.sql' }, 0, /schema/],
  ['one whose role has no settings', { zone: 'Europe/Vienna' }, 0, /settings/],
  ['one that is hours behind', {}, 7_200, /7200 seconds behind/],
] as const) {
  test(`${what} ${reason === null ? 'is read from' : 'is not read from'}`, () => {
    const found = unfitness({ ...standby, ...otherwise }, primary, behindSeconds)
    if (reason === null) assert.equal(found, null)
    else assert.match(found ?? '', reason)
  })
}

test('a lag is the time since the primary was where the replica is, and none on a primary that rests', () => {
  const lag = createLag()
  lag.primaryAt(100, 0)
  assert.equal(lag.secondsAt(100, 3_600_000), 0)
  lag.primaryAt(100, 3_600_000)
  assert.equal(lag.secondsAt(100, 3_700_000), 0)
  lag.primaryAt(200, 4_000_000)
  assert.equal(lag.secondsAt(100, 4_000_500), 0.5)
  lag.primaryAt(300, 4_010_000)
  assert.equal(lag.secondsAt(100, 4_020_000), 20)
  assert.equal(lag.secondsAt(250, 4_020_000), 10)
  assert.equal(lag.secondsAt(300, 4_030_000), 0)
})

test('however long a replica stays away, its lag is known and little is remembered', () => {
  const lag = createLag()
  for (let i = 1; i <= 100_000; i++) lag.primaryAt(i, i * 500)
  assert.equal(lag.secondsAt(0, 50_000_000), (50_000_000 - 500) / 1000)
})
