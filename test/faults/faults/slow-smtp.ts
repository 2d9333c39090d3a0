import { setTimeout as sleep } from 'node:timers/promises'
import type { Bed } from '../bed/bed.ts'
import type { Fault } from '../fault.ts'
import { type Mood, moods } from '../outside/moody-smtp.ts'
import { mailServer, outsideWorld } from '../outside/world.ts'

/** After an answer that did not come a mail is sent again only a minute later. */
const settledWithinMs = 100_000

const hangUp: Mood = 'hangs up after the mail'
const later: Mood = 'later (451)'
/** What a mail is not tried again after within the time that a short run has. */
const slowToPass = new Set<Mood>([hangUp, later, 'silent in the envelope'])
let written: string[] = []

/** Mails as the server writes them; the same that a stage's message is. */
async function writeMails({ postgres, business }: Bed, count: number, name: string): Promise<void> {
  for (let i = 0; i < count; i++) {
    const { company } = i % 2 === 0 ? business.installer : business.other
    const id = `mail_${name}${i}`
    await postgres.rows(
      `insert into mails (installer_id, id, company_id, to_address, subject, body, created_at, next_attempt_at, urgent)
       values ($1, $2, $1, $3, 'Hello', 'Text', now(), now(), $4)`,
      [company.id, id, `ada@d${i % 5}.example`, i % 3 === 0],
    )
    written.push(id)
  }
}

async function unsent({ postgres }: Bed): Promise<{ id: string; state: string; error: string | null }[]> {
  return postgres.rows(
    `select id, state, last_error as error from mails where id = any($1) and state <> 'sent'`,
    [written],
  )
}

/** A mail server that is slow in every way there is: mails wait, calls do not, and each arrives once. */
export const slowSmtp: Fault = {
  name: 'slow-smtp',
  title: 'The mail server is silent, drips, hangs in a mail, hangs up after it or says later',
  shape: outsideWorld,
  times: 5,
  async strike(bed, { round, short }) {
    written = []
    const usable = moods.filter((mood) => !short || !slowToPass.has(mood))
    let turn = round
    mailServer().feel(() => usable[turn++ % usable.length]!)
    const name = `${round}${Math.random().toString(36).slice(2, 8)}`
    await writeMails(bed, short ? 6 : 18, name)
    await sleep(short ? 1_500 : 10_000)
    mailServer().feel(null)
    await writeMails(bed, 2, `${name}after`)
  },
  async check(bed, { short }) {
    const until = performance.now() + settledWithinMs
    let left = await unsent(bed)
    for (; left.length > 0 && performance.now() < until; left = await unsent(bed)) await sleep(100)
    const { handedOver, taken } = mailServer()
    const idOf = (id: string) => [...handedOver.keys()].find((key) => key.startsWith(`${id}@`)) ?? id
    const wrong = left.map(({ id, state, error }) => `${id} is ${state}: ${error}`)
    for (const id of written) {
      const times = handedOver.get(idOf(id)) ?? 0
      // Once more where the server hung up without a word: it may have taken it, or not.
      if (times > (short ? 1 : 2)) wrong.push(`${id} was handed over ${times} times`)
      if (!taken.has(idOf(id))) wrong.push(`${id} was never taken`)
    }
    return wrong
  },
}
