import { fileTypeFromBuffer } from 'file-type'
import { loadSharp } from './load-sharp.ts'
import { PictureUnreadable } from './thumbnail.ts'

/** Drawn at half of it at most, so it is sharp on paper and on fine screens. */
const box = { width: 640, height: 240 }
const maxPixels = 40_000_000
const timeoutSeconds = 10
const taken = new Set(['image/png', 'image/apng', 'image/jpeg', 'image/webp'])

/**
 * A logo as it is kept: a PNG on white, upright, no larger than needed and without what came along in the file. PNG,
 * because invoices are drawn by a library that takes no WebP. Rejects with `PictureUnreadable` where it is no picture
 * of a kind that is taken, whatever it claims to be.
 */
export async function logoPicture(bytes: Buffer): Promise<Buffer> {
  const found = await fileTypeFromBuffer(bytes)
  if (!found || !taken.has(found.mime)) throw new PictureUnreadable('not a PNG, JPEG or WebP picture')
  const sharp = await loadSharp()
  try {
    return await sharp(bytes, { autoOrient: true, limitInputPixels: maxPixels, failOn: 'error' })
      .resize(box.width, box.height, { fit: 'inside', withoutEnlargement: true })
      .flatten({ background: '#fff' })
      .png({ compressionLevel: 9 })
      .timeout({ seconds: timeoutSeconds })
      .toBuffer()
  } catch (error) {
    throw new PictureUnreadable('the picture cannot be read', { cause: error })
  }
}
