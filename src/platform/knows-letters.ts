import { boolean, row } from './sql/row.ts'
import { sql } from './sql/sql.ts'
import { one } from './sql/statements.ts'

/** Whether the database knows small and capital letters other than those of ASCII: searches compare small ones. */
export const knowsLetters = one(
  row<{ all: boolean }>({ all: boolean }),
  () => sql`select lower('ЖΣÉ') = 'жσé' as all`,
)
