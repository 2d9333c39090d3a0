import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import sharp from 'sharp'
import { createFairQueue, QueueBusy } from '../../src/platform/fair-queue.ts'
import { createThumbnails, hasThumbnail, PictureUnreadable } from '../../src/platform/thumbnail.ts'
import { cpuMs } from '../support/cpu-time.ts'
import { root, run } from '../support/process.ts'
import { isoMedia, jpeg, pdf } from '../support/sample-files.ts'
import { phonePhoto, pixel, pngBomb, twoColours } from '../support/sample-pictures.ts'

const thumbnails = createThumbnails()
const from = (bytes: Buffer) => async () => Readable.from([bytes])
const ours = { group: 'installer', owner: 'installer' }
const never = new AbortController().signal
const make = async (bytes: Buffer) => (await thumbnails.make(ours, from(bytes), never))!
const lineOf = (atOnce: number, waiting: number) =>
  createFairQueue({
    atOnce: { all: atOnce + 1, group: atOnce, owner: atOnce },
    waiting: { all: waiting + 1, group: waiting, owner: waiting },
    maxWaitMs: 60_000,
    maxWorkMs: 10_000,
  })
const isNear = (colour: number[], wanted: number[]) =>
  assert.ok(
    colour.every((part, i) => Math.abs(part - wanted[i]!) < 12),
    `${colour} is not ${wanted}`,
  )

test('a photo comes out small, upright and without what the camera wrote into it', async () => {
  const photo = await phonePhoto({ width: 4000, height: 3000 })
  assert.ok((await sharp(photo).metadata()).exif?.includes('Acme'))
  const small = await make(photo)
  const { format, width, height, exif, icc, xmp, orientation, hasAlpha } = await sharp(small).metadata()
  assert.deepEqual([format, width, height], ['webp', 360, 480])
  assert.deepEqual(
    [exif, icc, xmp, orientation, hasAlpha],
    [undefined, undefined, undefined, undefined, false],
  )
  assert.ok(small.length < 20_000, `${small.length} bytes`)
  // Its left side is up once it is turned.
  isNear(await pixel(small, 180, 60), [255, 0, 0])
  isNear(await pixel(small, 180, 420), [0, 0, 255])
})

test('every kind that is promised is read, and a small picture is not enlarged', async () => {
  const picture = () => twoColours({ width: 96, height: 64 })
  const kinds: Record<string, Promise<Buffer>> = {
    'image/jpeg': picture().jpeg().toBuffer(),
    'image/png': picture().png().toBuffer(),
    'image/webp': picture().webp().toBuffer(),
    'image/gif': picture().gif().toBuffer(),
    'image/avif': picture().avif({ effort: 0 }).toBuffer(),
    'image/tiff': picture().tiff({ compression: 'lzw' }).toBuffer(),
  }
  for (const [type, bytes] of Object.entries(kinds)) {
    assert.ok(hasThumbnail(type))
    const { width, height } = await sharp(await make(await bytes)).metadata()
    assert.deepEqual([width, height], [96, 64], type)
  }
  for (const type of ['image/svg+xml', 'image/heic', 'application/pdf', 'video/mp4', 'text/plain']) {
    assert.ok(!hasThumbnail(type), type)
  }
})

test('of a moving picture the first frame is shown', async () => {
  const frame = (background: string) =>
    sharp({ create: { width: 40, height: 30, channels: 3, background } })
      .png()
      .toBuffer()
  const frames = [await frame('#0f0'), await frame('#f00'), await frame('#00f')]
  for (const kind of ['gif', 'webp'] as const) {
    const moving = await sharp(frames, { join: { animated: true } })
      .toFormat(kind)
      .toBuffer()
    assert.equal((await sharp(moving).metadata()).pages, 3, kind)
    const small = await make(moving)
    const { width, height, pages } = await sharp(small).metadata()
    assert.deepEqual([width, height, pages ?? 1], [40, 30, 1], kind)
    isNear(await pixel(small, 20, 15), [0, 255, 0])
  }
})

