import { type Fragment, join, type Param, pick, raw, sql, when } from '../../platform/sql/sql.ts'

/** By what a list goes, and whether the other way round than it usually does. */
export interface Sorting<By extends string> {
  by: By
  reversed: boolean
}

/** As an address says it: `due`, or `due-reversed`. */
export type SortText<By extends string> = By | `${By}-reversed`

export const sortTexts = <By extends string>(names: readonly By[]): SortText<By>[] =>
  names.flatMap((name): SortText<By>[] => [name, `${name}-reversed`])

export function sortingOf<By extends string>(text: SortText<By>): Sorting<By> {
  return { by: text.replace(/-reversed$/, '') as By, reversed: text.endsWith('-reversed') }
}

/** What an order goes by before the id, as its index has it; and whether it usually goes downwards. */
export interface Order {
  /** Null where it goes by the id alone. */
  key: Fragment | null
  type: string
  descending: boolean
}

/** A list's order, and where in it a page begins. */
export interface Place<By extends string> {
  by: Param<By>
  reversed: Param<boolean>
  /** The last of the page before: what its order goes by, and its id. */
  afterKey: Param<string | null>
  afterId: Param<string | null>
}

/** `order by`, and the condition of what comes behind a place; `id` is the column that settles what is equal. */
export function sorted<By extends string>(
  orders: Readonly<Record<By, Order>>,
  id: Fragment,
  { by, reversed, afterKey, afterId }: Place<By>,
): { orderBy: Fragment; isBehind: Fragment } {
  const each = (build: (order: Order, isDescending: boolean) => Fragment) =>
    pick(
      by,
      Object.fromEntries(
        Object.entries<Order>(orders).map(([name, order]) => [
          name,
          when(reversed, build(order, !order.descending), build(order, order.descending)),
        ]),
      ) as Record<By, Fragment>,
    )
  return {
    orderBy: each(({ key }, isDescending) => {
      const keys = key ? [key, id] : [id]
      return sql`order by ${join(keys.map((one) => sql`${one} ${raw(isDescending ? 'desc' : 'asc')}`))}`
    }),
    isBehind: when(
      afterId,
      each(({ key, type }, isDescending) => {
        const beyond = raw(isDescending ? '<' : '>')
        return key
          ? sql`and (${key}, ${id}) ${beyond} (${afterKey}::${raw(type)}, ${afterId})`
          : sql`and ${id} ${beyond} ${afterId}`
      }),
    ),
  }
}
