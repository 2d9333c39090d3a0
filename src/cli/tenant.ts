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

export function tenantCommands(program: Command): void {
  const tenant = program.command('tenant').description('where installers live, on a Citus cluster')
  tenant
    .command('isolate')
    .description('put an installer, with its dealers, on a node that has no other tenants')
    .argument('<installer>', 'id or number')
    .option('--node <host:port>', 'the node, where several have no tenants', nodeOf)
    .option('--json', 'print JSON')
    .action((installer: string, { node, ...options }: Output & { node?: Node }) =>
      withAnyDatabase(async (db, _config, url) => {
        const { installerId } = await requireCompany(db, installer)
        const note = (message: string) => console.error(message)
        const { host, port, shard } = await isolateTenant(url, installerId, node ?? null, note)
        printRecord({ installer: installerId, node: `${host}:${port}`, shard }, options)
      }),
    )
}
