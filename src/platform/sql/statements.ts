import type { Db, Statement } from '../db.ts'
import { type Column, type Row, textBytes } from './row.ts'
import {
  compile,
  controlsOf,
  type Fragment,
  formOf,
  type Params,
  params,
  tenantParam,
  valueAt,
} from './sql.ts'

export interface Options extends Pick<Statement, 'shared' | 'mayBeLost' | 'urgent'> {
  /** Why it is not held to one installer. */
  across?: string
}

/**
 * Where tenants live on several nodes, a statement of all of them answers for those of each shard, one after the other.
 * This makes of it what it answers for all: it puts them in order, cuts or adds up.
 */
export interface Gathering<T, Q> extends Options {
  gather?: (rows: T[], query: Q) => T[]
}

/** A statement as it was declared, for the test that prepares each and proves its tenancy. */
export interface Registered {
  fragment: Fragment
  row: Row<object> | null
  options: Options
  /** The line that declares it. */
  at: string
}

export const registered: Registered[] = []

/** A statement with its values: nothing is left to be decided. */
interface Bound {
  statement: Statement
  values: unknown[]
}

type Values = Readonly<Record<string, unknown>>

interface Ready {
  statement: Statement
  valuesOf(values: Values): unknown[]
}

function ready({ fragment, row, options, at }: Registered, values: Values): Ready {
  const { text, places } = compile(fragment, values)
  const isPlain = places.every((place) => !place.includes('.'))
  const { across, gather: _, ...statement } = options as Gathering<never, never>
  const asBytes = row !== null && Object.values(row.columns).includes(textBytes)
  const isTenants = places[0] === tenantParam && !across
  return {
    statement: {
      ...statement,
      ...(asBytes ? { textAsBytes: true } : {}),
      ...(isTenants ? { tenant: true } : {}),
      ...(across ? { across: true } : {}),
      ...(row ? { columns: row.columns } : {}),
      name: at,
      text,
    },
    valuesOf: isPlain
      ? (values) => places.map((place) => values[place])
      : (values) => places.map((place) => valueAt(values, place)),
  }
}

function declare<Q>(
  build: ($: Params<Q>) => Fragment,
  row: Row<object> | null,
  options: Options,
): (query: Q) => Bound {
  const fragment = build(params<Q>())
  const declared = { fragment, row, options, at: callerOf(new Error()) }
  registered.push(declared)
  const controls = [...controlsOf(fragment.nodes)]
  const known = new Map<string, Ready>()
  return (query) => {
    const values = query as Values
    const form = formOf(controls, values)
    let one = known.get(form)
    if (!one) {
      one = ready(declared, values)
      known.set(form, one)
    }
    return { statement: one.statement, values: one.valuesOf(values) }
  }
}

/**
 * A statement that is put together when it is run, of parts that the caller knows; those of one form have one text, and
 * are declared when they are first met.
 */
export function composed<T extends object>(
  row: Row<T>,
  options: Options = {},
): (db: Db, form: string, build: () => Fragment, values: Values) => Promise<T[]> {
  const at = callerOf(new Error())
  const known = new Map<string, Ready>()
  return (db, form, build, values) => {
    let one = known.get(form)
    if (!one) {
      const declared = { fragment: build(), row, options, at }
      registered.push(declared)
      one = ready(declared, values)
      known.set(form, one)
    }
    return db.query<T>(one.statement, one.valuesOf(values))
  }
}

/** Declares a statement that answers any number of rows. */
export function many<T extends object, Q>(
  row: Row<T>,
  build: ($: Params<Q>) => Fragment,
  options: Gathering<T, Q> = {},
): (db: Db, query: Q) => Promise<T[]> {
  const bind = declare(build, row, options)
  const { gather } = options
  const ask = (db: Db, query: Q) => {
    const { statement, values } = bind(query)
    return db.query<T>(statement, values)
  }
  return gather ? async (db, query) => gather(await ask(db, query), query) : ask
}

/** Declares a statement that answers one row or none. */
export function maybeOne<T extends object, Q>(
  row: Row<T>,
  build: ($: Params<Q>) => Fragment,
  options: Gathering<T, Q> = {},
): (db: Db, query: Q) => Promise<T | null> {
  const rows = many(row, build, options)
  return async (db, query) => (await rows(db, query))[0] ?? null
}

/** Declares a statement that always answers one row. */
export function one<T extends object, Q>(
  row: Row<T>,
  build: ($: Params<Q>) => Fragment,
  options: Gathering<T, Q> = {},
): (db: Db, query: Q) => Promise<T> {
  const rows = many(row, build, options)
  return async (db, query) => (await rows(db, query))[0]!
}

/** The values of a row's only column: `{ id: text }`. */
type Only<T> = Readonly<Record<string, Column<T>>>

/** Declares a statement that answers any number of values. */
export function scalars<T, Q>(
  columns: Only<T>,
  build: ($: Params<Q>) => Fragment,
  options: Gathering<Record<string, T>, Q> = {},
): (db: Db, query: Q) => Promise<T[]> {
  const [name] = Object.keys(columns)
  const rows = many<Record<string, T>, Q>({ columns }, build, options)
  return async (db, query) => (await rows(db, query)).map((row) => row[name!]!)
}

/** Declares a statement that answers one value; null where there is no row. */
export function maybeScalar<T, Q>(
  columns: Only<T>,
  build: ($: Params<Q>) => Fragment,
  options: Gathering<Record<string, T>, Q> = {},
): (db: Db, query: Q) => Promise<T | null> {
  const values = scalars(columns, build, options)
  return async (db, query) => (await values(db, query))[0] ?? null
}

/** Declares a statement that always answers one value. */
export function scalar<T, Q>(
  columns: Only<T>,
  build: ($: Params<Q>) => Fragment,
  options: Gathering<Record<string, T>, Q> = {},
): (db: Db, query: Q) => Promise<T> {
  const values = scalars(columns, build, options)
  return async (db, query) => (await values(db, query))[0]!
}

/** Declares a statement of which only matters whether it answers a row: whether there is one, or was one to change. */
export function exists<Q>(
  build: ($: Params<Q>) => Fragment,
  options: Options = {},
): (db: Db, query: Q) => Promise<boolean> {
  const bind = declare(build, null, options)
  return async (db, query) => {
    const { statement, values } = bind(query)
    return (await db.query(statement, values)).length > 0
  }
}

/** Declares a statement whose rows nobody reads. */
export function run<Q>(
  build: ($: Params<Q>) => Fragment,
  options: Options = {},
): (db: Db, query: Q) => Promise<void> {
  const bind = declare(build, null, options)
  return async (db, query) => {
    const { statement, values } = bind(query)
    await db.query(statement, values)
  }
}

const here = import.meta.url

function callerOf({ stack = '' }: Error): string {
  const line = stack
    .split('\n')
    .slice(1)
    .find((one) => !one.includes(here))
  return line?.replace(/^.*?(src\/.*?:\d+).*$/, '$1') ?? ''
}
