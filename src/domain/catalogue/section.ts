import { isDeepStrictEqual } from 'node:util'
import type { Db } from '../../platform/db.ts'
import type { Context } from '../kernel/context.ts'
import { authorize } from '../kernel/policy.ts'
import type { TableColumn } from './table-column.ts'

/** What every entry of the catalogue has besides itself. */
export interface CatalogueItem {
  id: string
  /** Whether it is offered. */
  active: boolean
  version: number
  position: number
}

/** One of the two lists that the catalogue consists of: what is done to their entries is the same. */
export interface CatalogueSection<T extends CatalogueItem> {
  /** As events and messages call an entry, and its id begins. */
  word: 'adder' | 'equipment'
  idPrefix: string
  /** All of them in the installer's own order. Decimals are in their shortest form. */
  list(db: Db, installerId: string): Promise<T[]>
  insert(tx: Db, installerId: string, item: T): Promise<void>
  update(tx: Db, installerId: string, item: T): Promise<void>
  /** Puts all entries into this order. */
  place(tx: Db, order: { installerId: string; ids: readonly string[] }): Promise<void>
  nameOf(item: T): string
  /** The same for two entries that a table without ids cannot tell apart. */
  matchOf(item: T): string
  /** Sets what follows from the rest of it. */
  settled(item: T, before: T | null): T
  /** What is wrong with it, in the words of the field. */
  problemsOf(item: T): string[]
  /** Others that must change because of this one. */
  displacedBy(item: T, all: readonly T[]): T[]
  /** What a row of a table starts from where it makes a new entry. */
  blank: Partial<T>
  columns: readonly TableColumn<T>[]
}

export const maxItems = 2_000

/** All entries in the installer's own order, with those that are not offered. */
export function listSectionItems<T extends CatalogueItem>(
  { db, actor }: Context,
  section: CatalogueSection<T>,
): Promise<T[]> {
  authorize(actor, 'catalogue.change')
  return section.list(db, actor.installerId)
}

/** What differs, each field from what to what. */
export function changedFields<T extends CatalogueItem>(
  { columns }: CatalogueSection<T>,
  before: T,
  after: T,
): Record<string, [unknown, unknown]> {
  const value = (item: T, field: string) => (item as unknown as Record<string, unknown>)[field] ?? null
  return Object.fromEntries(
    columns
      .filter(({ field }) => !isDeepStrictEqual(value(before, field), value(after, field)))
      .map(({ field }) => [field, [value(before, field), value(after, field)]]),
  )
}
