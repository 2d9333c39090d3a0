import type { Socket } from 'node:net'
import { startSmtpServer } from '../../support/smtp-server.ts'

/** How a mail server can be in the way of its mails. */
export const moods = [
  'no greeting',
  'greeting drips',
  'endless abilities',
  'TLS does not begin',
  'silent in the envelope',
  'silent after the mail',
  'hangs up after the mail',
  'later (451)',
  'busy (421)',
] as const
export type Mood = (typeof moods)[number]

/** In which no conversation comes so far as a mail. */
const neverTakes = new Set<Mood>(moods.slice(0, 5))

export interface MoodySmtp {
  url: string
  /** How often each mail was handed over, by its Message-ID. */
  handedOver: Map<string, number>
  /** The mails whose taking was answered. */
  taken: Set<string>
  /** Behaves so with every connection and mail from now on; null is well. Conversations that hang are ended by being well. */
  feel(mood: (() => Mood) | null): void
  close(): Promise<void>
}

export async function startMoodySmtp(): Promise<MoodySmtp> {
  let mood: (() => Mood) | null = null
  const handedOver = new Map<string, number>()
  const taken = new Set<string>()
  const moodOf = new Map<Socket, Mood>()
  const hanging = new Set<(answer: string | null) => void>()

  const drip = (socket: Socket, text: string) => {
    const timer = setInterval(() => socket.writable && socket.write(text), 100)
    socket.on('close', () => clearInterval(timer))
    return false
  }
  const server = await startSmtpServer({
    greet(socket) {
      const felt = mood?.()
      if (felt === undefined) return true
      moodOf.set(socket, felt)
      socket.on('close', () => moodOf.delete(socket))
      if (felt === 'no greeting') return false
      return felt === 'greeting drips' ? drip(socket, '220-soon\r\n') : true
    },
    command(line, socket) {
      const felt = mood === null ? undefined : moodOf.get(socket)
      if (/^EHLO/.test(line)) {
        if (felt === 'TLS does not begin') return '250-test\r\n250 STARTTLS'
        if (felt !== 'endless abilities') return undefined
        drip(socket, '250-more\r\n')
        return null
      }
      if (line === 'STARTTLS') return '220 go on'
      if (/^MAIL/.test(line) && felt === 'busy (421)') return '421 too busy'
      return /^RCPT/.test(line) && felt === 'silent in the envelope' ? null : undefined
    },
    recipient: () => (mood?.() === 'later (451)' ? '451 not now' : undefined),
    async whole({ data }) {
      const id = /^Message-ID: <(.*)>$/im.exec(data)?.[1] ?? ''
      handedOver.set(id, (handedOver.get(id) ?? 0) + 1)
      const felt = mood?.()
      if (felt === 'hangs up after the mail') return null
      if (felt === 'silent after the mail') {
        const { promise, resolve } = Promise.withResolvers<string | null>()
        hanging.add(resolve)
        const answer = await promise
        if (answer !== null) taken.add(id)
        return answer
      }
      taken.add(id)
      return '250 taken'
    },
  })
  return {
    url: server.url,
    handedOver,
    taken,
    feel(next) {
      mood = next
      if (next !== null) return
      // What was silent says it now; what never came so far is ended, as by a server that is started again.
      for (const settle of hanging) settle('250 taken')
      hanging.clear()
      for (const [socket, felt] of moodOf) if (neverTakes.has(felt)) socket.destroy()
    },
    async close() {
      for (const settle of hanging) settle(null)
      await server.close()
    },
  }
}
