import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'

export interface ReceivedMail {
  from: string
  to: string
  data: string
}

export interface SmtpBehaviour {
  /** Whether a connection is greeted; who is not is the test's own. */
  greet?: (socket: Socket) => boolean
  /** The answer to a command, instead of the usual one; null says nothing. */
  command?: (line: string, socket: Socket) => string | null | undefined
  /** The answer to RCPT; nothing means that it is taken. */
  recipient?: (to: string) => string | undefined
  /** The answer to a whole mail, as late as it likes; null hangs up without one. */
  whole?: (mail: ReceivedMail) => Promise<string | null>
}

/** A mail server that speaks enough SMTP to take a mail; what it was handed over is in `mails` before it answers. */
export async function startSmtpServer({ greet, command, recipient, whole }: SmtpBehaviour = {}) {
  const mails: ReceivedMail[] = []
  const waiting: (() => void)[] = []
  const sockets = new Set<Socket>()
  let connections = 0
  const server = createServer((socket) => converse(socket))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')

  function converse(socket: Socket): void {
    let mail: ReceivedMail = { from: '', to: '', data: '' }
    let inData = false
    let rest = ''
    connections++
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    const say = (line: string) => socket.writable && socket.write(`${line}\r\n`)
    const settle = async (taken: ReceivedMail) => {
      const answer = whole ? await whole(taken) : '250 taken'
      if (answer === null) socket.destroy()
      else say(answer)
    }
    socket.on('error', () => {})
    if (greet && !greet(socket)) return
    say('220 test ESMTP')
    socket.on('data', (chunk) => {
      rest += chunk
      for (let end = rest.indexOf('\r\n'); end >= 0; end = rest.indexOf('\r\n')) {
        const line = rest.slice(0, end)
        rest = rest.slice(end + 2)
        const instead = inData ? undefined : command?.(line, socket)
        if (instead === null) continue
        if (instead !== undefined) say(instead)
        else if (inData && line !== '.') mail.data += `${line}\n`
        else if (inData) {
          inData = false
          mails.push(mail)
          void settle(mail)
          mail = { from: '', to: '', data: '' }
          for (const wake of waiting.splice(0)) wake()
        } else if (/^(EHLO|HELO|RSET|NOOP)/i.test(line)) say('250 test')
        else if (/^MAIL FROM:/i.test(line)) {
          mail.from = line.slice(10)
          say('250 ok')
        } else if (/^RCPT TO:/i.test(line)) {
          mail.to = /<(.*)>/.exec(line)?.[1] ?? ''
          say(recipient?.(mail.to) ?? '250 ok')
        } else if (/^DATA/i.test(line)) {
          inData = true
          say('354 go on')
        } else if (/^QUIT/i.test(line)) {
          say('221 bye')
          socket.end()
        } else say('500 what')
      }
    })
  }

  return {
    url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    mails,
    /** Waits until so many mails have come. */
    async received(count: number): Promise<void> {
      while (mails.length < count) await new Promise<void>((resolve) => waiting.push(resolve))
    },
    connections: () => connections,
    /** Ends every conversation, as a server does that is switched off. */
    hangUp() {
      for (const socket of sockets) socket.destroy()
    },
    close() {
      for (const socket of sockets) socket.destroy()
      return new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}
