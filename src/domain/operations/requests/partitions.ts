import type { Database, Db } from '../../../platform/db.ts'
import { row, text } from '../../../platform/sql/row.ts'
import { type Params, raw, sql } from '../../../platform/sql/sql.ts'
import { many, run } from '../../../platform/sql/statements.ts'
import { daysKept, retainedFrom } from './request.ts'

const lock = 7_310_014
const dayMs = 86_400_000

/** Makes the partitions of today and tomorrow, in days of UTC. */
export async function createDayPartitions(db: Database, now: Date): Promise<void> {
  const there = new Set(await listDays(db))
  for (const day of [dayOf(now, 0), dayOf(now, 1)]) {
    if (there.has(nameOf(day))) continue
    await db.transaction(async (tx) => {
      await takeLock(tx, {})
      if ((await listDays(tx)).includes(nameOf(day))) return
      // Made beside and then attached: CREATE TABLE … PARTITION OF would shut out who writes.
      await tx.query({ text: `create table ${nameOf(day)} (like request_batches including all)` }, [])
      // Ids do not pack well: it would save less than half of the place and be most of the work of writing.
      await tx.query({ text: `alter table ${nameOf(day)} alter column lines set storage external` }, [])
      await tx.query(
        {
          text: `alter table request_batches attach partition ${nameOf(day)}
            for values from ('${day} 00:00:00+00') to ('${dayOf(new Date(day), 1)} 00:00:00+00')`,
        },
        [],
      )
    })
  }
}

/** Drops the days that nobody may look at any more, and the counts of their hours. */
export async function dropOldDays(db: Database, now: Date): Promise<void> {
  const first = nameOf(dayOf(now, -daysKept))
  for (const name of await listDays(db)) {
    if (name >= first) continue
    await db.transaction(async (tx) => {
      await takeLock(tx, {})
      if (!(await listDays(tx)).includes(name)) return
      // Who reads just now is not waited for long: everybody else would wait behind. It is tried again.
      await tx.query({ text: `set local lock_timeout = '2s'` }, [])
      await tx.query({ text: `drop table ${name}` }, [])
    })
  }
  await deleteOldHours(db, { before: retainedFrom(now) })
}

const takeLock = run((_: Params<object>) => sql`select pg_advisory_xact_lock(${raw(lock)})`)

const dayTables = many(
  row<{ name: string }>({ name: text }),
  (_: Params<object>) => sql`
    select c.relname::text as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'request_batches'::regclass order by 1`,
)

const deleteOldHours = run(
  ($: Params<{ before: Date }>) => sql`
    delete from api_key_hours h using api_keys k
    where h.installer_id = k.installer_id and h.key_id = k.id and h.hour < ${$.before}`,
  { across: 'hours run out for all companies alike' },
)

async function listDays(db: Db): Promise<string[]> {
  return (await dayTables(db, {})).map(({ name }) => name)
}

function dayOf(instant: Date, daysLater: number): string {
  return new Date(instant.getTime() + daysLater * dayMs).toISOString().slice(0, 10)
}

function nameOf(day: string): string {
  return `request_batches_${day.replaceAll('-', '_')}`
}
