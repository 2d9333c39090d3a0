import type { Command } from 'commander'
import type { MonthOutcome } from '../domain/billing/months/bill-month.ts'
import { runMonth } from '../domain/billing/runs/run-month.ts'
import { currentTime } from '../platform/clock.ts'
import { type Output, printRecord, printRows } from './print.ts'
import { withDatabase } from './with-database.ts'

interface RunOptions extends Output {
  month: string
  installer?: string
}

const outcomes = ['drafted', 'redrafted', 'withdrawn', 'unchanged', 'held', 'skipped', 'failed'] as const

/** A month that could not be billed is named, and the exit code is 1; one that is held back is no failure. */
export function invoiceCommands(program: Command): void {
  const invoices = program.command('invoices').description('what customers are billed')
  invoices
    .command('run')
    .description('draft the invoices of a month from the billing plans, as the server does after each month')
    .requiredOption('--month <month>', 'which month, such as 2026-10')
    .option('--installer <company>', 'only this installer, by id or number')
    .option('--json', 'print JSON')
    .action((options: RunOptions) =>
      withDatabase(async (db) => {
        const { month, installer } = options
        const results = await runMonth(db, currentTime(), {
          month,
          ...(installer === undefined ? {} : { installer }),
        })
        const counts = Object.fromEntries(
          outcomes.map((outcome) => [outcome, results.filter((r) => r.outcome === outcome).length]),
        )
        if (options.json) {
          printRecord({ month, ...counts, results }, options)
        } else {
          printRows(results.map(shown), options)
          printRecord({ month, ...counts }, options)
        }
        if (counts.failed! > 0) process.exitCode = 1
      }),
    )
}

const shown = ({ installationId, outcome, invoiceId, amountDue, detail }: MonthOutcome) => ({
  installation: installationId,
  outcome,
  invoice: invoiceId,
  amount: amountDue,
  detail,
})
