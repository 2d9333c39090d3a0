import type { Database, Db } from '../../../platform/db.ts'
import { boolean, row, text } from '../../../platform/sql/row.ts'
import { type Fragment, type Params, raw, sql } from '../../../platform/sql/sql.ts'
import { many, run } from '../../../platform/sql/statements.ts'
import { severities } from '../alerts/alert.ts'
import { lockInstallations } from '../energy/reading-queries.ts'

/** Of so many at most something is held at once. */
const atOnce = 500

type Some = Params<{ installerId: string; ids: readonly string[] }>

const rank = raw(`array_position(array[${severities.map((name) => `'${name}'`).join(', ')}], a.severity)`)

/** Those, among some, whose worst open alert or last day with readings is not what is kept beside them. */
const unkept = ({ installerId }: Params<{ installerId: string }>, among: Fragment): Fragment => sql`
    select i.id, i.worst as kept_worst, i.last_day as kept_day, found.worst, found.last_day from installations i cross join lateral (
      select (select coalesce(max(${rank}), 0)::smallint from alerts a
          where a.installer_id = ${installerId} and a.installation_id = i.id and a.status <> 'resolved') as worst,
        (select max(d.day) from installation_days d
          where d.installer_id = ${installerId} and d.installation_id = i.id) as last_day
    ) found
    where i.installer_id = ${installerId} ${among}
      and (i.worst, i.last_day) is distinct from (found.worst, found.last_day)`

/** One whose trouble is not kept as it is. */
export interface WrongTrouble {
  id: string
  kept: string
  found: string
}

/** A part of a tenant's, by id; of deleted ones nobody asks. */
const listUnkept = many(
  row<WrongTrouble & { last: string; isFull: boolean }>({
    id: text,
    kept: text,
    found: text,
    last: text,
    isFull: boolean,
  }),
  ($: Params<{ installerId: string; after: string }>) => {
    const ids = sql`select i.id from installations i where i.installer_id = ${$.installerId} and i.deleted_at is null
      and i.id > ${$.after} order by i.id limit ${raw(atOnce)}`
    return sql`with part as materialized (${ids})
      select coalesce(u.id, '') as id, coalesce(concat_ws(' ', u.kept_worst, u.kept_day), '') as kept,
        coalesce(concat_ws(' ', u.worst, u.last_day), '') as found, m.last, m."isFull"
      from (select max(id) as last, count(*) = ${raw(atOnce)} as "isFull" from part) m
        left join (${unkept($, sql`and i.id in (select id from part)`)}) u on true
      where m.last is not null order by u.id`
  },
)

const writeTrouble = run(
  (
    $: Some,
  ) => sql`update installations i set worst = u.worst, last_day = u.last_day from (${unkept($, sql`and i.id = any(${$.ids}::text[])`)}) u
    where i.installer_id = ${$.installerId} and i.id = u.id`,
)

/** Writes beside installations what was written about them in this transaction: how bad it is, and since when they are silent. */
export async function keepTrouble(tx: Db, installerId: string, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  // Held first, in the order of everybody who holds several, and then read: what others write meanwhile is in it.
  await lockInstallations(tx, installerId, ids)
  await writeTrouble(tx, { installerId, ids })
}

/** A tenant's installations whose trouble is not kept as it is, part by part. */
export async function* wrongTrouble(db: Db, installerId: string): AsyncGenerator<WrongTrouble[]> {
  for (let after = ''; ; ) {
    const rows = await listUnkept(db, { installerId, after })
    if (rows.length === 0) return
    yield rows.filter(({ id }) => id !== '')
    if (!rows[0]!.isFull) return
    after = rows[0]!.last
  }
}

/** Puts right what is kept, where somebody wrote who did not know of it: a version before. After each part it waits for `rest`. */
export async function mendTrouble(
  db: Database,
  installerId: string,
  { signal, rest }: { signal?: AbortSignal; rest?: () => Promise<void> } = {},
): Promise<void> {
  for await (const wrong of wrongTrouble(db, installerId)) {
    const ids = wrong.map(({ id }) => id)
    if (ids.length > 0) await db.transaction((tx) => keepTrouble(tx, installerId, ids))
    await rest?.()
    if (signal?.aborted) return
  }
}
