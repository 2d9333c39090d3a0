import { createHash } from 'node:crypto'
import type { BetterAuthOptions } from '@better-auth/core'
import type { DBAdapter, Where } from '@better-auth/core/db/adapter'
import { kyselyAdapter } from '@better-auth/kysely-adapter'
import { Kysely, PostgresDialect } from 'kysely'
import type pg from 'pg'

type Adapter = DBAdapter<BetterAuthOptions>

/** As the table of sessions has it: whoever reads the table can sign in as nobody. */
function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}

/**
 * better-auth keeps the tokens of sessions as they are. Here they are hashed on their way to the database, and what
 * was asked for by a token is answered with it; what was found otherwise shows the hash, which opens nothing.
 */
export function sessionsHashed(pool: pg.Pool): (options: BetterAuthOptions) => Adapter {
  const plain = kyselyAdapter(new Kysely({ dialect: new PostgresDialect({ pool }) }), {
    type: 'postgres',
    transaction: true,
  })
  return (options) => {
    const adapter = plain(options)
    return {
      ...hashing(adapter),
      transaction: (work) => adapter.transaction((tx) => work(hashing(tx) as Adapter)),
    }
  }
}

function hashing(adapter: Omit<Adapter, 'transaction'>): Omit<Adapter, 'transaction'> {
  return {
    ...adapter,
    async create(asked) {
      if (asked.model !== 'session') return adapter.create(asked)
      const token = tokenOf(asked.data)
      const made = await adapter.create({ ...asked, data: hashedIn(asked.data) })
      return { ...made, token } as never
    },
    async findOne(asked) {
      if (asked.model !== 'session') return adapter.findOne(asked)
      return shown(await adapter.findOne({ ...asked, where: hashedWhere(asked.where) }), asked.where) as never
    },
    async findMany(asked) {
      if (asked.model !== 'session' || !asked.where) return adapter.findMany(asked)
      const found = await adapter.findMany({ ...asked, where: hashedWhere(asked.where) })
      return found.map((row) => shown(row, asked.where!)) as never
    },
    async update(asked) {
      if (asked.model !== 'session') return adapter.update(asked)
      const where = hashedWhere(asked.where)
      return shown(
        await adapter.update({ ...asked, where, update: hashedIn(asked.update) }),
        asked.where,
      ) as never
    },
    updateMany: (asked) =>
      adapter.updateMany(
        asked.model === 'session'
          ? { ...asked, where: hashedWhere(asked.where), update: hashedIn(asked.update) }
          : asked,
      ),
    delete: (asked) =>
      adapter.delete(asked.model === 'session' ? { ...asked, where: hashedWhere(asked.where) } : asked),
    deleteMany: (asked) =>
      adapter.deleteMany(asked.model === 'session' ? { ...asked, where: hashedWhere(asked.where) } : asked),
    count: (asked) =>
      adapter.count(
        asked.model === 'session' && asked.where ? { ...asked, where: hashedWhere(asked.where) } : asked,
      ),
  }
}

function tokenOf(data: Record<string, unknown>): string {
  if (typeof data['token'] !== 'string') throw new Error('a session without a token')
  return data['token']
}

function hashedIn<T extends Record<string, unknown>>(data: T): T {
  return typeof data['token'] === 'string' ? { ...data, token: hashOf(data['token']) } : data
}

function hashedWhere(where: Where[]): Where[] {
  return where.map((one) => {
    if (one.field !== 'token') return one
    const value = Array.isArray(one.value)
      ? one.value.map((v) => hashOf(String(v)))
      : hashOf(String(one.value))
    return { ...one, value }
  })
}

/** The row with the token by which it was asked for. */
function shown(row: unknown, where: Where[]): unknown {
  const { token } = (row ?? {}) as { token?: string }
  if (token === undefined) return row
  const asked = where
    .filter(({ field }) => field === 'token')
    .flatMap(({ value }) => value as string | string[])
  return { ...(row as object), token: asked.find((one) => hashOf(one) === token) ?? token }
}
