import { Readable } from 'node:stream'
import MailComposer from 'nodemailer/lib/mail-composer'
import { parseConnectionUrl } from 'nodemailer/lib/shared'
import SMTPConnection from 'nodemailer/lib/smtp-connection'
import { SmtpFailure } from './smtp-failure.ts'

export interface SmtpMessage {
  from: string
  to: string
  subject: string
  text: string
  messageId: string
  date: Date
}

export interface SmtpLimits {
  connectMs: number
  greetingMs: number
  /** From the first try to connect until messages are taken: greeting, TLS and login, however slowly they go on. */
  readyMs: number
  /** From the first command of a message until all of it is handed over. */
  handOverMs: number
  /** Silence while an answer is due: the one to a whole message may take long, as the server delivers it meanwhile. */
  silenceMs: number
  totalMs: number
}

// After RFC 5321, 4.5.3.2. What is cut off while the server works on it arrives twice.
const rfcLimits: SmtpLimits = {
  connectMs: 60_000,
  greetingMs: 60_000,
  readyMs: 180_000,
  handOverMs: 300_000,
  silenceMs: 600_000,
  totalMs: 900_000,
}
const idleMs = 20_000
const maxMessagesPerConnection = 100

export interface Smtp {
  /** Settles when the server has taken the message; rejects with SmtpFailure. */
  send(message: SmtpMessage): Promise<void>
  /** Ends every connection, whatever is under way on it. */
  close(): void
}

interface Line {
  connection: SMTPConnection
  sent: number
  idle: NodeJS.Timeout | undefined
}

/** A mail server, by as many connections as messages are sent at once; they are used again. */
export function openSmtp(url: string, limits: SmtpLimits = rfcLimits): Smtp {
  const options = parseConnectionUrl(url)
  const open = new Set<Line>()
  const free: Line[] = []

  async function connect(): Promise<Line> {
    const connection = new SMTPConnection({
      ...options,
      connectionTimeout: limits.connectMs,
      greetingTimeout: limits.greetingMs,
      socketTimeout: limits.silenceMs,
    })
    const line: Line = { connection, sent: 0, idle: undefined }
    open.add(line)
    connection.on('end', () => drop(line))
    // What comes while nobody waits for an answer would end the process.
    connection.on('error', () => {})
    const late = setTimeout(() => cut(line), limits.readyMs)
    try {
      await answer(connection, (done) => connection.connect(done))
      const { auth } = options as { auth?: SMTPConnection.Credentials }
      if (auth) await answer(connection, (done) => connection.login({ credentials: auth }, done))
      return line
    } catch (error) {
      drop(line)
      throw error
    } finally {
      clearTimeout(late)
    }
  }

  function drop(line: Line): void {
    clearTimeout(line.idle)
    open.delete(line)
    const at = free.indexOf(line)
    if (at >= 0) free.splice(at, 1)
    line.connection.close()
  }

  function takeFree(): Line | undefined {
    const line = free.pop()
    clearTimeout(line?.idle)
    return line
  }

  function giveBack(line: Line): void {
    if (!open.has(line)) return
    if (line.sent >= maxMessagesPerConnection) {
      drop(line)
      return
    }
    line.idle = setTimeout(() => drop(line), idleMs).unref()
    free.push(line)
  }

  /** One message on one connection. */
  async function sendOn(line: Line, message: SmtpMessage): Promise<void> {
    const node = new MailComposer({ ...message, to: { name: '', address: message.to } }).compile()
    const { from } = node.getEnvelope()
    const contents = Readable.from([await node.build()])
    let handedOver = false
    contents.once('end', () => {
      handedOver = true
      clearTimeout(handOver)
    })
    const handOver = setTimeout(() => cut(line), limits.handOverMs)
    const whole = setTimeout(() => cut(line), limits.totalMs)
    try {
      line.sent++
      await answer(line.connection, (done) =>
        line.connection.send({ from, to: [message.to] }, contents, done),
      )
      giveBack(line)
    } catch (error) {
      const failure = new SmtpFailure(error as SMTPConnection.SMTPError, false, handedOver)
      if (failure.status === null || failure.status === 421) drop(line)
      else reset(line)
      throw failure
    } finally {
      clearTimeout(handOver)
      clearTimeout(whole)
    }
  }

  function reset(line: Line): void {
    const late = setTimeout(() => drop(line), idleMs).unref()
    line.connection.reset((failed) => {
      clearTimeout(late)
      if (failed) drop(line)
      else giveBack(line)
    })
  }

  const cut = (line: Line) => line.connection.emit('error', new Error('The mail server took too long.'))

  return {
    async send(message) {
      const used = takeFree()
      if (used) {
        try {
          return await sendOn(used, message)
        } catch (error) {
          // The server has hung up since the last message, which is no fault of this one.
          const { status, handedOver, unusable } = error as SmtpFailure
          if (status !== null || handedOver || unusable) throw error
        }
      }
      const line = await connect().catch((error) => {
        throw new SmtpFailure(error, true, false)
      })
      await sendOn(line, message)
    },
    close() {
      for (const line of open) {
        cut(line)
        drop(line)
      }
    },
  }
}

/** A step of the conversation, which a lost connection ends too. */
function answer(
  connection: SMTPConnection,
  step: (done: (error?: SMTPConnection.SMTPError | null) => void) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const settle = (error?: Error | null) => {
      connection.off('error', settle)
      connection.off('end', ended)
      if (error) reject(error)
      else resolve()
    }
    // Where the server said why it hangs up, the step is told so in this same turn.
    const ended = () => setImmediate(settle, new Error('The mail server closed the connection.'))
    connection.on('error', settle)
    connection.on('end', ended)
    step(settle)
  })
}
