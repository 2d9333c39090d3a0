import { setTimeout as sleep } from 'node:timers/promises'
import type { KeptServer } from '../bed/server.ts'
import type { Fault } from '../fault.ts'
import { twoServers } from '../shapes.ts'

const takeoverLimitMs = 1_000

async function leads({ port }: KeptServer): Promise<boolean> {
  const text = await fetch(`http://127.0.0.1:${port}/metrics`).then(
    (answer) => answer.text(),
    () => '',
  )
  return /^leads 1$/m.test(text)
}

let takeover: Promise<number> = Promise.resolve(0)

async function msUntilLeading(server: KeptServer): Promise<number> {
  const begun = performance.now()
  while (!(await leads(server))) await sleep(10)
  return performance.now() - begun
}

/** Of two hosts the one that leads dies: the other delivers, and does what is done every so often. */
export const leaderKilled: Fault = {
  name: 'leader-killed',
  title: 'Two servers: the leader is killed',
  shape: twoServers,
  times: 20,
  async strike({ servers }) {
    let leader: KeptServer | undefined
    while (!leader) for (const server of servers) if (await leads(server)) leader = server
    leader.kill('SIGKILL')
    takeover = msUntilLeading(servers.find((server) => server !== leader)!)
  },
  async check(_bed, { short }) {
    const ms = Math.round(await takeover)
    // Where the tests of everything run beside it a second says nothing.
    return short || ms < takeoverLimitMs ? [] : [`the other leads after ${ms} ms`]
  },
}