test('what is transparent becomes white: a drawing stays readable in the dark', async () => {
  const clear = { width: 50, height: 50, channels: 4 as const, background: { r: 0, g: 0, b: 0, alpha: 0 } }
  isNear(await pixel(await make(await sharp({ create: clear }).png().toBuffer()), 25, 25), [255, 255, 255])
})

test('what is no picture, broken or of another kind is refused, SVG above all', async () => {
  const whole = await twoColours({ width: 800, height: 600 }).jpeg().toBuffer()
  const wrong = {
    svg: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect/></svg>'),
    pdf,
    heic: isoMedia('heic'),
    'broken jpeg': jpeg,
    'torn jpeg': whole.subarray(0, whole.length / 2),
    ppm: Buffer.from('P6 1 1 255\nabc'),
    nothing: Buffer.alloc(0),
  }
  for (const [name, bytes] of Object.entries(wrong)) {
    await assert.rejects(make(bytes), PictureUnreadable, name)
  }
  assert.equal(await thumbnails.make(ours, async () => null, never), null)
})

test('a picture of too many pixels is refused before it is unpacked', async () => {
  const bomb = pngBomb({ width: 30_000, height: 30_000 })
  assert.ok(bomb.length < 2_000_000)
  const begun = cpuMs()
  await assert.rejects(make(bomb), PictureUnreadable)
  const ms = cpuMs() - begun
  assert.ok(ms < 1_000, `${ms} ms`)

  const patient = createThumbnails({ maxPixels: 1_000_000_000, timeoutSeconds: 1 })
  await assert.rejects(patient.make(ours, from(bomb), never), (error: Error) => {
    assert.ok(error instanceof PictureUnreadable)
    assert.match(String(error.cause), /timeout/)
    return true
  })
})

test('two of a company are made at once, others wait, and who would wait too long is told so', async () => {
  const line = createThumbnails({ line: lineOf(2, 2) })
  const picture = await twoColours({ width: 40, height: 30 }).png().toBuffer()
  const gates = [0, 1, 2, 3].map(() => Promise.withResolvers<void>())
  const begun: number[] = []
  const leaving = new AbortController()
  const made = gates.map((gate, i) =>
    line.make(
      ours,
      async () => {
        begun.push(i)
        await gate.promise
        return Readable.from([picture])
      },
      i === 2 ? leaving.signal : never,
    ),
  )
  await assert.rejects(line.make(ours, from(picture), never), QueueBusy)
  assert.deepEqual(begun, [0, 1])
  assert.ok(await line.make({ group: 'other', owner: 'other' }, from(picture), never))

  leaving.abort(new Error('hung up'))
  await assert.rejects(made[2]!, /hung up/)
  gates[0]!.resolve()
  await made[0]
  await nextTurn()
  assert.deepEqual(begun, [0, 1, 3])
  for (const gate of gates) gate.resolve()
  assert.ok((await made[1])!.length > 0 && (await made[3])!.length > 0)
})

test('who hangs up while the file is read frees its place', async () => {
  const line = createThumbnails({ line: lineOf(1, 0) })
  const endless = new Readable({ read() {} })
  const leaving = new AbortController()
  const waiting = line.make(ours, async () => endless, leaving.signal)
  setImmediate(() => leaving.abort(new Error('hung up')))
  await assert.rejects(waiting, /hung up/)
  assert.ok(endless.destroyed)
  const picture = await twoColours({ width: 40, height: 30 }).png().toBuffer()
  assert.ok(await line.make(ours, from(picture), never))
})

test('the picture library is loaded with the first picture, not with the server', async () => {
  const program = `
    import { Readable } from 'node:stream'
    import { createThumbnails } from './src/platform/thumbnail.ts'
    const loaded = () => process.report.getReport().sharedObjects.some((path) => path.includes('libvips'))
    const before = loaded()
    const whose = { group: 'a', owner: 'a' }
    const open = async () => Readable.from([Buffer.from('x')])
    await createThumbnails().make(whose, open, new AbortController().signal).catch(() => {})
    console.log(before, loaded())`
  const { stdout } = await run([process.execPath, '--input-type=module', '--eval', program], {}, root)
  assert.equal(stdout.trim(), 'false true')
})
