import type { Db, Statement } from '../platform/db.ts'

const lockStatement: Statement = { name: 'demo-lock', text: 'select pg_advisory_xact_lock($1)' }
const lock = 7_310_005

/** Lets one process at a time look whether the demo is there and make it. */
export async function lockDemo(tx: Db): Promise<void> {
  await tx.query(lockStatement, [lock])
}

const settleMailsStatement: Statement = {
  name: 'demo-settle-mails',
  text: `update mails set state = 'sent', attempts = 1, sent_at = created_at where installer_id = $1 and state = 'queued'`,
}

/** The mails of an invented past count as sent: none of them may go out where a mail server is named. */
export async function settleMails(tx: Db, installerId: string): Promise<void> {
  await tx.query(settleMailsStatement, [installerId])
}

const analyzeDaysStatement: Statement = {
  name: 'demo-analyze-days',
  text: 'analyze panel_days, installation_days',
}

/** Nobody else can while the one transaction lasts, and what was planned on empty tables would read all of them. */
export async function analyzeDays(tx: Db): Promise<void> {
  await tx.query(analyzeDaysStatement, [])
}
