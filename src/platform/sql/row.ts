import { type Fragment, join, raw, sql } from './sql.ts'

/** What a column holds in PostgreSQL; `value` is how it comes to us. */
export interface Column<T = unknown> {
  readonly types: readonly string[]
  readonly value?: T
}

const column = <T>(...types: string[]): Column<T> => ({ types })

export const text = column<string>('text', 'varchar')
/** Long text that is to be sent on: the bytes that came. All texts of its row come so. */
export const textBytes = column<Buffer>('text')
/** Exact, as text. */
export const decimal = column<string>('numeric')
export const integer = column<number>('int4', 'int2', 'int8')
export const texts = column<string[]>('_text')
export const float = column<number>('float8', 'float4')
export const boolean = column<boolean>('bool')
export const instant = column<Date>('timestamptz')
/** As `YYYY-MM-DD`. */
export const day = column<string>('date')
export const floats = column<(number | null)[]>('_float4', '_float8')
// biome-ignore lint/suspicious/noExplicitAny: what is in it is the writer's promise
export const json = column<any>('json', 'jsonb')
export const bytes = column<Buffer>('bytea')

/** The column of a value of this type, which PostgreSQL may know more loosely: a status is a text to it. */
type ColumnFor<T> =
  NonNullable<T> extends string
    ? Column<string>
    : NonNullable<T> extends number
      ? Column<number>
      : NonNullable<T> extends boolean
        ? Column<boolean>
        : NonNullable<T> extends Date
          ? Column<Date>
          : NonNullable<T> extends Buffer
            ? Column<Buffer>
            : NonNullable<T> extends readonly string[]
              ? Column<readonly string[]>
              : Column<NonNullable<T>>

/** What a statement answers, column by column; held against the schema by a test. */
export interface Row<T extends object> {
  readonly columns: Readonly<Record<string, Column>>
  readonly row?: T
}

export function row<T extends object>(columns: { readonly [K in keyof T]-?: ColumnFor<T[K]> }): Row<T> {
  return { columns: columns as Readonly<Record<string, Column>> }
}

/** `companyId` is `company_id`. */
export const columnName = (property: string): string =>
  property.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/**
 * The columns of a row as they are selected, of the table of this alias, unless they are computed.
 */
export function select<T extends object>(
  { columns }: Row<T>,
  alias = '',
  computed: { readonly [K in keyof T]?: Fragment } = {},
): Fragment {
  const of = alias && `${alias}.`
  return join(
    Object.keys(columns).map((name) => {
      const own = columnName(name)
      const value = computed[name as keyof T] ?? raw(`${of}${own}`)
      return !computed[name as keyof T] && own === name ? value : sql`${value} as ${raw(`"${name}"`)}`
    }),
  )
}
