import { createMailSender, type MailSenderDeps } from '../../src/jobs/send-mails.ts'
import type { Database } from '../../src/platform/db.ts'
import { createLog } from '../../src/platform/log.ts'
import { createMetrics } from '../../src/platform/metrics.ts'
import { createSecretBox } from '../../src/platform/secret-box.ts'
import { openSmtp, type SmtpLimits } from '../../src/platform/smtp.ts'
import { secretKey } from './database.ts'

interface Options extends Partial<MailSenderDeps> {
  limits?: SmtpLimits
}

/** A sender as a server has one. */
export function mailSender(db: Database, smtpUrl: string, { limits, ...parts }: Options = {}) {
  return createMailSender({
    db,
    box: createSecretBox([secretKey]),
    smtp: openSmtp(smtpUrl, limits),
    from: 'Sunstead <sun@example.com>',
    log: createLog('silent'),
    metrics: createMetrics().mails,
    ...parts,
  })
}
