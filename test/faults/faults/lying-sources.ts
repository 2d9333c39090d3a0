import { readdir } from 'node:fs/promises'
import type { RequestListener, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import type { Fault } from '../fault.ts'
import { complaints, type Noticed, watchOthers } from '../outside/others.ts'
import { outsideWorld } from '../outside/world.ts'

interface Lie {
  name: string
  answer: RequestListener
  /** What the caller may be answered: added, refused for good, or for the moment. */
  may: number[]
  /** Where it is not of the host itself. */
  url?: (host: string) => string
  /** Takes a hundred megabytes of disk or seconds. */
  long?: true
}

const text = { 'content-type': 'text/plain' }

function drip(response: ServerResponse, piece: string | Buffer, everyMs: number): void {
  const timer = setInterval(() => response.write(piece), everyMs)
  response.on('close', () => clearInterval(timer))
}

function flood(response: ServerResponse, piece: Buffer): void {
  const more = () => {
    while (response.write(piece));
  }
  response.on('drain', more)
  more()
}

/** A megabyte becomes a gigabyte. */
const bomb = () => gzipSync(Buffer.alloc(300 * 1024 * 1024), { level: 9 })
const moved =
  (location: string): RequestListener =>
  (_, response) =>
    response.writeHead(302, { location }).end()

const lies: Lie[] = [
  {
    name: 'ten-bytes',
    answer(_, response) {
      response.socket!.write('HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\ncontent-length: 10\r\n\r\n')
      response.socket!.write('a'.repeat(1_000_000))
    },
    may: [200, 201, 400, 503],
  },
  {
    name: 'endless',
    answer(_, response) {
      response.writeHead(200, text)
      flood(response, Buffer.alloc(65_536, 'a'))
    },
    may: [400],
    long: true,
  },
  {
    name: 'bomb',
    answer: (_, response) => response.writeHead(200, { ...text, 'content-encoding': 'gzip' }).end(bomb()),
    may: [400],
    long: true,
  },
  { name: 'drip', answer: (_, response) => drip(response.writeHead(200, text), 'a', 100), may: [503] },
  { name: 'silent', answer: () => {}, may: [503] },
  { name: 'head-only', answer: (_, response) => response.writeHead(200, text).flushHeaders(), may: [503] },
  {
    name: 'page.txt',
    answer: (_, response) =>
      response.writeHead(200, { 'content-type': 'text/html' }).end('<html><script>alert(1)</script></html>'),
    may: [400],
  },
  { name: 'loop', answer: (request, response) => moved(request.url!)(request, response), may: [400] },
  { name: 'private', answer: moved('http://127.0.0.1:1/secret'), may: [400] },
  { name: 'metadata', answer: moved('https://169.254.169.254/latest/meta-data'), may: [400] },
  { name: 'inside', answer: moved('https://localhost/secret'), may: [400] },
  {
    name: 'part',
    answer: (_, response) =>
      response.writeHead(206, { ...text, 'content-range': 'bytes 0-9/1000000' }).end('0123456789'),
    may: [400],
  },
  {
    name: 'half',
    answer(_, response) {
      response.writeHead(200, { ...text, 'content-length': 100_000 }).write('a'.repeat(50_000))
      setTimeout(() => response.socket?.resetAndDestroy(), 50)
    },
    may: [503],
  },
  {
    name: 'short',
    answer(_, response) {
      response.socket!.end('HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\ncontent-length: 1000\r\n\r\nabc')
    },
    may: [503],
  },
  { name: 'no-http', answer: (_, response) => response.socket!.end('SSH-2.0-OpenSSH\r\n'), may: [400, 503] },
  { name: 'no-tls', answer: () => {}, may: [400, 503], url: (host) => `https://${host}/no-tls` },
  {
    // Another content each time: what is kept is what was answered first.
    name: 'fickle',
    answer: (_, response) => response.writeHead(200, text).end(`It is ${Math.random()}.`),
    may: [200, 201],
  },
]

let noticed: Noticed = { slowestMs: 0, grownMb: 0 }
let wrongAnswers: string[] = []
const added: Set<string> = new Set()
let projectId = ''

/** Sources of files that lie, drip, hang and lead elsewhere. The company that named them is answered; no other waits. */
export const lyingSources: Fault = {
  name: 'lying-sources',
  title: 'Sources of files that lie about their length, are bombs, drip, hang, reset, or lead inside',
  shape: outsideWorld,
  times: 4,
  async strike(bed, { round, short }) {
    const { files, business, postgres, url } = bed
    const { other } = business
    const [row] = await postgres.rows<{ id: string }>(
      'select id from projects where installer_id = $1 order by id limit 1',
      [other.company.id],
    )
    projectId = row!.id
    wrongAnswers = []
    const told = lies.filter(({ long }) => !long || !short)
    const open = new Set<ServerResponse>()
    const prefix = `/lies-${round}-${Math.random().toString(36).slice(2, 8)}-`
    files.behave((request, response) => {
      const lie = told.find(({ name }) => request.url === prefix + name)
      if (!lie) return response.writeHead(200, text).end(files.contentOf(request.url!))
      open.add(response)
      response.on('close', () => open.delete(response)).on('error', () => {})
      lie.answer(request, response)
    })
    const ask = async ({ name, may, url: own }: Lie, signal: AbortSignal) => {
      const address = own ? own(files.host) : `${files.url}${prefix}${name}`
      const headers = { authorization: `Bearer ${other.key}`, 'content-type': 'application/json' }
      const body = JSON.stringify({
        folder: 'other',
        files: [{ url: address, name: `${prefix.slice(1)}${name}` }],
      })
      for (;;) {
        const answer = await fetch(`${url}/v1/projects/${projectId}/files`, {
          method: 'POST',
          headers,
          body,
          signal,
        })
        const said = await answer.text()
        // Its own company's share is full: it comes again.
        if (answer.status === 503 && /as many files being copied/.test(said)) {
          await sleep(200)
          continue
        }
        if (!may.includes(answer.status)) wrongAnswers.push(`${name}: ${answer.status} ${said.slice(0, 200)}`)
        if (answer.status < 300) added.add(`${prefix.slice(1)}${name}`)
        return
      }
    }
    const over = new AbortController()
    noticed = await watchOthers(bed, async () => {
      const asked = Promise.all(told.map((lie) => ask(lie, over.signal)))
      // Those that hang are let go after a while, as by a host that is started again; the others are long answered.
      const letGo = setInterval(
        () => {
          for (const response of open) response.socket?.destroy()
        },
        short ? 1_200 : 25_000,
      )
      await asked.finally(() => clearInterval(letGo))
    })
    files.behave(null)
  },
  async check(bed) {
    const wrong = [...wrongAnswers, ...complaints(noticed, 250)]
    const rows = await bed.postgres.rows<{ name: string; n: number }>(
      `select name, count(*)::int as n from files where installer_id = $1 and project_id = $2 group by name`,
      [bed.business.other.company.id, projectId],
    )
    for (const { name, n } of rows)
      if (!added.has(name) || n > 1)
        wrong.push(`${name} is there ${n} times, and was ${added.has(name) ? '' : 'not '}added`)
    for (const name of added) if (!rows.some((row) => row.name === name)) wrong.push(`${name} is not there`)
    const left = await readdir(join(bed.folder, 'files/tmp')).catch(() => [])
    if (left.length > 0) wrong.push(`${left.length} half-copied files are left`)
    return wrong
  },
}
