import pg from 'pg'

const named = /(constraint|index|relation) "(\w+?)_\d{5,}"/g

/** An error of a node that holds tenants as plain PostgreSQL would have told it: without the numbers of its shards. */
export function asOfOneServer(error: unknown): unknown {
  if (!(error instanceof pg.DatabaseError)) return error
  const { message } = error
  error.message = message.replace(named, '$1 "$2"')
  const constraint = /(?:constraint|index) "(\w+)"/.exec(error.message)?.[1]
  if (error.code?.startsWith('23') && constraint) error.constraint = constraint
  return error
}
