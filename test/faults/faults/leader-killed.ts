import { availableParallelism, loadavg } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Bed } from '../bed/bed.ts'
import type { KeptServer } from '../bed/server.ts'
import type { Fault } from '../fault.ts'
import { twoServers } from '../shapes.ts'

/** On a machine that others do not use; where its processors are wanted several times over, as many times that. */
const takeoverLimitMs = () => 1_000 * Math.max(1, loadavg()[0]! / availableParallelism())
const patienceMs = 60_000

async function leads({ port }: KeptServer): Promise<boolean> {
  const text = await fetch(`http://127.0.0.1:${port}/metrics`).then(
    (answer) => answer.text(),
    () => '',
  )
  return /^leads 1$/m.test(text)
}

/** One that was just started loads what the first calls need: who takes over has served before. */
async function warmUp({ port }: KeptServer, { installer, session }: Bed['business']): Promise<void> {
  const reads: [string, Record<string, string>][] = [
    ['/v1/leads?limit=20', { authorization: `Bearer ${installer.key}` }],
    ['/console/api/session', session.headers],
  ]
  for (let i = 0; i < 20; i++)
    for (const [path, headers] of reads)
      await (await fetch(`http://127.0.0.1:${port}${path}`, { headers })).arrayBuffer()
}

let takeover: Promise<number> = Promise.resolve(0)

async function msUntilLeading(server: KeptServer): Promise<number> {
  const begun = performance.now()
  while (performance.now() < begun + patienceMs && !(await leads(server))) await sleep(25)
  return performance.now() - begun
}

/** Of two hosts the one that leads dies: the other delivers, and does what is done every so often. */
export const leaderKilled: Fault = {
  name: 'leader-killed',
  title: 'Two servers: the leader is killed',
  shape: twoServers,
  times: 20,
  async strike({ servers, business }) {
    // The one that died in the play before: where only one runs there is nobody to take over.
    await Promise.all(servers.map((server) => server.serves()))
    let leader: KeptServer | undefined
    while (!leader) for (const server of servers) if (await leads(server)) leader = server
    const other = servers.find((server) => server !== leader)!
    await warmUp(other, business)
    leader.kill('SIGKILL')
    takeover = msUntilLeading(other)
    // On a host of its own its start takes nothing of the other's processors.
    leader.stayDown(takeover)
  },
  async check(_bed, { short }) {
    const ms = Math.round(await takeover)
    // Where the tests of everything run beside it a second says nothing.
    return short || ms < takeoverLimitMs() ? [] : [`the other leads after ${ms} ms`]
  },
}
