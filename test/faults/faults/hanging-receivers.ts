import type { ServerResponse } from 'node:http'
import { availableParallelism, loadavg } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Fault } from '../fault.ts'
import { outsideWorld } from '../outside/world.ts'

/** How far behind the other company may be told of things meanwhile; where processors are wanted several times over, as many times that. */
const lagLimitMs = () => 5_000 * Math.max(1, loadavg()[0]! / availableParallelism())

type Way = (response: ServerResponse, held: Set<ServerResponse>) => void

const drip = (response: ServerResponse, text: string, everyMs: number) => {
  const timer = setInterval(() => response.write(text), everyMs)
  response.on('close', () => clearInterval(timer))
}

const ways: Way[] = [
  // Accepts, and never answers.
  () => {},
  (response) => {
    response.writeHead(500)
    drip(response, 'a', 200)
  },
  (response) => {
    response.writeHead(503)
    drip(response, 'x'.repeat(16_384), 5)
  },
  (response) => response.socket?.resetAndDestroy(),
  (response) => response.socket?.end('HTTP/1.1 2'),
  // After the time in which it must: the message was taken and counts as not delivered.
  (response) => setTimeout(() => response.writeHead(200).end(), 16_000).unref(),
  (response) => {
    response.writeHead(204)
    response.flushHeaders()
  },
]

let worstLagMs = 0

/** One company's receiver hangs, drips and resets; the other's is told as ever. */
export const hangingReceivers: Fault = {
  name: 'hanging-receivers',
  title: 'A receiver of webhooks never answers, drips, resets, answers too late or for ever',
  shape: outsideWorld,
  times: 5,
  async strike({ endpoints }, { round, short }) {
    const [well, ill] = endpoints
    const held = new Set<ServerResponse>()
    let turn = round
    ill!.behave((response) => {
      held.add(response)
      response.on('close', () => held.delete(response))
      response.on('error', () => {})
      ways[turn++ % ways.length]!(response, held)
    })
    worstLagMs = 0
    const until = performance.now() + (short ? 3_000 : 20_000)
    while (performance.now() < until) {
      await sleep(50)
      worstLagMs = Math.max(worstLagMs, performance.now() - well!.newestHeard())
    }
    ill!.behave(null)
    for (const response of held) response.destroy()
  },
  async check() {
    return worstLagMs <= lagLimitMs() ? [] : [`the other company was told ${Math.round(worstLagMs)} ms late`]
  },
}
