import assert from 'node:assert/strict'
import { once } from 'node:events'
import { after, test } from 'node:test'
import { type Leadership, standForLeader } from '../../src/platform/leader.ts'
import { createLog } from '../../src/platform/log.ts'
import { createTestDatabase } from '../support/database.ts'
import { atFileEnd } from '../support/endings.ts'

const database = await createTestDatabase()
atFileEnd(() => database.drop())
const log = createLog('silent')

/** Who leads, and what befell them, in order. */
const story: string[] = []
const news = new EventTarget()
const tell = (what: string) => {
  story.push(what)
  news.dispatchEvent(new Event('news'))
}
async function told(what: string): Promise<void> {
  while (!story.includes(what)) await once(news, 'news')
}

async function stand(name: string): Promise<Leadership> {
  const leadership = await standForLeader(
    database.url,
    async (session, lost) => {
      await session.listen('things', (payload) => payload && tell(`${name} heard ${payload}`))
      lost.addEventListener('abort', () => tell(`${name} lost`))
      tell(`${name} leads`)
      return {
        stop: async () => {
          await new Promise(setImmediate)
          tell(`${name} ended`)
        },
      }
    },
    log,
  )
  after(() => leadership.stop())
  return leadership
}

const endSession = () =>
  database.rows(`select pg_terminate_backend(l.pid) from pg_locks l join pg_database d on d.oid = l.database
    where l.locktype = 'advisory' and l.objid = 7310010 and l.granted and d.datname = current_database()`)

test('one leads; the next begins only when it has ended its work, or has lost its connection and knows it', async () => {
  const a = await stand('a')
  assert.deepEqual([story, a.isLeader()], [['a leads'], true])
  const b = await stand('b')
  assert.equal(b.isLeader(), false)
  await database.rows(`select pg_notify('things', 'news')`)
  await told('a heard news')

  await endSession()
  await told('b leads')
  assert.deepEqual(story.slice(2), ['a lost', 'a ended', 'b leads'])
  assert.deepEqual([a.isLeader(), b.isLeader()], [false, true])

  // The one that lost it stands again.
  story.length = 0
  await b.stop()
  await told('a leads')
  assert.deepEqual(story, ['b ended', 'a leads'])
  await a.stop()
  assert.deepEqual(story, ['b ended', 'a leads', 'a ended'])
})

test('on a server that takes no writes nobody leads, until it does', async () => {
  const readOnly = (whether: 'on' | 'off') =>
    database.db.execute(
      `do $$ begin execute format('alter database %I set default_transaction_read_only = ${whether}', current_database()); end $$`,
    )
  story.length = 0
  await readOnly('on')
  const c = await stand('c')
  assert.equal(c.isLeader(), false)
  await readOnly('off')
  await told('c leads')
  await c.stop()
})

test('who cannot reach the database does not stand, and says why', async () => {
  const url = database.url.replace(/\/[^/]*$/, '/no_such_database')
  await assert.rejects(
    standForLeader(url, () => assert.fail(), log),
    /no_such_database/,
  )
})
