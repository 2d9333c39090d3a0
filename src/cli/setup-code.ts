import type { Command } from 'commander'
import { openSecretBox } from '../domain/operations/secrets/open-secret-box.ts'
import { setUpCode } from '../domain/tenants/companies/set-up-code.ts'
import { type Output, printRecord } from './print.ts'
import { withDatabase } from './with-database.ts'

export function setupCodeCommand(program: Command): void {
  program
    .command('setup-code')
    .description('print the code with which the first company is made in the console')
    .option('--json', 'print JSON')
    .action((options: Output) =>
      withDatabase(async (db, config) => {
        const code = await setUpCode(db, await openSecretBox(db, config))
        if (options.json) return printRecord({ code }, options)
        console.log(code ?? 'A company is here already: there is nothing to set up.')
      }),
    )
}
