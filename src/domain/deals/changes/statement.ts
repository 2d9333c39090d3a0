import type { Db } from '../../../platform/db.ts'
import { instant, integer, row, text } from '../../../platform/sql/row.ts'
import { empty, type Fragment, join, param, raw, sql } from '../../../platform/sql/sql.ts'
import { composed } from '../../../platform/sql/statements.ts'
import { moveClock } from '../../kernel/tenant/clock-queries.ts'
import { $, type Around, type Part, type Shared } from './statement-parts.ts'

const written = row<{ at: Date; done: number; woken: string | null }>({
  at: instant,
  done: integer,
  woken: text,
})
const write = composed(written, { shared: 'write' })

/**
 * One statement for a whole change. It advances the tenant's clock, which is also the tenant's lock, writes the records
 * if they still are what was read, and only then everything beside them. No row comes back where the directory has
 * changed meanwhile, or the one record written has. Where one of two records has changed, the call was made before, or
 * the company has no room for its files, it fails by dividing by zero, so that nothing of it stays. Without a record,
 * what is beside is written alone.
 */
export async function writeChange(
  db: Db,
  shared: Shared,
  parts: readonly Part[],
): Promise<{ at: Date } | null> {
  const form = parts.map((part) => part.form ?? part.name).join(';')
  const values = Object.assign({ ...shared }, ...parts.map((part) => part.values))
  const [done] = await write(db, form, () => textOf(parts), values)
  return done ?? null
}

/** Of these the one that is there waits for the clock, and all others for it. */
const records = ['lead', 'project', 'ticked']
/** What must have written something, where it is not alone. */
const required: Record<string, Fragment> = {
  lead: sql`lead`,
  project: sql`project`,
  idempotency: sql`idempotency`,
  files: sql`storage`,
}

const count = sql`${param('messageCount')}::bigint`

function textOf(parts: readonly Part[]): Fragment {
  const names = new Set(parts.map(({ name }) => name))
  const has = (name: string) => names.has(name)
  const first = parts.find(({ name }) => records.includes(name))?.name
  const around: Around = { has, written: first ? sql`clock cross join ${raw(first)}` : sql`clock` }
  const later = has('lead') && has('project') ? sql`interval '1 ms'` : sql`interval '0'`
  const publishes = has('messages')
  const clock = sql`clock as (
      update tenant_clocks set ${moveClock(sql`greatest(${$.now}::timestamptz(3), now + interval '1 ms') + ${later}`)}
        ${publishes ? sql`, messages = messages + ${count}` : empty}
      where installer_id = ${$.installerId} and directory_version = ${$.directoryVersion}
      returning now - ${later} as at ${publishes ? sql`, messages - ${count} as messages` : empty}
    )`
  const queries = [clock, ...parts.filter(({ name }) => name !== 'waking').map(({ text }) => text(around))]
  const all = parts.flatMap(({ name }) => required[name] ?? [])
  const isOne = all.length < 2
  const done = isOne
    ? sql`1`
    : join(
        all.map((one) => sql`1 / (select count(*) from ${one})`),
        ' + ',
      )
  const woken = has('waking') ? sql`wake_webhooks(${$.installerId})::text` : sql`null::text`
  return sql`with ${join(queries, ',\n')}
    select clock.at, ${done} as done, ${woken} as woken from ${isOne ? around.written : sql`clock`}`
}
