import type { Db, Statement } from '../platform/db.ts'
import { type Params, raw, sql } from '../platform/sql/sql.ts'
import { run } from '../platform/sql/statements.ts'

const lock = 7_310_005

/** Lets one process at a time look whether the demo is there and make it. */
export const lockDemo = run(() => sql`select pg_advisory_xact_lock(${raw(lock)})`)

/** The mails of an invented past count as sent: none of them may go out where a mail server is named. */
export const settleMails = run(
  ($: Params<{ installerId: string }>) => sql`
    update mails set state = 'sent', attempts = 1, sent_at = created_at
    where installer_id = ${$.installerId} and state = 'queued'`,
)

const analyzeStatement: Statement = { text: 'analyze panel_days, installation_days' }

/** Nobody else can while the one transaction lasts, and what was planned on empty tables would read all of them. */
export async function analyzeDays(tx: Db): Promise<void> {
  await tx.query(analyzeStatement, [])
}
