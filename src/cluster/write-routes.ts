import { rmSync } from 'node:fs'
import { connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import pg from 'pg'
import { DatabaseUnavailable } from '../platform/database-errors.ts'
import type { Database, Statement, WriteRoute } from '../platform/db.ts'
import type { Log } from '../platform/log.ts'
import { hashOf } from '../platform/pipeline.ts'
import { within } from '../platform/within.ts'
import { createSender, receive } from './frames.ts'

/** One write of a tenant, handed to the process that does its writes. */
interface Ask {
  id: number
  /** A statement is long and comes again and again: its text is sent the first time. */
  number: number
  text?: string
  values: readonly unknown[]
}

type Answer = { id: number; rows: object[] } | { id: number; failure: Failure }

/** What is known of an error on the other side. */
interface Failure {
  message: string
  isUnavailable: boolean
  database: Partial<pg.DatabaseError> | null
}

interface Waiting {
  resolve(rows: object[]): void
  reject(error: Error): void
}

export interface WriteRoutes {
  route: WriteRoute
  /** From now on all is written here: the others stop too. */
  leave(): void
  /** Once what others asked for is done. */
  close(): Promise<void>
}

export interface WriteRoutesOptions {
  /** Where the processes of this host find each other; nobody else can enter it. */
  folder: string
  number: number
  count: number
  db: Pick<Database, 'query'>
  log: Log
}

const againMs = 500
const closeMs = 5_000

/**
 * Keeps a tenant's writes to one process of the host: its clock is one row, and processes that wait for each other at its
 * lock write less together than one does alone. The statement goes to the other process, all else is done where the call
 * came. Where that process is not there, the write is done here: that is slower, and right.
 */
export function startWriteRoutes({ folder, number, count, db, log }: WriteRoutesOptions): WriteRoutes {
  const others = new Map<number, ReturnType<typeof connectTo>>()
  const underWay = new Set<Promise<void>>()
  let hasLeft = false
  const server = createServer((socket) => serve(socket, db, underWay))
  server.on('error', (error) =>
    log.warn({ error: error.message }, 'writes of other processes are not taken up'),
  )
  // One that was killed has left its own behind.
  rmSync(socketOf(folder, number), { force: true })
  server.listen(socketOf(folder, number))
  server.unref()
  return {
    route(installerId, statement, values) {
      const owner = 1 + (hashOf(installerId) % count)
      if (owner === number || hasLeft) return null
      let other = others.get(owner)
      if (!other) {
        other = connectTo(socketOf(folder, owner))
        others.set(owner, other)
      }
      return other.ask(statement, values)
    },
    leave() {
      hasLeft = true
    },
    async close() {
      server.close()
      await within(closeMs, Promise.all(underWay))
      for (const other of others.values()) other.close()
    },
  }
}

const socketOf = (folder: string, number: number) => join(folder, `worker-${number}`)

/** Does what is asked as if the call had come here. */
function serve(socket: Socket, db: Pick<Database, 'query'>, underWay: Set<Promise<void>>): void {
  const statements = new Map<number, Statement>()
  const answer = createSender<Answer>(socket)
  socket.on('error', () => socket.destroy())
  receive<Ask>(socket, ({ id, number, text, values }) => {
    if (text !== undefined) statements.set(number, { text, shared: 'write' })
    const done = db
      .query<object>(statements.get(number)!, values)
      .then(
        (rows) => answer({ id, rows }),
        (error) => answer({ id, failure: failureOf(error) }),
      )
      .finally(() => underWay.delete(done))
    underWay.add(done)
  })
}

function connectTo(path: string) {
  const waiting = new Map<number, Waiting>()
  let socket: Socket | null = null
  let send: ((ask: Ask) => void) | null = null
  let numbers = new Map<string, number>()
  let lastId = 0
  let notBefore = 0

  function open(): void {
    const mine = connect(path)
    socket = mine
    const sender = createSender<Ask>(mine)
    mine.once('connect', () => {
      numbers = new Map()
      send = sender
    })
    mine.on('error', () => {})
    mine.once('close', () => {
      socket = null
      send = null
      notBefore = performance.now() + againMs
      // Whether it was done is not known, so it is not done again.
      for (const { reject } of waiting.values())
        reject(new DatabaseUnavailable('the process that does the writes of this tenant has ended'))
      waiting.clear()
    })
    receive<Answer>(mine, (answer) => {
      const one = waiting.get(answer.id)
      waiting.delete(answer.id)
      if ('rows' in answer) one?.resolve(answer.rows)
      else one?.reject(errorOf(answer.failure))
    })
    mine.unref()
  }

  return {
    ask({ text }: Statement, values: readonly unknown[]): Promise<object[]> | null {
      if (!socket && performance.now() >= notBefore) open()
      if (!send) return null
      const id = ++lastId
      const known = numbers.get(text)
      const number = known ?? numbers.size
      if (known === undefined) numbers.set(text, number)
      send({ id, number, values, ...(known === undefined ? { text } : {}) })
      return new Promise((resolve, reject) => waiting.set(id, { resolve, reject }))
    },
    close: () => socket?.destroy(),
  }
}

function failureOf(error: Error): Failure {
  const isDatabase = error instanceof pg.DatabaseError
  const { code, constraint, detail, table, column, schema, severity } = error as pg.DatabaseError
  return {
    message: error.message,
    isUnavailable: error instanceof DatabaseUnavailable,
    database: isDatabase
      ? (JSON.parse(JSON.stringify({ code, constraint, detail, table, column, schema, severity })) as object)
      : null,
  }
}

function errorOf({ message, isUnavailable, database }: Failure): Error {
  if (isUnavailable) return new DatabaseUnavailable(message)
  if (!database) return new Error(message)
  return Object.assign(new pg.DatabaseError(message, message.length, 'error'), database)
}
