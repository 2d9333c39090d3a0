import { createPartitionsFor } from '../../src/domain/sites/energy/partitions.ts'
import { openDatabase } from '../../src/platform/db.ts'
import { type Growth, id, quoted, series } from './grow-deals.ts'
import type { GrowthTenant } from './tenant.ts'

/** Of each panel, hour by hour: there are more panels, and none has more. */
const perPanel = 2_000
/** The first that has readings. */
export const measuredPanel = 2
const hourMs = 3_600_000

/** When each panel's last reading is. */
export const lastReadingAt = ({ beganAt }: GrowthTenant): Date =>
  new Date(Math.floor((beganAt.getTime() + 35 * 86_400_000) / hourMs) * hourMs)

export const readings: Growth = (tenant, from, to) => `
  insert into readings (installer_id, panel_id, at, microkwh)
  select ${quoted(tenant.installerId)}, ${id('pnl', `${measuredPanel} + (i - 1) / ${perPanel}`)},
    timestamptz '${lastReadingAt(tenant).toISOString()}' - (i - 1) % ${perPanel} * interval '1 hour', 100000
  from ${series(from, to)}`

/** The months that they are of. */
export async function createReadingMonths(url: string, tenant: GrowthTenant): Promise<void> {
  const db = openDatabase(url, () => {})
  const last = lastReadingAt(tenant).getTime()
  await createPartitionsFor(
    db,
    Array.from({ length: perPanel / 100 + 1 }, (_, i) => last - i * 100 * hourMs),
  )
  await db.close()
}
