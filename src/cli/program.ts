import { Command } from 'commander'
import { migrate } from '../platform/migrate.ts'
import { version } from '../platform/version.ts'
import { alertCommands } from './alerts.ts'
import { backupCommands } from './backup.ts'
import { companyCommands } from './company.ts'
import { conformanceCommand } from './conformance.ts'
import { customerCommands } from './customer.ts'
import { doctorCommand } from './doctor.ts'
import { energyCommands } from './energy.ts'
import { exportCommand } from './export.ts'
import { importCommand } from './import.ts'
import { invoiceCommands } from './invoices.ts'
import { keyCommands } from './key.ts'
import { linkCommands } from './links.ts'
import { mcpCommand } from './mcp.ts'
import { memberCommands } from './member.ts'
import { type Output, printRecord } from './print.ts'
import { restoreCommand } from './restore.ts'
import { secretCommands } from './secret.ts'
import { setupCodeCommand } from './setup-code.ts'
import { tenantCommands } from './tenant.ts'
import { withAnyDatabase } from './with-database.ts'

/** The command line. How to serve is handed in: serving is built above it. */
export function buildProgram({ serve }: { serve: () => Promise<void> }): Command {
  const program = new Command('sunstead')
    .description('Runs and looks after a Sunstead server. Configured by the same environment as the server.')
    .version(version)
    .showHelpAfterError()
    // So that a command's options are not taken for those of the one above it.
    .enablePositionalOptions()
  program.command('serve').description('serve until Ctrl-C or SIGTERM').action(serve)
  program
    .command('migrate')
    .description('bring the database to this version, making the embedded one where there is none')
    .option('--json', 'print JSON')
    .action((options: Output) =>
      withAnyDatabase(async (_db, _config, url) => {
        const applied = await migrate(url, { note: (message) => console.error(message) })
        printRecord({ applied }, options)
      }, true),
    )
  companyCommands(program)
  tenantCommands(program)
  memberCommands(program)
  keyCommands(program)
  linkCommands(program)
  alertCommands(program)
  invoiceCommands(program)
  energyCommands(program)
  importCommand(program)
  exportCommand(program)
  customerCommands(program)
  backupCommands(program)
  restoreCommand(program)
  doctorCommand(program)
  conformanceCommand(program)
  mcpCommand(program)
  setupCodeCommand(program)
  secretCommands(program)
  return program
}
