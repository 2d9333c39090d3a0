import { setTimeout as sleep } from 'node:timers/promises'
import type { Bed } from '../bed/bed.ts'
import type { Fault } from '../fault.ts'
import { outsideWorld, setClock, twoClocks } from '../outside/world.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

/** Receivers refuse what was signed longer ago, or in the future. */
const signedWithinSeconds = 120

let signedWrongly: string[] = []

/** Sets clocks one after another, and looks at when messages say that they were sent. */
async function setClocks(bed: Bed, shifts: readonly (readonly number[])[], eachMs: number): Promise<void> {
  signedWrongly = []
  for (const endpoint of bed.endpoints) {
    endpoint.behave((response, { headers }) => {
      const off = Number(headers['webhook-timestamp']) - Date.now() / 1_000
      if (Math.abs(off) > signedWithinSeconds)
        signedWrongly.push(`a webhook was signed ${Math.round(off)} s from now`)
      response.writeHead(204).end()
    })
  }
  for (const shift of shifts) {
    shift.forEach((ms, host) => {
      setClock(host, ms)
    })
    await sleep(eachMs)
  }
  for (const endpoint of bed.endpoints) endpoint.behave(null)
}

/** Nothing was written down for a time that is not there yet, and nothing waits for one. */
async function check({ postgres }: Bed): Promise<string[]> {
  const ahead = await postgres.rows<{ what: string; s: number }>(
    `select what, extract(epoch from max(at) - now())::int as s from (
       select 'a tenant’s clock' as what, max(now) as at from tenant_clocks
       union all select 'an event', max(at) from events
       union all select 'a delivery', max(next_attempt_at) from webhook_deliveries where state = 'due'
       union all select 'a job', max(run_at) from graphile_worker.jobs
       union all select 'a session', max("updatedAt") from auth_sessions
       union all select 'a submission', max(begun_at) from submissions) times
     where at > now() + interval '1 minute' group by what`,
  )
  const behind = await postgres.rows<{ n: number }>(
    `select count(*)::int as n from events where at < (select min(created_at) from webhooks) - interval '1 hour'`,
  )
  return [
    ...signedWrongly.slice(0, 1),
    ...ahead.map(({ what, s }) => `${what} is ${s} s ahead`),
    ...(behind[0]!.n > 0 ? [`${behind[0]!.n} events are before anything happened`] : []),
  ]
}

/** The wall clock of the server is set, again and again. PostgreSQL's is right. */
export const clockJumps: Fault = {
  name: 'clock-jumps',
  title: 'The server’s clock jumps: an hour, a day, ten minutes back, a day back',
  shape: outsideWorld,
  times: 5,
  strike: (bed, { short }) =>
    setClocks(bed, [[hour], [-10 * minute], [day], [-day], [0]], short ? 500 : 8_000),
  check,
}

export const clocksDiffer: Fault = {
  name: 'clocks-differ',
  title: 'Two servers whose clocks differ by up to two days, and jump',
  shape: twoClocks,
  times: 3,
  strike: (bed, { short }) =>
    setClocks(
      bed,
      [
        [hour, -10 * minute],
        [-day, day],
        [0, hour],
        [0, 0],
      ],
      short ? 500 : 8_000,
    ),
  check,
}
