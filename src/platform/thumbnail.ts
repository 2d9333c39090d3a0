import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { createFairQueue, type FairQueue, type Share } from './fair-queue.ts'
import { loadSharp } from './load-sharp.ts'

/** The longer side of a thumbnail, at most. */
export const thumbnailSidePixels = 480

/** What thumbnails are made of. SVG is a program as much as a picture, HEIC needs a decoder we have not. */
const readable = new Set(
  'image/jpeg image/png image/apng image/webp image/gif image/avif image/tiff'.split(' '),
)

export function hasThumbnail(type: string): boolean {
  return readable.has(type)
}

export type ThumbnailOptions = {
  line?: FairQueue
  /** For each picture, counted from when its turn comes. */
  timeoutSeconds?: number
  maxPixels?: number
}

/** The contents are no picture, broken, too large, or take too long. */
export class PictureUnreadable extends Error {
  override name = 'PictureUnreadable'
}

export type Thumbnails = {
  /**
   * A WebP of the picture's first frame, upright, on white and without what the camera wrote into it.
   * `open` is called when the turn of whose picture it is comes; null from it is null here. Rejects with QueueBusy.
   */
  make(share: Share, open: () => Promise<Readable | null>, givenUp: AbortSignal): Promise<Buffer | null>
}

/**
 * Each takes one of the four threads that reading files and hashing need too. Two of three for one company: its pages
 * full of photos, or photos that take long, leave one to the others.
 */
function thumbnailLine(): FairQueue {
  return createFairQueue({
    atOnce: { all: 3, group: 2, owner: 2 },
    waiting: { all: 600, group: 200, owner: 150 },
    maxWaitMs: 20_000,
    maxWorkMs: 15_000,
  })
}

export function createThumbnails({
  line = thumbnailLine(),
  timeoutSeconds = 10,
  maxPixels = 100_000_000,
}: ThumbnailOptions = {}): Thumbnails {
  async function makeNow(open: () => Promise<Readable | null>, signal: AbortSignal): Promise<Buffer | null> {
    const stream = await open()
    if (!stream) return null
    const bytes = await readAll(stream, signal)
    const sharp = await loadSharp()
    signal.throwIfAborted()
    try {
      // What has begun is not left before its end, which the time limit bounds: the thread is taken so long.
      // Phones write JPEGs with small faults that every viewer forgives: 'error' forgives them too, but no torn file.
      return await sharp(bytes, { autoOrient: true, limitInputPixels: maxPixels, failOn: 'error' })
        .resize(thumbnailSidePixels, thumbnailSidePixels, { fit: 'inside', withoutEnlargement: true })
        .flatten({ background: '#fff' })
        .webp({ quality: 75, effort: 2 })
        .timeout({ seconds: timeoutSeconds })
        .toBuffer()
    } catch (error) {
      throw new PictureUnreadable('no thumbnail can be made of this', { cause: error })
    }
  }

  return {
    make: (share, open, givenUp) => line.run(share, (signal) => makeNow(open, signal), givenUp),
  }
}

async function readAll(stream: Readable, signal: AbortSignal): Promise<Buffer> {
  const stop = () => stream.destroy(signal.reason)
  signal.addEventListener('abort', stop, { once: true })
  try {
    if (signal.aborted) stop()
    return await buffer(stream)
  } finally {
    signal.removeEventListener('abort', stop)
  }
}
