import { setTimeout as sleep } from 'node:timers/promises'
import type { Bed } from '../bed/bed.ts'
import type { Fault, Play } from '../fault.ts'
import { complaints, type Noticed, watchOthers } from '../outside/others.ts'
import { callSlowly } from '../outside/slow-callers.ts'
import { outsideWorld } from '../outside/world.ts'
import { twoProcesses } from '../shapes.ts'

/** Two looks, a minute apart, at who takes its answers; then the idle ones are closed too. */
const endedWithinMs = 150_000
const maxGrownMb = 200

let noticed: Noticed = { slowestMs: 0, grownMb: 0 }
let left = 0
let counted = 0

async function ended(port: number): Promise<number> {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
  return [...text.matchAll(/^http_connections_ended_total\{[^}]*\} (\d+)/gm)].reduce(
    (sum, [, n]) => sum + Number(n),
    0,
  )
}

async function strike(bed: Bed, { short }: Play): Promise<void> {
  const { servers, business } = bed
  const { port } = servers[0]!
  const before = await ended(port)
  const keys = { key: business.installer.key, session: business.session.headers }
  noticed = await watchOthers(bed, async () => {
    const slow = callSlowly(port, short ? 150 : 600, keys)
    const until = performance.now() + (short ? 2_500 : endedWithinMs)
    while (slow.open() > 0 && performance.now() < until) await sleep(100)
    left = slow.open()
    slow.hangUp()
  })
  counted = (await ended(port)) - before
}

/** Hundreds who send byte by byte, never read, or say nothing, on every interface: others do not notice, and they are ended. */
export const slowClients: Fault = {
  name: 'slow-clients',
  title: 'Hundreds of callers who send byte by byte, do not read, or say nothing',
  shape: outsideWorld,
  times: 2,
  strike,
  async check(_bed, { short }) {
    const wrong = complaints(noticed, maxGrownMb)
    // Pages that are open stay so for as long as their person is signed in.
    if (!short && left > 20) wrong.push(`${left} connections were not ended`)
    if (!short && counted === 0) wrong.push('no metric counts who was ended')
    return wrong
  },
}

export const slowClientsOfTwo: Fault = {
  ...slowClients,
  name: 'slow-clients-of-two',
  title: 'Two processes: hundreds of slow callers',
  longOnly: true,
  shape: twoProcesses,
  times: 1,
}
