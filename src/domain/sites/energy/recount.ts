import type { Db } from '../../../platform/db.ts'
import { keepTrouble } from '../installations/trouble-queries.ts'
import {
  type CountedDay,
  clearDays,
  findExtent,
  findMark,
  listPanelsToCheck,
  lockCheckedInstallation,
  replaceDays,
} from './check-queries.ts'
import { countDays } from './check-roll-ups.ts'
import { placesIn } from './local-time.ts'

/** The days of an installation and its panels as another clock has them. */
export interface Recount {
  timezone: string
  days: CountedDay[]
  /** What there was when they were counted. */
  mark: string
}

const rowsAtOnce = 2_000

/** Counts an installation's days by a clock. Nothing is written, and nobody is kept from writing. */
export async function recountEnergy(
  db: Db,
  installerId: string,
  id: string,
  timezone: string,
): Promise<Recount> {
  const key = { installerId, installationId: id }
  const { mark } = await findMark(db, key)
  const { firstAt, lastAt } = await findExtent(db, key)
  if (firstAt === null || lastAt === null) return { timezone, days: [], mark }
  const placeOf = placesIn(timezone)
  const range = { first: placeOf(firstAt.getTime()).day, last: placeOf(lastAt.getTime()).day }
  const panels = await listPanelsToCheck(db, key)
  const counted = await countDays(db, installerId, { id, timezone }, panels, range)
  return { timezone, days: [...counted.values()], mark }
}

/** Whether every reading that the days sum up was there to be counted: old ones may have been put away. */
export function isComplete({ days, mark }: Recount): boolean {
  const ofInstallation = days.filter(({ panels }) => panels !== null)
  const readings = ofInstallation.reduce((sum, day) => sum + day.readings, 0)
  return String(readings) === mark.split(' ')[0]
}

/** Puts what was counted in the place of what is kept; false where readings have come since. */
export async function replaceCounted(
  tx: Db,
  installerId: string,
  id: string,
  { days, mark }: Recount,
): Promise<boolean> {
  const key = { installerId, installationId: id }
  await lockCheckedInstallation(tx, key)
  if ((await findMark(tx, key)).mark !== mark) return false
  await clearDays(tx, key)
  for (let from = 0; from < days.length; from += rowsAtOnce)
    await replaceDays(tx, installerId, days.slice(from, from + rowsAtOnce))
  await keepTrouble(tx, installerId, [id])
  return true
}
