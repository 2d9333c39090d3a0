import { readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'

export interface SlowCallers {
  /** Of how many the server still has the connection. Who does not read does not hear that it was ended. */
  open(): number
  hangUp(): void
}

interface Keys {
  key: string
  /** Headers of somebody who is signed in to the console. */
  session: Record<string, string>
}

type Caller = (socket: Socket, keys: Keys) => void

const lines = (headers: Record<string, string>) =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')

const get = (path: string, headers: Record<string, string> = {}) =>
  `GET ${path} HTTP/1.1\r\nhost: x\r\n${lines(headers)}\r\n`

const by = (key: string) => ({ authorization: `Bearer ${key}` })

function drip(socket: Socket, text: string, everyMs: number): void {
  let at = 0
  const timer = setInterval(() => {
    if (socket.writable) socket.write(text[at++ % text.length]!)
  }, everyMs)
  socket.on('close', () => clearInterval(timer))
}

/** Asks again and again and takes nothing of what is answered, but what the system takes in advance. */
const asksAndDoesNotRead =
  (path: string, times: number, headers = (_: Keys): Record<string, string> => ({})): Caller =>
  (socket, keys) => {
    socket.pause()
    socket.write(get(path, headers(keys)).repeat(times))
  }

const bodyOf =
  (path: string, headers: (keys: Keys) => Record<string, string>): Caller =>
  (socket, keys) => {
    const sent = { ...headers(keys), 'content-type': 'application/json', 'content-length': '9000' }
    socket.write(`POST ${path} HTTP/1.1\r\nhost: x\r\n${lines(sent)}\r\n{`)
    drip(socket, ' ', 1_000)
  }

const headOf =
  (path: string): Caller =>
  (socket) =>
    drip(socket, `GET ${path} HTTP/1.1\r\nhost: x\r\nx-slow: ${'a'.repeat(4_000)}`, 300)

const withKey = ({ key }: Keys) => by(key)
const withSession = ({ session }: Keys) => session

/** Everybody who takes their time, on every interface. */
const callers: Caller[] = [
  // Who says nothing at all, and who stops in the middle of a word.
  () => {},
  (socket) => void socket.write('GET /v1/le'),
  ...['/v1/leads', '/legacy/fetch_project', '/catalog/v1/panels', '/console/api/session', '/metrics'].map(
    headOf,
  ),
  bodyOf('/v1/leads', withKey),
  bodyOf('/legacy/create_activity', withKey),
  bodyOf('/catalog/v1/monitoring/readings', withKey),
  bodyOf('/console/api/leads', withSession),
  bodyOf('/console/auth/sign-in/email', () => ({ origin: 'http://x' })),
  asksAndDoesNotRead('/v1/leads?limit=100', 20, withKey),
  asksAndDoesNotRead('/catalog/v1/panels', 50, withKey),
  asksAndDoesNotRead('/docs/postman.json', 100),
  asksAndDoesNotRead('/metrics', 50),
  asksAndDoesNotRead('/console/api/live', 1, withSession),
  // Who keeps a connection for later.
  (socket) => void socket.resume().write(get('/healthz')),
  // Who hung up for its part and waits for ever.
  (socket) => socket.end(get('/v1/leads?limit=100', {})),
]

export function callSlowly(port: number, count: number, keys: Keys): SlowCallers {
  const open = new Set<Socket>()
  for (let i = 0; i < count; i++) {
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true }).on('error', () => {})
    open.add(socket)
    socket.on('close', () => open.delete(socket))
    // Hung up on, also where nobody reads.
    socket.on('end', () => socket.destroy())
    callers[i % callers.length]!(socket, keys)
  }
  return {
    open() {
      const connected = [...open].filter(({ connecting }) => !connecting)
      return open.size - connected.length + heldBy(port, new Set(connected.map((socket) => socket.localPort)))
    },
    hangUp() {
      for (const socket of open) socket.destroy()
    },
  }
}

const established = '01'
const halfClosedByOther = '08'

/** How many connections from these ports a server on this one has, as the system tells; all of them where it does not. */
function heldBy(port: number, callers: ReadonlySet<number | undefined>): number {
  if (process.platform !== 'linux') return callers.size
  const portOf = (address: string) => Number.parseInt(address.split(':')[1]!, 16)
  return readFileSync('/proc/net/tcp', 'utf8')
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => line.trim().split(/\s+/))
    .filter(
      ([, own, other, state]) =>
        portOf(own!) === port &&
        callers.has(portOf(other!)) &&
        (state === established || state === halfClosedByOther),
    ).length
}
