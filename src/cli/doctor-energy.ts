import { randomUUID } from 'node:crypto'
import { eachInstaller } from '../domain/kernel/tenant/queries.ts'
import { checkRollUps, type WrongDay } from '../domain/sites/energy/check-roll-ups.ts'
import type { Database } from '../platform/db.ts'
import { createProgress } from './energy-progress.ts'

const shown = 5

interface Found {
  installations: number
  days: number
  wrong: number
  mended: number
  /** The first of those that are wrong still. */
  some: WrongDay[]
  stopped: boolean
}

/** Holds days of energy against their readings, some or all of them; Ctrl-C ends it with what was found by then. */
export async function examineEnergy(db: Database, all: boolean, mend: boolean): Promise<string> {
  const found: Found = { installations: 0, days: 0, wrong: 0, mended: 0, some: [], stopped: false }
  const stop = () => {
    found.stopped = true
  }
  process.once('SIGINT', stop)
  const progress = createProgress()
  const sample = all ? null : randomUUID()
  try {
    for await (const installerId of eachInstaller(db)) {
      for await (const { days, wrong } of checkRollUps(db, { installerId, sample, mend })) {
        const left = wrong.filter(({ mended }) => !mended)
        found.installations++
        found.days += days
        found.wrong += left.length
        found.mended += wrong.length - left.length
        found.some.push(...left.slice(0, shown - found.some.length))
        progress.show(null, `${found.installations} installations, ${found.days} days, ${found.wrong} wrong`)
        if (found.stopped) break
      }
      if (found.stopped) break
    }
  } finally {
    progress.end()
    process.off('SIGINT', stop)
  }
  return described(found, all, mend)
}

function described(found: Found, all: boolean, mend: boolean): string {
  const { installations, days, wrong, mended, some, stopped } = found
  const which = stopped ? 'stopped before the end' : all ? 'all there are' : 'a sample; --energy checks all'
  const checked = `${days} days of ${installations} installations (${which})${mended ? `, ${mended} mended` : ''}`
  if (wrong === 0) return checked
  const named = some.map(
    ({ id, day, kept, counted }) =>
      `${id} on ${day}: ${kept ?? 'nothing'}, counted ${counted ?? 'no readings'}`,
  )
  const advice = mend
    ? 'days that have lost readings are left as they are: bring the readings back'
    : `run "sunstead doctor --mend${all ? ' --energy' : ''}"`
  throw new Error(`${checked}, ${wrong} wrong (${named.join('; ')}${wrong > shown ? ' …' : ''}); ${advice}`)
}
