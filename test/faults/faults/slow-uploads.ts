import { readdir } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Bed } from '../bed/bed.ts'
import type { Fault } from '../fault.ts'
import { complaints, type Noticed, watchOthers } from '../outside/others.ts'
import { outsideWorld } from '../outside/world.ts'

let noticed: Noticed = { slowestMs: 0, grownMb: 0 }
let answers: string[] = []
let importsBefore = 0

interface Upload {
  path: string
  length: number
  send(socket: Socket): void
}

const trickle = (socket: Socket) => {
  const timer = setInterval(() => socket.writable && socket.write('a'), 100)
  socket.on('close', () => clearInterval(timer))
}

/** The last byte never comes: the line breaks. */
const cutAtTheEnd = (length: number) => (socket: Socket) => {
  socket.write('a'.repeat(length - Math.ceil(length / 100)))
  setTimeout(() => socket.resetAndDestroy(), 300)
}

function uploads({ business: { session } }: Bed): Upload[] {
  const files = ['/console/api/imports?name=leads.csv', `/console/api/companies/${session.installerId}/logo`]
  return files.flatMap((path) => [
    { path, length: 900_000, send: trickle },
    { path, length: 500_000, send: cutAtTheEnd(500_000) },
    // Says more than it sends, and waits; says less than it sends.
    { path, length: 5_000, send: (socket) => void socket.write('a'.repeat(2_000)) },
    { path, length: 10, send: (socket) => void socket.write('a'.repeat(60_000)) },
    // Ten terabytes.
    { path, length: 1e13, send: trickle },
  ])
}

const importsOf = async ({ postgres, business }: Bed) =>
  (
    await postgres.rows<{ n: number }>('select count(*)::int as n from imports where installer_id = $1', [
      business.session.installerId,
    ])
  )[0]!.n

/** What is being received lies here. */
const temps = async ({ folder }: Bed) =>
  (await readdir(join(folder, 'files/tmp')).catch(() => [] as string[])).length

/** Files that people send come byte by byte, lie about their length, or break off just before the end. */
export const slowUploads: Fault = {
  name: 'slow-uploads',
  title: 'Uploads that trickle, lie about their length, or break off at 99 %',
  shape: outsideWorld,
  times: 3,
  async strike(bed, { short }) {
    const { servers, business } = bed
    importsBefore = await importsOf(bed)
    answers = []
    noticed = await watchOthers(bed, async () => {
      const sockets = Array.from({ length: short ? 4 : 20 }, () => uploads(bed))
        .flat()
        .map(({ path, length, send }) => {
          const socket = connect(servers[0]!.port, '127.0.0.1').on('error', () => {})
          let text = ''
          socket.on('data', (chunk) => {
            text += chunk
          })
          socket.on('close', () => answers.push(text))
          const headers = Object.entries(business.session.headers).map(
            ([name, value]) => `${name}: ${value}\r\n`,
          )
          socket.write(
            `PUT ${path} HTTP/1.1\r\nhost: x\r\n${headers.join('')}content-length: ${length}\r\n\r\n`,
          )
          send(socket)
          return socket
        })
      // In the long form they are ended by the server, after a look or two.
      const until = performance.now() + (short ? 1_500 : 140_000)
      while (sockets.some((socket) => !socket.destroyed) && performance.now() < until) await sleep(50)
      for (const socket of sockets) socket.destroy()
    })
  },
  async check(bed, { short }) {
    const wrong = complaints(noticed, 200)
    const until = performance.now() + 10_000
    while ((await temps(bed)) > 0 && performance.now() < until) await sleep(50)
    const left = await temps(bed)
    if (left > 0) wrong.push(`${left} half-received files are left`)
    const imports = (await importsOf(bed)) - importsBefore
    if (imports > 0) wrong.push(`${imports} imports of what never came`)
    const taken = answers.filter((text) => /^HTTP\/1\.1 (2|500)/.test(text))
    if (taken.length > 0) wrong.push(`answered ${taken[0]!.slice(0, 300)}`)
    if (
      !short &&
      answers.some((text) => text === '') &&
      !answers.some((text) => /did not arrive in time/.test(text))
    )
      wrong.push('nobody was told that it did not arrive in time')
    return wrong
  },
}
