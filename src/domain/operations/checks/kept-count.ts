import { row, text } from '../../../platform/sql/row.ts'
import { type Params, raw, sql, when } from '../../../platform/sql/sql.ts'
import { many } from '../../../platform/sql/statements.ts'

/** A count that is kept is not what there is. */
export interface WrongCount {
  what: string
  kept: string
  counted: string
}

export interface KeptCount {
  table: string
  column: string
  /** What it counts, and by which columns. */
  records: string
  by: readonly string[]
  /** Which of them. */
  listed?: string
  /** What is added up of them, where that is not their number. */
  sum?: string
  /** It says how often it changed. */
  changes?: boolean
}

export const wrongCount = row<WrongCount>({ what: text, kept: text, counted: text })
export type Checked = Params<{ installerId: string; mend: boolean }>

/** Holds what a table keeps against what it counts. */
export const checkOf = ({ table, column, records, by, listed = '', sum, changes }: KeptCount) => {
  const key = raw(['company_id', ...by].join(', '))
  const [kept, name] = [raw(table), raw(column)]
  return many(wrongCount, ($: Checked) => {
    const mended = sql`, mended as (
      insert into ${kept} as c (installer_id, ${key}, ${name} ${raw(changes ? ', changes' : '')})
      select ${$.installerId}, ${key}, counted ${raw(changes ? ', 1' : '')} from wrong order by ${key}
      on conflict (installer_id, ${key}) do update
        set ${name} = excluded.${name} ${raw(changes ? ', changes = c.changes + 1' : '')}
    )`
    return sql`with counted as (
      select ${key}, ${raw(sum ? `sum(${sum})` : 'count(*)')}::int as n from ${raw(records)}
      where installer_id = ${$.installerId}${raw(listed)} group by ${key}
    ), kept as (
      select ${key}, ${name} as n from ${kept} where installer_id = ${$.installerId}
    ), wrong as (
      select ${key}, coalesce(kept.n, 0) as kept, coalesce(counted.n, 0) as counted
      from counted full join kept using (${key}) where coalesce(kept.n, 0) <> coalesce(counted.n, 0)
    )${when($.mend, mended)}
    select concat_ws(' ', '${kept} of', ${key}) as what, kept::text, counted::text from wrong order by ${key}`
  })
}
