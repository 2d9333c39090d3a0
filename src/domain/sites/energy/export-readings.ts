import { type Context, scopeOf } from '../../kernel/context.ts'
import { notFound } from '../../kernel/domain-error.ts'
import { dayOf, startOfDay } from './local-time.ts'
import { listPanelsToExport, listReadings, type PanelToExport } from './queries.ts'
import type { Reading } from './reading.ts'

export interface ExportWanted {
  installationId?: string | undefined
  panelId?: string | undefined
  /** Days as YYYY-MM-DD by the installation's clock, both inclusive. */
  from?: string | undefined
  to?: string | undefined
  /** Leaves out panels that were deleted. */
  withoutDeleted?: boolean | undefined
}

export interface Exported {
  readings: Reading[]
  /** How many panels are done, of how many, and how many of those done were deleted. */
  panels: number
  ofPanels: number
  deletedPanels: number
}

const pageSize = 5_000
const firstDay = '2000-01-01'

/** All readings, deleted panels' too, panel by panel in order of time; a page at a time, whatever their number. */
export async function* exportReadings(ctx: Context, wanted: ExportWanted): AsyncGenerator<Exported> {
  const { installationId = null, panelId = null } = wanted
  const withDeleted = wanted.withoutDeleted !== true
  const panels = await listPanelsToExport(ctx.db, {
    ...scopeOf(ctx),
    installationId,
    panelId,
    withDeleted,
  })
  if (panels.length === 0 && panelId !== null) throw notFound('panel')
  if (panels.length === 0 && installationId !== null) throw notFound('installation with panels')
  const ofPanels = panels.length
  let deletedPanels = 0
  for (const [index, panel] of panels.entries()) {
    for await (const readings of readingsOf(ctx, panel, wanted)) {
      yield { readings, panels: index, ofPanels, deletedPanels }
    }
    if (panel.deleted) deletedPanels++
    yield { readings: [], panels: index + 1, ofPanels, deletedPanels }
  }
}

async function* readingsOf(
  { db, actor, now }: Context,
  { id: panelId, timezone }: PanelToExport,
  { from, to }: ExportWanted,
): AsyncGenerator<Reading[]> {
  let start = startOfDay(timezone, dayOf(from ?? firstDay) - (from ? 0 : 1)).ms
  const last = to === undefined ? dayOf(now.toISOString().slice(0, 10)) + 3 : dayOf(to)
  const until = new Date(startOfDay(timezone, last + 1).ms)
  const wanted = { installerId: actor.installerId, panelId, until }
  for (;;) {
    const page = { ...wanted, from: new Date(start), limit: pageSize }
    const rows = await db.reading(actor.installerId, 'anything', (from) => listReadings(from, page))
    yield rows.map(({ at, microkwh }) => ({ panelId, at: at.getTime(), microkwh }))
    if (rows.length < pageSize) return
    start = rows.at(-1)!.at.getTime() + 1
  }
}
