import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { atFileEnd } from '../../support/endings.ts'
import { root } from '../../support/process.ts'
import { type Shape, twoServers } from '../shapes.ts'
import { type MoodySmtp, startMoodySmtp } from './moody-smtp.ts'

/** What the bed of these faults has besides: a mail server with moods, and servers whose clocks can be set. */
let smtp: MoodySmtp | null = null
let clocks: string | null = null

export const mailServer = (): MoodySmtp => smtp!

/** Sets the wall clock of a host, 0 the first, this far ahead; PostgreSQL's stays right. */
export function setClock(host: number, shiftMs: number): void {
  writeFileSync(join(clocks!, `clock-of-host-${host}`), String(shiftMs))
}

async function prepare(folder: string): Promise<Record<string, string>> {
  clocks = folder
  const started = await startMoodySmtp()
  smtp = started
  atFileEnd(() => started.close())
  const preload = join(root, 'test/support/shifted-clock.ts')
  return { SMTP_URL: started.url, CLOCK_SHIFT_FOLDER: folder, NODE_OPTIONS: `--import=${preload}` }
}

export const outsideWorld: Shape = {
  name: 'the outside world',
  servers: 1,
  processes: 1,
  postgres: 'outside',
  prepare,
}

export const twoClocks: Shape = { ...twoServers, name: 'two clocks', prepare }
