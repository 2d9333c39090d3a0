import assert from 'node:assert/strict'
import { after, before, describe, type TestContext, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { runKind } from '../../src/domain/billing/runs/run.ts'
import { importKind } from '../../src/domain/data/imports/import.ts'
import { createLongJob } from '../../src/domain/journal/long-jobs/create-long-job.ts'
import type { LongJob, LongJobKind } from '../../src/domain/journal/long-jobs/long-job.ts'
import { findLongJob } from '../../src/domain/journal/long-jobs/queries.ts'
import type { Context } from '../../src/domain/kernel/context.ts'
import { DomainError } from '../../src/domain/kernel/domain-error.ts'
import { createDirectories } from '../../src/domain/kernel/tenant/directories.ts'
import type { Role } from '../../src/domain/kernel/tenant/member.ts'
import { stopLongJob } from '../../src/domain/operations/long-jobs/stop-long-job.ts'
import { createLongJobs } from '../../src/jobs/long-jobs.ts'
import { folderStore } from '../../src/platform/file-store/folder-store.ts'
import { newId } from '../../src/platform/ids.ts'
import { createLog } from '../../src/platform/log.ts'
import { startQueue } from '../../src/platform/queue.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { type Actors, createWorld, type World } from '../support/factories.ts'
import { listeningSession } from '../support/listening.ts'

const log = createLog('silent')
const held = new Date('2099-01-01')

describe('long work', () => {
  let database: TestDatabase
  let world: World

  before(async () => {
    database = await createTestDatabase()
    world = await createWorld(database.db)
    await database.db.execute(`create table pieces (job_id text, piece integer, primary key (job_id, piece))`)
  })
  after(() => database.drop())

  const ask = async (of: Actors, total = 5, kind = 'test'): Promise<LongJob> => {
    const { actor, now } = of.as()
    const asked = { kind, subjectId: newId('thing'), companyId: actor.companyId, total }
    return (await database.db.transaction((tx) => createLongJob(tx, actor, now, asked)))!
  }
  const read = async (job: LongJob) => (await findLongJob(database.db, job))!
  const ended = async (job: LongJob) => {
    for (;;) {
      const found = await read(job)
      if (found.state !== 'running') return found
      await wait(5)
    }
  }
  const piecesOf = async ({ id }: LongJob) =>
    (
      await database.rows<{ piece: number }>('select piece from pieces where job_id = $1 order by piece', [
        id,
      ])
    ).map(({ piece }) => piece)

  /** Writes pieces from where it stands; twice the same would fail. `before` may hold one up, or let it fail. */
  const kindOf = (before: (job: LongJob, piece: number) => Promise<void> = async () => {}): LongJobKind => ({
    kind: 'test',
    action: 'imports.run',
    async *work({ db }, job) {
      for (let piece = (await piecesOf(job)).length; piece < job.total; ) {
        await before(job, piece)
        await db.query({ text: 'insert into pieces values ($1, $2)' }, [job.id, piece])
        yield ++piece
      }
      return true
    },
    stopping: async () => {},
    failing: async (tx, job) => {
      await tx.query({ text: 'insert into pieces values ($1, -1)' }, [job.id])
    },
  })

  async function start(t: TestContext, kind: LongJobKind, concurrency = 4) {
    const deps = {
      db: database.db,
      directories: createDirectories(),
      store: folderStore('/nowhere'),
    }
    const longJobs = createLongJobs(deps, [kind], log, { concurrency, waitsMs: [20, 40] })
    const queue = await startQueue(database.url, longJobs.tasks, log)
    await longJobs.start(await listeningSession(database.url))
    const stop = () => Promise.all([longJobs.stop(), queue.stop()])
    let stopped: Promise<unknown> | null = null
    const stopOnce = () => (stopped ??= stop())
    t.after(stopOnce)
    return stopOnce
  }

  test('is heard of at once, tells how far it is, and ends', async (t) => {
    const told: number[] = []
    await start(
      t,
      kindOf(async (job, piece) => {
        told.push((await read(job)).done)
        assert.equal(told.length, piece + 1)
      }),
    )
    const done = await ended(await ask(world.installer))
    assert.deepEqual([done.state, done.done, done.failure, told], ['done', 5, null, [0, 1, 2, 3, 4]])
    assert.ok(done.endedAt)
    while ((await database.rows('select 1 from graphile_worker.jobs')).length > 0) await wait(5)
  })

  test('goes on at the next start wherever its server died, and does nothing twice', async (t) => {
    const notHanded = await ask(world.installer)
    const lost = await ask(world.installer)
    const taken = await ask(world.other)
    await database.rows(
      `with done as (insert into pieces select id, piece from long_jobs, generate_series(0, 2) piece where id = any($1))
       update long_jobs set handed_over = true, done = 2 where id = any($1)`,
      [[lost.id, taken.id]],
    )
    await database.rows(
      `select queue_job('long-job', json_build_object('installerId', $1::text, 'id', $2::text), 'long-job:' || $2::text)`,
      [taken.installerId, taken.id],
    )
    await database.rows(
      `update graphile_worker._private_jobs set locked_by = 'a dead one', locked_at = now(), attempts = 1`,
    )
    await start(t, kindOf())
    for (const job of [notHanded, lost, taken]) {
      const { state, done } = await ended(job)
      assert.deepEqual([state, done], ['done', 5])
      assert.deepEqual(await piecesOf(job), [0, 1, 2, 3, 4])
    }
  })

  test('ends after its piece when the server stops, and goes on at the next start', async (t) => {
    const reached = Promise.withResolvers<void>()
    const released = Promise.withResolvers<void>()
    const stop = await start(
      t,
      kindOf(async (_, piece) => {
        if (piece !== 1) return
        reached.resolve()
        await released.promise
      }),
    )
    const job = await ask(world.installer)
    await reached.promise
    const stopped = stop()
    released.resolve()
    await stopped
    assert.deepEqual(await piecesOf(job), [0, 1])
    const { state, done } = await read(job)
    assert.deepEqual([state, done], ['running', 2])
    await start(t, kindOf())
    assert.equal((await ended(job)).done, 5)
  })

  test('that was stopped by somebody does no further piece, and what is done stays', async (t) => {
    const reached = Promise.withResolvers<void>()
    const released = Promise.withResolvers<void>()
    await start(
      t,
      kindOf(async (_, piece) => {
        if (piece !== 2) return
        reached.resolve()
        await released.promise
      }),
    )
    const job = await ask(world.installer)
    await reached.promise
    await database.rows(`update long_jobs set state = 'cancelled', ended_at = now() where id = $1`, [job.id])
    released.resolve()
    while ((await read(job)).done < 3) await wait(5)
    // Another is done meanwhile, to its end.
    await ended(await ask(world.other))
    assert.deepEqual(await piecesOf(job), [0, 1, 2])
    const { state, done } = await read(job)
    assert.deepEqual([state, done], ['cancelled', 3])
  })

  test('that fails is tried again and told of; what it is refused for ends it with that', async (t) => {
    let failures = 0
    const troubles: (string | null)[] = []
    await start(
      t,
      kindOf(async (job, piece) => {
        if (job.total === 1) throw new DomainError('invalid', 'There is nobody to give it to.')
        if (piece !== 3) return
        troubles.push(job.failure)
        if (failures++ < 3) throw new Error('the disk was full')
      }),
    )
    const done = await ended(await ask(world.installer))
    assert.deepEqual([done.state, done.done, done.failure, done.attempts], ['done', 5, null, 0])
    assert.deepEqual(await piecesOf(done), [0, 1, 2, 3, 4])
    const told = 'Something went wrong on the server. It is tried again by itself.'
    assert.deepEqual(troubles, [null, told, told, told], 'and nothing of the error itself is shown')
    const refused = await ended(await ask(world.other, 1))
    assert.deepEqual([refused.state, refused.failure], ['failed', 'There is nobody to give it to.'])
    assert.deepEqual(await piecesOf(refused), [-1], 'what goes with it is in the same transaction')
  })

  test('that begins at the top again has not got on before it is further', async (t) => {
    const attempts: number[] = []
    await start(t, {
      ...kindOf(),
      async *work(_, job) {
        attempts.push(job.attempts)
        yield 1
        yield 2
        if (attempts.length < 4) throw new Error('the third piece cannot be done')
        yield 3
        return true
      },
    })
    const { state, done, failure } = await ended(await ask(world.installer, 3))
    assert.deepEqual([state, done, failure, attempts], ['done', 3, null, [0, 1, 2, 3]])
  })

  test('of one company does not wait for that of another to end', async (t) => {
    let isSmallDone = false
    const large = 1_000_000
    const kind = kindOf()
    await start(
      t,
      {
        ...kind,
        async *work(deps, job) {
          if (job.total < large) return yield* kind.work(deps, job)
          for (let done = 0; !isSmallDone; ) yield ++done
          return true
        },
      },
      1,
    )
    const endless = await ask(world.installer, large)
    while ((await read(endless)).done === 0) await wait(5)
    const small = await ask(world.other)
    assert.equal((await ended(small)).state, 'done')
    isSmallDone = true
    assert.equal((await ended(endless)).state, 'done')
  })

  test('of one company fills the queue with three at a time', async (t) => {
    const released = Promise.withResolvers<void>()
    const begun = Promise.withResolvers<void>()
    await start(
      t,
      kindOf(async (job) => {
        if (job.installerId === world.other.company.id) return
        begun.resolve()
        await released.promise
      }),
      8,
    )
    const jobs = await Promise.all([1, 2, 3, 4, 5].map(() => ask(world.installer, 1)))
    await begun.promise
    await ended(await ask(world.other))
    const handed = await database.rows(
      `select 1 from long_jobs where handed_over and state = 'running' and installer_id = $1`,
      [world.installer.company.id],
    )
    assert.equal(handed.length, 3)
    released.resolve()
    for (const job of jobs) assert.equal((await ended(job)).state, 'done')
  })

  test('runs once of a kind for a record', async () => {
    const { actor, now } = world.installer.as()
    const asked = { kind: 'test', subjectId: newId('thing'), companyId: actor.companyId, total: 1 }
    const asks = await Promise.all(
      [1, 2, 3].map(() =>
        database.db.transaction((tx) => createLongJob(tx, actor, now, { ...asked, heldUntil: held })),
      ),
    )
    assert.equal(asks.filter((job) => job !== null).length, 1)
  })

  test('that somebody does by themselves is taken over once they say nothing more', async (t) => {
    const { actor, now } = world.installer.as()
    const asked = { kind: 'test', subjectId: newId('thing'), companyId: actor.companyId, total: 5 }
    const job = (await createLongJob(database.db, actor, now, { ...asked, heldUntil: held }))!
    await start(t, kindOf())
    await ended(await ask(world.installer))
    assert.deepEqual(await piecesOf(job), [])
    await database.rows('update long_jobs set not_before = now() where id = $1', [job.id])
    await ended(await ask(world.installer))
    assert.equal((await ended(job)).state, 'done')
  })

  describe('stopped by people', () => {
    const as = (of: Actors, role: Role): Context => {
      const ctx = of.as()
      return { ...ctx, actor: { ...ctx.actor, kind: 'member', id: 'memb_none000000', name: 'Olga', role } }
    }
    const heldRun = async (of: Actors, kind = runKind) => {
      const { actor, now } = of.as()
      const { companyId } = actor
      const input = { month: '2026-01-01' }
      const asked = { kind, subjectId: newId('comp'), companyId, input, total: 9, heldUntil: held }
      return (await createLongJob(database.db, actor, now, asked))!
    }
    const refused = (code: string) => (error: Error) => error instanceof DomainError && error.code === code

    test('ends at once, with who did so in the audit log, and only once', async () => {
      const run = await heldRun(world.dealer)
      const stopped = await stopLongJob(as(world.dealer, 'manager'), run.id)
      assert.deepEqual([stopped.state, stopped.id], ['cancelled', run.id])
      const events = await database.rows<{ type: string; actor_name: string }>(
        'select type, actor_name from events where subject_id = $1',
        [run.id],
      )
      assert.deepEqual(events, [{ type: 'plan.run_stopped', actor_name: 'Olga' }])
      await assert.rejects(stopLongJob(as(world.dealer, 'manager'), run.id), /This has ended already/)
      const noted = await database.rows('select 1 from events where subject_id = $1', [run.id])
      assert.equal(noted.length, 1)
    })

    test('is not there for other companies, and refused to who may not ask for it', async () => {
      const run = await heldRun(world.dealer)
      for (const foreign of [world.other, world.otherDealer, world.sister])
        await assert.rejects(stopLongJob(as(foreign, 'owner'), run.id), refused('not_found'))
      for (const id of ['job_none000000', 'x', '%00', "job_0' or 1=1"])
        await assert.rejects(stopLongJob(as(world.dealer, 'owner'), id), refused('not_found'))
      await assert.rejects(stopLongJob(as(world.dealer, 'rep'), run.id), refused('forbidden'))
      const brought = await heldRun(world.dealer, importKind)
      await assert.rejects(stopLongJob(as(world.dealer, 'manager'), brought.id), refused('forbidden'))
      await assert.rejects(stopLongJob(as(world.installer, 'owner'), brought.id), refused('not_found'))
      for (const job of [run, brought]) assert.equal((await read(job)).state, 'running')
      assert.equal((await stopLongJob(as(world.installer, 'owner'), run.id)).state, 'cancelled')
    })
  })
})
