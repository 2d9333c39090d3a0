import { type Command, InvalidArgumentError } from 'commander'
import { requireCompany } from '../domain/kernel/tenant/require-company.ts'
import { isolateTenant, type Node } from '../platform/citus/isolate.ts'
import { type Output, printRecord } from './print.ts'
import { withAnyDatabase } from './with-database.ts'

function nodeOf(text: string): Node {
  const found = /^(?<host>\[[\da-f:]+\]|[^\s:]+):(?<port>\d{1,5})$/i.exec(text)?.groups
  if (!found) throw new InvalidArgumentError('Write it as host:port, as Citus knows it.')
  return { host: found['host']!.replace(/^\[|\]$/g, ''), port: Number(found['port']) }
}

function minutes(text: string): number {
  const value = Number(text)
  if (!(value > 0 && value <= 10_000)) throw new InvalidArgumentError('Use a number of minutes.')
  return value
}

export function tenantCommands(program: Command): void {
  const tenant = program.command('tenant').description('where installers live, on a Citus cluster')
  tenant
    .command('isolate')
    .description('put an installer, with its dealers, on a node that has no other tenants')
    .argument('<installer>', 'id or number')
    .option('--node <host:port>', 'the node, where several have no tenants', nodeOf)
    .option('--limit <minutes>', 'give each of its two steps up after so long', minutes, 120)
    .option('--json', 'print JSON')
    .action((installer: string, { node, limit, ...options }: Output & { node?: Node; limit: number }) =>
      withAnyDatabase(async (db, _config, url) => {
        const { installerId } = await requireCompany(db, installer)
        const { host, port, shard } = await isolateTenant(url, installerId, node ?? null, {
          limitMs: limit * 60_000,
          note: (message) => console.error(message),
        })
        printRecord({ installer: installerId, node: `${host}:${port}`, shard }, options)
      }),
    )
}
