import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'

// Ten endpoints that answer 200 at once and remember what came when; their process does nothing else.

const endpoints = 10
/** What has come to each endpoint: a message sent twice counts once. */
let ids = Array.from({ length: endpoints }, () => new Set<string>())
let delaysMs: number[] = []
let lastAt = 0

function endpoint(i: number): RequestListener {
  return (request, response) => {
    let body = ''
    request.setEncoding('utf8')
    request.on('data', (part: string) => {
      body += part
    })
    request.on('end', () => {
      response.writeHead(200, { 'content-length': 2 }).end('ok')
      lastAt = Date.now()
      ids[i]!.add(request.headers['webhook-id'] as string)
      // When it happened is taken inside the writing transaction, so this is longer than from its commit.
      delaysMs.push(
        lastAt - Date.parse(body.slice(body.indexOf('"timestamp":"') + 13, body.indexOf('Z"') + 1)),
      )
    })
  }
}

const answers: Record<string, () => unknown> = {
  '/readyz': () => ({}),
  '/ports': () => ports,
  '/begin': () => {
    ids = ids.map(() => new Set())
    delaysMs = []
    return {}
  },
  '/arrived': () => ({ count: ids.reduce((sum, { size }) => sum + size, 0), lastAt }),
  '/delays': () => delaysMs,
}

async function listen(listener: RequestListener): Promise<number> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}

const ports = await Promise.all(Array.from({ length: endpoints }, (_, i) => listen(endpoint(i))))
const port = await listen((request, response) => response.end(JSON.stringify(answers[request.url!]!())))
console.log(`http://127.0.0.1:${port}`)
