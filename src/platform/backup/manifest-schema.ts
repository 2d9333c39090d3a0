import Type, { type Static } from 'typebox'
import Value from 'typebox/value'

/** Names go into paths and statements: a manifest that says others is none of ours. */
const TableName = Type.String({ pattern: '^[a-z0-9_]{1,63}$' })
const Hash = Type.String({ pattern: '^[0-9a-f]{64}$' })
const Count = Type.Integer({ minimum: 0 })

/** One compressed file of the backup. */
const Data = Type.Object({
  rows: Count,
  /** Before and after compression. */
  bytes: Count,
  storedBytes: Count,
  sha256: Hash,
})
export type Data = Static<typeof Data>

const Table = Type.Object({
  name: TableName,
  columns: Type.Array(Type.String({ pattern: '^\\w{1,63}$' })),
  /** Of a partition. */
  parent: Type.Union([TableName, Type.Null()]),
  bounds: Type.Union([
    Type.String({ pattern: `^(DEFAULT|FOR VALUES FROM \\('[^']*'\\) TO \\('[^']*'\\))$` }),
    Type.Null(),
  ]),
  data: Data,
})

const Sequence = Type.Object({
  name: TableName,
  lastValue: Type.String({ pattern: '^-?\\d{1,19}$' }),
  isCalled: Type.Boolean(),
})

const Manifest = Type.Object({
  format: Type.Literal(1),
  /** The version that made it. */
  version: Type.String(),
  /** Whose it is: the same for all backups of one database, also after it was restored. */
  installation: Type.String(),
  /** The moment that it shows. */
  at: Type.String(),
  endedAt: Type.String(),
  snapshot: Type.String(),
  migrations: Type.Array(Type.Object({ name: Type.String({ pattern: '^[\\w.-]+\\.sql$' }), sha256: Hash })),
  tables: Type.Array(Table),
  sequences: Type.Array(Sequence),
  /** Work that waits in the queue; null where there is no queue yet. */
  jobs: Type.Union([Data, Type.Null()]),
  files: Type.Object({
    list: Data,
    bytes: Count,
    /** Named by a record, but not in the store. */
    missing: Type.Array(Type.String()),
    /** Not what their record says. */
    damaged: Type.Array(Type.String()),
  }),
  /** Which leads were erased by then, so that none of an older backup comes back; earlier versions had no such list. */
  erased: Type.Optional(Data),
  /** Files of the data folder that came along. */
  kept: Type.Array(Type.Union([Type.Literal('secret.key'), Type.Literal('demo.json')])),
})
export type Manifest = Static<typeof Manifest>

export function isManifest(found: unknown): found is Manifest {
  return Value.Check(Manifest, found)
}
