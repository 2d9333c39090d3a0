import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'

export interface ReceivedMail {
  from: string
  to: string
  data: string
}

/** A mail server that speaks enough SMTP to take a mail; `refuse` makes it answer RCPT with an error. */
export async function startSmtpServer(refuse: (to: string) => boolean = () => false) {
  const mails: ReceivedMail[] = []
  const waiting: (() => void)[] = []
  const server = createServer((socket) => converse(socket))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')

  function converse(socket: Socket): void {
    let mail: ReceivedMail = { from: '', to: '', data: '' }
    let inData = false
    let rest = ''
    const say = (line: string) => socket.write(`${line}\r\n`)
    say('220 test ESMTP')
    socket.on('error', () => {})
    socket.on('data', (chunk) => {
      rest += chunk
      for (let end = rest.indexOf('\r\n'); end >= 0; end = rest.indexOf('\r\n')) {
        const line = rest.slice(0, end)
        rest = rest.slice(end + 2)
        if (inData && line !== '.') mail.data += `${line}\n`
        else if (inData) {
          inData = false
          mails.push(mail)
          mail = { from: '', to: '', data: '' }
          say('250 taken')
          for (const wake of waiting.splice(0)) wake()
        } else if (/^(EHLO|HELO|RSET|NOOP)/i.test(line)) say('250 test')
        else if (/^MAIL FROM:/i.test(line)) {
          mail.from = line.slice(10)
          say('250 ok')
        } else if (/^RCPT TO:/i.test(line)) {
          mail.to = /<(.*)>/.exec(line)?.[1] ?? ''
          say(refuse(mail.to) ? '451 try later' : '250 ok')
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
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}
