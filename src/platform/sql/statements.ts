import type { Db, Statement } from '../db.ts'
import type { Row } from './row.ts'
import {
  type Compiled,
  compile,
  controlsOf,
  type Fragment,
  formOf,
  type Params,
  params,
  valueAt,
} from './sql.ts'

export interface Options extends Pick<Statement, 'shared' | 'mayBeLost' | 'urgent'> {
  /** Why it is not held to one installer. */
  across?: string
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

function declare<Q>(
  build: ($: Params<Q>) => Fragment,
  row: Row<object> | null,
  options: Options,
): (query: Q) => Bound {
  const fragment = build(params<Q>())
  registered.push({ fragment, row, options, at: callerOf(new Error()) })
  const isFixed = [...controlsOf(fragment.nodes)].length === 0
  const known = new Map<string, Compiled & { statement: Statement }>()
  return (query) => {
    const values = query as Readonly<Record<string, unknown>>
    const form = isFixed ? '' : formOf(fragment, values)
    let compiled = known.get(form)
    if (!compiled) {
      const made = compile(fragment, values)
      compiled = { ...made, statement: { ...options, text: made.text } }
      known.set(form, compiled)
    }
    return { statement: compiled.statement, values: compiled.places.map((place) => valueAt(values, place)) }
  }
}

/** Declares a statement that answers any number of rows. */
export function many<T extends object, Q>(
  row: Row<T>,
  build: ($: Params<Q>) => Fragment,
  options: Options = {},
): (db: Db, query: Q) => Promise<T[]> {
  const bind = declare(build, row, options)
  return (db, query) => {
    const { statement, values } = bind(query)
    return db.query<T>(statement, values)
  }
}

/** Declares a statement that answers one row or none. */
export function maybeOne<T extends object, Q>(
  row: Row<T>,
  build: ($: Params<Q>) => Fragment,
  options: Options = {},
): (db: Db, query: Q) => Promise<T | null> {
  const rows = many(row, build, options)
  return async (db, query) => (await rows(db, query))[0] ?? null
}

/** Declares a statement that always answers one row. */
export function one<T extends object, Q>(
  row: Row<T>,
  build: ($: Params<Q>) => Fragment,
  options: Options = {},
): (db: Db, query: Q) => Promise<T> {
  const rows = many(row, build, options)
  return async (db, query) => (await rows(db, query))[0]!
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
