import type { Database, Db } from '../../../platform/db.ts'
import { row, text } from '../../../platform/sql/row.ts'
import { type Fragment, type Params, raw, sql } from '../../../platform/sql/sql.ts'
import { many, run } from '../../../platform/sql/statements.ts'
import { severities } from '../alerts/alert.ts'

type Some = Params<{ installerId: string; ids: readonly string[] }>

const rank = raw(`array_position(array[${severities.map((name) => `'${name}'`).join(', ')}], a.severity)`)

/** Those, among some, whose worst open alert or last day with readings is not what is kept beside them. */
export const unkept = ({ installerId }: Params<{ installerId: string }>, among: Fragment): Fragment => sql`
    select i.id, i.worst as kept_worst, i.last_day as kept_day, found.worst, found.last_day from installations i cross join lateral (
      select (select coalesce(max(${rank}), 0)::smallint from alerts a
          where a.installer_id = ${installerId} and a.installation_id = i.id and a.status <> 'resolved') as worst,
        (select max(d.day) from installation_days d
          where d.installer_id = ${installerId} and d.installation_id = i.id) as last_day
    ) found
    where i.installer_id = ${installerId} ${among}
      and (i.worst, i.last_day) is distinct from (found.worst, found.last_day)`

const ofSome = ({ ids }: Some) => sql`and i.id = any(${ids}::text[])`

const listUnkept = many(
  row<{ id: string }>({ id: text }),
  ($: Some) => sql`select id from (${unkept($, ofSome($))}) u`,
)

const holdInstallations = run(
  (
    $: Some,
  ) => sql`select from installations where installer_id = ${$.installerId} and id = any(${$.ids}::text[])
    order by id for no key update`,
)

const writeTrouble = run(
  (
    $: Some,
  ) => sql`update installations i set worst = u.worst, last_day = u.last_day from (${unkept($, ofSome($))}) u
    where i.installer_id = ${$.installerId} and i.id = u.id`,
)

/** Writes beside installations what was written about them in this transaction: how bad it is, and since when they are silent. */
export async function keepTrouble(tx: Db, installerId: string, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  // Held first, in the order of everybody who holds several, and then read: what others write meanwhile is in it.
  await holdInstallations(tx, { installerId, ids })
  await writeTrouble(tx, { installerId, ids })
}

/** Puts right what is kept, where somebody wrote who did not know of it. */
export async function mendTrouble(db: Database, installerId: string, ids: readonly string[]): Promise<void> {
  const wrong = await listUnkept(db, { installerId, ids })
  if (wrong.length === 0) return
  const own = wrong.map(({ id }) => id)
  await db.transaction((tx) => keepTrouble(tx, installerId, own))
}
