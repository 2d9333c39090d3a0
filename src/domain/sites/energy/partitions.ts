import type { Database } from '../../../platform/db.ts'
import { boolean, row } from '../../../platform/sql/row.ts'
import { type Params, raw, sql } from '../../../platform/sql/sql.ts'
import { maybeOne, run } from '../../../platform/sql/statements.ts'

const lock = 7_310_004
const monthsAhead = 3

/** A month of UTC, as the months since January of the year 0. */
type Month = number

function monthOf(ms: number): Month {
  const date = new Date(ms)
  return date.getUTCFullYear() * 12 + date.getUTCMonth()
}

/** Makes the partitions of this month and the next ones, so that no reading has to wait for its own. */
export async function createUpcomingPartitions(db: Database, now: Date): Promise<void> {
  const first = monthOf(now.getTime())
  await createPartitions(
    db,
    Array.from({ length: monthsAhead + 1 }, (_, i) => first + i),
  )
}

/** Makes the partitions that readings of these times, in milliseconds since 1970, need. */
export function createPartitionsFor(db: Database, times: Iterable<number>): Promise<void> {
  const months = new Set<Month>()
  for (const at of times) months.add(monthOf(at))
  return createPartitions(db, [...months])
}

/**
 * One transaction each, under a lock of their own, so that two who need the same month make it once. The table is
 * made beside and then attached: CREATE TABLE … PARTITION OF would shut out every reader and writer of the readings.
 */
async function createPartitions(db: Database, months: readonly Month[]): Promise<void> {
  for (const month of months) {
    const name = nameOf(month)
    const range = `from ('${startOf(month)}') to ('${startOf(month + 1)}')`
    if (await findPartition(db, { name })) continue
    await db.transaction(async (tx) => {
      await lockPartitions(tx, {})
      if (await findPartition(tx, { name })) return
      await tx.query({ text: `create table ${name} (like readings including all)` }, [])
      await tx.query({ text: `alter table readings attach partition ${name} for values ${range}` }, [])
    })
  }
}

const lockPartitions = run(() => sql`select pg_advisory_xact_lock(${raw(lock)})`)

// Asked of the tables: to_regclass looks into the connection's cache, which does not see in time what another made
// while this one waited for the lock.
const findPartition = maybeOne(
  row<{ isThere: boolean }>({ isThere: boolean }),
  ($: Params<{ name: string }>) => sql`
    select true as "isThere" from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'readings'::regclass and c.relname = ${$.name}`,
)

function nameOf(month: Month): string {
  return `readings_${Math.floor(month / 12)}_${String((month % 12) + 1).padStart(2, '0')}`
}

function startOf(month: Month): string {
  return `${Math.floor(month / 12)}-${String((month % 12) + 1).padStart(2, '0')}-01 00:00:00+00`
}

/** Whether a reading found no partition for its month. */
export function lacksPartition(error: unknown): boolean {
  const { code, message } = error as { code?: string; message?: string }
  return code === '23514' && /no partition/.test(message ?? '')
}
