import type SMTPConnection from 'nodemailer/lib/smtp-connection'

/** How a message came to nothing. */
export class SmtpFailure extends Error {
  override name = 'SmtpFailure'
  /** The server's answer, where it gave one. */
  readonly status: number | null
  /** Before it came to this message: no other would have fared better. */
  readonly server: boolean
  /** All of it had been handed over: the server may have taken it. */
  readonly handedOver: boolean
  /** The message itself cannot be sent to anybody. */
  readonly unusable: boolean

  constructor(error: SMTPConnection.SMTPError, server: boolean, handedOver: boolean) {
    super(error.response ?? error.message, { cause: error })
    this.status = error.responseCode ?? null
    this.server = server
    this.handedOver = handedOver
    this.unusable = this.status === null && !server && ['EENVELOPE', 'EMESSAGE'].includes(String(error.code))
  }
}
