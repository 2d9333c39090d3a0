import { boolean, row } from './sql/row.ts'
import { sql } from './sql/sql.ts'
import { one } from './sql/statements.ts'

/**
 * Whether the database knows small and capital letters other than those of ASCII, as searches compare small ones, and whether its
 * index of words holds them.
 */
export const knowsLetters = one(
  row<{ all: boolean; indexed: boolean }>({ all: boolean, indexed: boolean }),
  () => sql`select lower('ЖΣÉ') = 'жσé' as all, show_trgm('жσé') <> '{}' as indexed`,
)
