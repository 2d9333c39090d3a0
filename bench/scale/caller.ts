import net from 'node:net'

export interface Answer {
  status: number
  body: Buffer
}

/** Calls a server over as many kept connections as are needed at once. */
export interface Caller {
  call(request: string): Promise<Answer>
  /** A stream that is left open, and only counted. */
  hold(request: string): void
  close(): void
}

const silenceLimitMs = 20_000
/** A balancer in front keeps no more; what comes beyond waits here, and the wait counts. */
const maxConnections = 500

interface Waiting {
  request: string
  resolve(answer: Answer): void
  reject(error: Error): void
}

/** HTTP by hand, as in load.ts: a client library would take more of the machine than the server it measures. */
export function createCaller(port: number): Caller {
  const idle: Connection[] = []
  const open = new Set<net.Socket>()
  const queue: Waiting[] = []
  let closing = false
  const release = (connection: Connection) => {
    const next = queue.shift()
    if (next) connection.send(next)
    else idle.push(connection)
  }
  const connect = (): Connection => {
    const connection = createConnection(port, {
      done: () => release(connection),
      gone: () => {
        open.delete(connection.socket)
        const place = idle.indexOf(connection)
        if (place >= 0) idle.splice(place, 1)
        const next = closing ? undefined : queue.shift()
        if (next) connect().send(next)
      },
    })
    open.add(connection.socket)
    return connection
  }
  return {
    call: (request) =>
      new Promise((resolve, reject) => {
        const waiting = { request, resolve, reject }
        const free = idle.pop()
        if (free) free.send(waiting)
        else if (open.size < maxConnections) connect().send(waiting)
        else queue.push(waiting)
      }),
    hold(request) {
      const socket = net.connect({ port, host: '127.0.0.1' })
      open.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => open.delete(socket))
      socket.resume()
      socket.write(request, 'latin1')
    },
    close() {
      closing = true
      for (const socket of open) socket.destroy()
    },
  }
}

interface Connection {
  socket: net.Socket
  send(waiting: Waiting): void
}

function createConnection(port: number, on: { done(): void; gone(): void }): Connection {
  const socket = net.connect({ port, host: '127.0.0.1', noDelay: true })
  let current: Waiting | null = null
  let parts: Buffer[] = []
  let received = 0
  let head: { status: number; bytes: number } | null = null
  socket.setTimeout(silenceLimitMs, () => {
    if (current) socket.destroy(new Error('no answer in 20 s'))
  })
  let problem: Error | null = null
  socket.on('error', (error) => {
    problem = error
  })
  socket.on('close', () => {
    const left = current
    current = null
    on.gone()
    left?.reject(problem ?? new Error('the server closed the connection'))
  })
  socket.on('data', (chunk: Buffer) => {
    parts.push(chunk)
    received += chunk.length
    if (head === null) {
      const all = parts.length === 1 ? chunk : Buffer.concat(parts)
      const end = all.indexOf('\r\n\r\n')
      if (end < 0) return
      const text = all.toString('latin1', 0, end)
      const length = lengthHeader.exec(text)?.[1]
      if (length === undefined) return void socket.destroy(new Error('an answer without content-length'))
      head = { status: Number(text.slice(9, 12)), bytes: Number(length) }
      parts = [all.subarray(end + 4)]
      received = all.length - end - 4
    }
    if (received < head.bytes) return
    const answer = { status: head.status, body: parts.length === 1 ? parts[0]! : Buffer.concat(parts) }
    const asked = current
    current = null
    head = null
    parts = []
    received = 0
    on.done()
    asked?.resolve(answer)
  })
  return {
    socket,
    send(waiting) {
      current = waiting
      socket.write(waiting.request, 'latin1')
    },
  }
}

const lengthHeader = /\r\ncontent-length: *(\d+)/i
