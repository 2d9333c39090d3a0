import { type Command, InvalidArgumentError, Option } from 'commander'
import type { Interface } from '../domain/kernel/context.ts'
import { requireCompany } from '../domain/kernel/tenant/require-company.ts'
import { createKey } from '../domain/tenants/keys/create-key.ts'
import { revokeKey, rollKey } from '../domain/tenants/keys/end-key.ts'
import { type ApiKey, interfaces } from '../domain/tenants/keys/key.ts'
import { listKeys } from '../domain/tenants/keys/queries.ts'
import { currentTime } from '../platform/clock.ts'
import { instant } from './instant-option.ts'
import { type Output, printRecord, printRows } from './print.ts'
import { withDatabase } from './with-database.ts'

const shown = ({ companyId, createdAt, ...key }: ApiKey) => key
const keyNotice = 'The key is shown this once: keep it now.'

function hours(text: string): number {
  const value = Number(text)
  if (!(value >= 0 && value <= 24)) throw new InvalidArgumentError('Use 0 to 24 hours.')
  return value
}

interface NewKeyOptions extends Output {
  company: string
  name: string
  readOnly?: boolean
  agent?: string
  propose?: boolean
  interface?: Interface
  expires?: Date
}

function printSecret(made: { key: ApiKey; secret: string }, more: object, options: Output): void {
  printRecord({ key: made.secret, ...shown(made.key), ...more }, options)
  if (!options.json) console.log(keyNotice)
}

export function keyCommands(program: Command): void {
  const key = program.command('key').description('company keys')
  key
    .command('create')
    .description('make a key; it is shown once')
    .requiredOption('--company <company>', 'id or number')
    .requiredOption('--name <name>', 'what the key is for')
    .option('--read-only', 'the key may only read')
    .option('--agent <name>', 'the key is for an agent: what it writes carries this name')
    .option(
      '--propose',
      'the agent asks for approval: what it moves, sells and bills waits until a person approves it in the console',
    )
    .addOption(
      new Option('--interface <interface>', 'the key works on this interface only').choices([...interfaces]),
    )
    .option('--expires <timestamp>', 'when it stops working', instant)
    .option('--json', 'print JSON')
    .action((options: NewKeyOptions) =>
      withDatabase(async (db) => {
        const made = await createKey(db, currentTime(), {
          company: options.company,
          name: options.name,
          access: options.readOnly ? 'read' : 'full',
          agentName: options.agent ?? null,
          proposes: options.propose ?? false,
          ...(options.interface ? { interfaces: [options.interface] } : {}),
          expiresAt: options.expires ?? null,
        })
        printSecret(made, {}, options)
      }),
    )
  key
    .command('list')
    .description("list a company's keys, never the keys themselves")
    .requiredOption('--company <company>', 'id or number')
    .option('--json', 'print JSON')
    .action((options: Output & { company: string }) =>
      withDatabase(async (db) => {
        const { installerId, id: companyId } = await requireCompany(db, options.company)
        printRows((await listKeys(db, { installerId, companyId })).map(shown), options)
      }),
    )
  key
    .command('roll')
    .description('make a new key like an old one, which stays valid for a grace')
    .argument('<key>', 'id or prefix')
    .option('--grace <hours>', 'how long the old key stays valid, 0 to 24', hours, 24)
    .option('--json', 'print JSON')
    .action((old: string, options: Output & { grace: number }) =>
      withDatabase(async (db) => {
        const { oldValidUntil, ...made } = await rollKey(db, currentTime(), old, options.grace)
        printSecret(made, { oldValidUntil }, options)
      }),
    )
  key
    .command('revoke')
    .description('refuse a key from now on')
    .argument('<key>', 'id or prefix')
    .option('--json', 'print JSON')
    .action((old: string, options: Output) =>
      withDatabase(async (db) => printRecord(shown(await revokeKey(db, currentTime(), old)), options)),
    )
}
