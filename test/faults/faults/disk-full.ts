import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { withoutSmallDisk } from '../../support/small-disk.ts'
import type { Bed } from '../bed/bed.ts'
import type { Fault } from '../fault.ts'
import { longestSilence, type Silence } from '../load/silence.ts'
import { embeddedOnSmallDisk, oneServer } from '../shapes.ts'

/** On a busy machine too: it is the others that must not wait for room. */
const othersWithinMs = 5_000

/** In which a file is added, on a busy machine too. */
const refusedWithinMs = 60_000

let others: Silence = { kind: '', ms: 0 }
let wasRefused = false

const temps = async ({ folder }: Bed) => new Set(await readdir(join(folder, 'files/tmp')).catch(() => []))

/** What a server that was killed had begun is cleared a day later. */
let leftBefore = new Set<string>()

async function halfWritten(bed: Bed): Promise<string[]> {
  const { size } = (await temps(bed)).difference(leftBefore)
  return size > 0 ? [`${size} half-written files are left`] : []
}

/** Files are refused for the moment, and everything else goes on. */
export const filesDiskFull: Fault = {
  name: 'disk-full',
  title: 'The disk of the files is full',
  shape: oneServer,
  skip: withoutSmallDisk,
  times: 10,
  async strike(bed, { short }) {
    const { disk, load } = bed
    leftBefore = await temps(bed)
    const { refused } = load.caller.tally
    const isRefused = () => load.caller.tally.refused > refused
    disk!.fill()
    const until = performance.now() + refusedWithinMs
    others = await longestSilence(load, ['files'], short ? 1_000 : 8_000)
    while (!isRefused() && performance.now() < until) await sleep(20)
    disk!.free()
    wasRefused = isRefused()
  },
  async check(bed) {
    return [
      ...(wasRefused ? [] : ['no file was refused: the disk was not full']),
      ...(await halfWritten(bed)),
      ...(others.ms <= othersWithinMs ? [] : [`${others.kind} waited ${Math.round(others.ms)} ms`]),
    ]
  },
}

/** What `npm start` has: the database and the files on one disk. PostgreSQL may end for want of room, and the server with it. */
export const wholeDiskFull: Fault = {
  name: 'whole-disk-full',
  title: 'The one disk of files and embedded PostgreSQL is full',
  shape: embeddedOnSmallDisk,
  skip: withoutSmallDisk,
  times: 5,
  // A bed of its own, of hundreds of megabytes; disk-full shows the refusal, test/process/full-disk.test.ts the database's.
  longOnly: true,
  mayEnd: true,
  async strike(bed) {
    const { disk, load } = bed
    leftBefore = await temps(bed)
    const { refused } = load.caller.tally
    disk!.fill()
    await sleep(10_000)
    disk!.free()
    wasRefused = load.caller.tally.refused > refused
  },
  async check(bed) {
    return [
      ...(wasRefused ? [] : ['nothing was refused: the disk was not full']),
      ...(await halfWritten(bed)),
    ]
  },
}
