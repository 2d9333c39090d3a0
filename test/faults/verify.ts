import { setTimeout as sleep } from 'node:timers/promises'
import { sunstead } from '../support/commands.ts'
import type { Bed } from './bed/bed.ts'
import type { Outcome } from './fault.ts'

/** Until everything must have been delivered, on a busy machine too. */
const deliveredWithinMs = 60_000
const shown = 5

type Found = Pick<Outcome, 'checked' | 'lost' | 'twice' | 'wrong' | 'repeatedWebhooks'>

/** Looks at everything that must hold once a fault is over and nobody writes any more. */
export async function verify(bed: Bed, { mayEnd = false }: { mayEnd?: boolean }): Promise<Found> {
  const { load, postgres, endpoints } = bed
  const held = await load.hold(postgres.rows)
  const wrong = load.caller.wrong.splice(0)
  wrong.push(...(await load.differences(postgres.rows)))
  const lost = [...held.lost, ...(await undelivered(bed))]
  for (const endpoint of endpoints)
    for (const one of endpoint.outOfOrder()) wrong.push(`${endpoint.path} was told out of order of ${one}`)
  wrong.push(...(await unsettled(bed)), ...(await doctor(bed)), ...logged(bed))
  for (const server of bed.servers) {
    const ends = server.takeEnds()
    if (!mayEnd) wrong.push(...ends.map((end) => `a server ended by itself: ${end}`))
  }
  return {
    checked: held.checked,
    lost: few(lost),
    twice: few(held.twice),
    wrong: few(wrong),
    repeatedWebhooks: endpoints.reduce((sum, endpoint) => sum + endpoint.takeRepeated(), 0),
  }
}

/** Events that no endpoint was told of, though there was time. */
async function undelivered({ endpoints, postgres }: Bed): Promise<string[]> {
  const until = performance.now() + deliveredWithinMs
  for (;;) {
    const missing: string[] = []
    for (const endpoint of endpoints)
      for (const one of await endpoint.missing(postgres.rows))
        missing.push(`${endpoint.path} did not hear of ${one}`)
    if (missing.length === 0 || performance.now() > until) return missing
    await sleep(50)
  }
}

/** Deliveries that were made and are not known to be, and work that was given up. */
async function unsettled({ postgres }: Bed): Promise<string[]> {
  const until = performance.now() + deliveredWithinMs
  for (;;) {
    const [row] = await postgres.rows<{ deliveries: number; jobs: number }>(
      `select (select count(*) from webhook_deliveries where state <> 'delivered')::int as deliveries,
         (select count(*) from graphile_worker.jobs where attempts >= max_attempts and key is not null)::int as jobs`,
    )
    const { deliveries, jobs } = row!
    if ((deliveries === 0 && jobs === 0) || performance.now() > until) {
      return [
        ...(deliveries > 0 ? [`${deliveries} deliveries are not settled`] : []),
        ...(jobs > 0 ? [`${jobs} jobs were given up`] : []),
      ]
    }
    await sleep(50)
  }
}

/** Renderings, counts and every day of energy, held against what they are made of by the command itself. */
async function doctor({ env }: Bed): Promise<string[]> {
  const { code, stdout, stderr } = await sunstead(['doctor', '--energy', '--json'], env)
  if (code === 0) return []
  try {
    const findings: { check: string; result: string; detail: string }[] = JSON.parse(stdout)
    return findings
      .filter(({ result }) => result !== 'ok')
      .map(({ check, detail }) => `doctor, ${check}: ${detail}`)
  } catch {
    return [`doctor ended with ${code}: ${stdout} ${stderr}`]
  }
}

/** What the log holds that is a bug of ours: a call that failed, or an error that nobody has caught. */
function logged({ servers }: Bed): string[] {
  return servers
    .flatMap((server) => server.takeLog())
    .filter((line) => /"msg":"a call failed"|"status":500|^\s+at |Unhandled|Uncaught/.test(line))
    .map((line) => `in the log: ${line.slice(0, 600)}`)
}

const few = (findings: string[]) =>
  findings.length <= shown ? findings : [...findings.slice(0, shown), `and ${findings.length - shown} more`]
