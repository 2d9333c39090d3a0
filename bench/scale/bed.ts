import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type pg from 'pg'
import { secretKey } from '../database.ts'
import { ask } from '../load.ts'
import { type Running, startProgram } from '../processes.ts'
import type { DatabaseFacts } from './database-facts.ts'
import { readFacts } from './database-facts.ts'
import type { Drive, Driven } from './generator.ts'
import { model } from './model.ts'
import type { RunOptions } from './options.ts'
import type { Mark } from './own-database.ts'
import { readPlan } from './plan.ts'
import { timeOfQuarter } from './requests.ts'
import type { Watched } from './resources.ts'
import { givePasswords, signInAll } from './sign-in.ts'

/** All that runs while something is measured. */
export interface Bed {
  client: pg.Client
  facts: DatabaseFacts
  server: Running
  receiver: Running
  watched: Watched
  /** Drives a load and answers what came of it. */
  drive(asked: Drive): Promise<Driven>
}

/** Undoes what was begun, the last first. */
export type Undo = (() => unknown)[]

const noLimit = '1000000'

/** What the steps of docs/scale.md are taken by. */
const steps = ['DATABASE_REPLICA_URL', 'DATABASE_DIRECT_URL', 'DATABASE_CONNECTIONS', 'REDIS_URL']

function ofSteps(): Record<string, string> {
  return Object.fromEntries(steps.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])))
}

export async function openBed(
  options: RunOptions,
  mark: Mark,
  client: pg.Client,
  undo: Undo,
  note: (message: string) => void,
): Promise<Bed> {
  const folder = await mkdtemp(join(tmpdir(), 'sunstead-scale-'))
  undo.push(() => rm(folder, { recursive: true, force: true }))
  const receiver = await startProgram(['bench/webhook-receiver.ts'], {}, join(folder, 'receiver.log'))
  undo.push(() => receiver.stop())
  const ports: number[] = JSON.parse((await ask(receiver.port, '/ports')).text)
  // Each installer's at one of eight hosts: no host is everybody's.
  // Their addresses stand in the text: an update of all nodes by a parameter that is an array ends Citus 13.2's server.
  for (const [i, port] of ports.slice(0, 8).entries())
    await client.query(
      `update webhooks set url = 'http://127.0.0.1:${port}/hook', status = 'enabled', failing_since = null
       where hashtext(installer_id) & 7 = ${i}`,
    )
  await beginDays(client, mark)

  const plan = await readPlan(client, mark)
  note(`people who sign in: ${plan.people.length}`)
  await givePasswords(client, options.url, plan.people)
  const server = await startProgram(
    ['scripts/run.js', 'bin/sunstead.js', 'serve'],
    {
      ...ofSteps(),
      DATABASE_URL: options.url,
      DATA_DIR: join(folder, 'data'),
      DEMO: '0',
      SECRET_KEY: secretKey,
      // Calls are counted as ever, and nobody is refused.
      RATE_LIMIT_PER_MINUTE: noLimit,
      WEB_CONCURRENCY: String(options.processes),
      OUTBOUND_TRUSTED_HOSTS: ports.map((port) => `127.0.0.1:${port}`).join(),
      LOG_LEVEL: 'warn',
    },
    join(folder, 'server.log'),
  )
  undo.push(() => server.stop())
  note('the server is ready')
  plan.people = await signInAll(server.port, plan.people)

  const planFile = join(folder, 'plan.json')
  await writeFile(planFile, JSON.stringify(plan), { mode: 0o600 })
  const generator = fork(join(import.meta.dirname, 'generator.ts'), [planFile, String(server.port)], {
    execArgv: [],
  })
  undo.push(() => generator.kill())
  await nextMessage(generator)
  const facts = await readFacts(client)
  return {
    client,
    facts,
    server,
    receiver,
    watched: {
      serverPid: server.pid,
      serverPort: server.port,
      generatorPid: generator.pid!,
      receiverPid: receiver.pid,
      backendPids: facts.backendPids ?? [],
    },
    async drive(asked) {
      const answered = nextMessage(generator)
      generator.send(asked)
      return answered as Promise<Driven>
    },
  }
}

async function nextMessage(child: ChildProcess): Promise<unknown> {
  const ended = new AbortController()
  try {
    return await Promise.race([
      once(child, 'message', { signal: ended.signal }).then(([message]) => message),
      once(child, 'exit', { signal: ended.signal }).then(() => {
        throw new Error('the load generator has ended')
      }),
    ])
  } finally {
    ended.abort()
  }
}

const hours = `array_fill(0::bigint, array[24])`

/**
 * The day's row of every panel and site is there, as it is but for the first quarter of an hour of a day: a run shorter
 * than a day would else make all of them, and count a day's rows as minutes'.
 */
async function beginDays(client: pg.Client, mark: Mark): Promise<void> {
  const day = timeOfQuarter(mark.firstDay, mark.quarters).toISOString().slice(0, 10)
  await client.query(
    `insert into panel_days (installer_id, panel_id, day, microkwh, readings, hours)
     select installer_id, id, '${day}'::date, 0, 0, ${hours} from panels on conflict do nothing`,
  )
  await client.query(
    `insert into installation_days (installer_id, installation_id, day, microkwh, readings, panels, hours)
     select installer_id, id, '${day}'::date, 0, 0, panel_count, ${hours} from installations on conflict do nothing`,
  )
}

/** Which quarter comes after all that any site has sent; runs that follow begin there, on a day of their own. */
export function nextQuarters({ quarters }: Mark, sent: number): number {
  const perDay = 1440 / model.readingMinutes
  return Math.ceil((quarters + sent + 1) / perDay) * perDay
}
