import type { Db } from '../../../platform/db.ts'
import { type Context, type Scope, scopeOf } from '../../kernel/context.ts'
import { DomainError, notFound } from '../../kernel/domain-error.ts'
import { listing } from '../../kernel/listing.ts'
import { findPanel } from '../installations/panel-queries.ts'
import { findInstallationOwner } from '../installations/queries.ts'
import { listPanelIds, listReadings } from './queries.ts'
import type { Reading } from './reading.ts'

export interface ReadingsWanted {
  panelId?: string | undefined
  installationId?: string | undefined
  from: Date
  /** Not included. */
  until: Date
  after: ReadingPlace | null
  limit: number
}

/** Behind the reading of this panel and time. */
export interface ReadingPlace {
  panelId: string
  at: Date
}

export interface ReadReadings {
  readings: Reading[]
  next: ReadingPlace | null
}

const maxDays = 366
/** No reading is older. */
const firstTime = new Date('1999-12-31T00:00:00Z')
const dayMs = 86_400_000
/** Of an installation, so many panels are looked at for a page: many may have no readings of the time. */
const panelsAtOnce = 100

/**
 * What was sent of a panel, or of an installation panel by panel, in order of time; what counts, that is: without what is
 * quarantined, and with what panels made that were deleted since.
 */
export const readReadings = listing(
  'anything',
  async (ctx: Context, wanted: ReadingsWanted): Promise<ReadReadings> => {
    const { until, after, limit } = wanted
    const { installerId } = ctx.actor
    requireRange(wanted.from, until)
    const from = wanted.from < firstTime ? firstTime : wanted.from
    const readings: Reading[] = []
    for (const [i, panelId] of (await panelsOf(ctx.db, scopeOf(ctx), wanted)).entries()) {
      if (i === panelsAtOnce) return { readings, next: { panelId, at: new Date(from.getTime() - 1) } }
      const start = after?.panelId === panelId ? new Date(after.at.getTime() + 1) : from
      const left = limit - readings.length
      const rows = await listReadings(ctx.db, { installerId, panelId, from: start, until, limit: left + 1 })
      for (const { at, microkwh } of rows.slice(0, left))
        readings.push({ panelId, at: at.getTime(), microkwh })
      if (rows.length > left) return { readings, next: lastOf(readings) }
    }
    return { readings, next: null }
  },
)

function requireRange(from: Date, until: Date): void {
  if (until <= from) throw new DomainError('invalid', 'end must be later than start.')
  if (until.getTime() - from.getTime() > maxDays * dayMs)
    throw new DomainError('invalid', `end: at most ${maxDays} days are read at once. Ask for fewer.`)
}

/** One panel, or those of an installation from the place on. */
async function panelsOf(db: Db, scope: Scope, wanted: ReadingsWanted): Promise<string[]> {
  const { panelId, installationId, after } = wanted
  if (panelId !== undefined) {
    const found = await findPanel(db, scope, panelId)
    if (!found || (installationId !== undefined && found.panel.installationId !== installationId))
      throw notFound('panel')
    return [panelId]
  }
  if (installationId === undefined)
    throw new DomainError('invalid', 'panelId is required where there is no installationId.')
  if ((await findInstallationOwner(db, scope, installationId)) === null) throw notFound('installation')
  const { installerId } = scope
  const first = after?.panelId ?? ''
  const panels = await listPanelIds(db, { installerId, installationId, first, limit: panelsAtOnce + 1 })
  return panels.map(({ id }) => id)
}

function lastOf(readings: readonly Reading[]): ReadingPlace {
  const { panelId, at } = readings.at(-1)!
  return { panelId, at: new Date(at) }
}
