import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import {
  AnsweredBefore,
  bodyOf,
  type Call,
  claimCall,
  findAnswer,
  keepAnswer,
  keptForm,
} from '../../../../src/domain/journal/idempotency/call.ts'
import { createSecretBox } from '../../../../src/platform/secret-box.ts'
import { createTestDatabase } from '../../../support/database.ts'
import { createWorld } from '../../../support/factories.ts'

const { db, drop } = await createTestDatabase()
after(drop)
const { installer } = await createWorld(db)
const box = createSecretBox(['one'])
const { signal } = new AbortController()

const callOf = (key: string, requestHash = 'same'): Call => ({
  installerId: installer.company.installerId,
  companyId: installer.company.id,
  key,
  requestHash,
  claim: null,
  kept: false,
})
const now = () => new Date()

test('an answer is kept to the letter, and sealed where it shows a secret', async () => {
  const call = callOf('plain')
  const body = '{"b": 1,"a":"\\u0000 ö 😀"}'
  await keepAnswer(db, call, { status: 201, body }, null, now())
  const kept = await findAnswer(db, call, now())
  assert.deepEqual([kept!.status, bodyOf(call, kept!, box)], [201, body])
  await assert.rejects(keepAnswer(db, call, { status: 200, body: '{}' }, null, now()), AnsweredBefore)
  await assert.rejects(findAnswer(db, callOf('plain', 'other'), now()), /sent before with another call/)

  const secret = callOf('secret')
  await keepAnswer(db, secret, { status: 201, body }, box, now())
  const sealed = await findAnswer(db, secret, now())
  assert.equal(bodyOf(secret, sealed!, box), body)
  assert.throws(() => bodyOf(secret, sealed!, createSecretBox(['another'])), /its answer is not kept/)
  assert.throws(() => bodyOf(call, sealed!, box), /its answer is not kept/, 'of another key it does not open')
})

test('of an answer that is too long only is kept that there was one', async () => {
  const call = callOf('long')
  const long = { status: 200, body: 'x'.repeat(262_145) }
  assert.equal(keptForm(call, long), '{}')
  await keepAnswer(db, call, long, null, now())
  const kept = await findAnswer(db, call, now())
  assert.throws(() => bodyOf(call, kept!, box), { code: 'invalid' })
})

test('work that is begun is nobody else’s until it is ended or given up', async () => {
  const first = await claimCall(db, callOf('work'), signal)
  try {
    assert.equal(await findAnswer(db, callOf('work'), now()), null)
    await assert.rejects(claimCall(db, callOf('work', 'other'), signal), /sent before with another call/)
    const waiting = claimCall(db, callOf('work'), signal)
    await first.finish({ status: 200, body: '{}' }, null)
    await assert.rejects(waiting, AnsweredBefore)
  } finally {
    first.stop()
  }
  const given = await claimCall(db, callOf('given up'), signal)
  given.stop()
  await given.release()
  const next = await claimCall(db, callOf('given up', 'other'), signal)
  next.stop()
})

test('work whose process is gone is begun again, and the first can no longer end it', async () => {
  const long = (ms: number) => () => new Date(Date.now() + ms)
  const lost = await claimCall(db, callOf('lost'), signal)
  lost.stop()
  const later = await claimCall(db, callOf('lost'), signal, long(11_000))
  later.stop()
  await lost.finish({ status: 200, body: '"lost"' }, null)
  await lost.release()
  await later.finish({ status: 200, body: '"later"' }, null)
  const kept = await findAnswer(db, callOf('lost'), now())
  assert.equal(bodyOf(callOf('lost'), kept!, box), '"later"')
})

test('who gives up waiting is let go', async () => {
  const first = await claimCall(db, callOf('waited for'), signal)
  const caller = new AbortController()
  const waiting = claimCall(db, callOf('waited for'), caller.signal)
  caller.abort(new Error('gone'))
  await assert.rejects(waiting, { message: 'gone' })
  first.stop()
})
