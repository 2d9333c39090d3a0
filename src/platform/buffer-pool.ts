/** Buffers that are used again, each a power of two long. */
export interface BufferPool {
  /** One that holds so many bytes or more. */
  take(bytes: number): Buffer
  /** A buffer that was taken, or any part of it; what was not taken here, or was given back before, is left alone. */
  giveBack(part: Buffer): void
}

const megabyte = 1_048_576

/**
 * For bytes that come and go in large pieces: a buffer made for each is let go only when the garbage is collected, which
 * it brings about far more often. What lies idle is bounded. One that would be more than a quarter of that is seldom
 * needed again, and is not kept.
 */
export function createBufferPool(smallestBytes: number, maxIdleBytes: number): BufferPool {
  const idle = new Map<number, Buffer<ArrayBuffer>[]>()
  // By their memory: of what is lent only a part may come back, and whoever fails on the way gives nothing back.
  const lent = new WeakMap<ArrayBufferLike, Buffer<ArrayBuffer>>()
  let idleBytes = 0
  return {
    take(bytes) {
      let size = smallestBytes
      while (size < bytes) size *= 2
      const found = idle.get(size)?.pop()
      if (found) idleBytes -= size
      const buffer = found ?? Buffer.allocUnsafeSlow(size)
      lent.set(buffer.buffer, buffer)
      return buffer
    },
    giveBack(part) {
      const buffer = lent.get(part.buffer)
      if (!buffer) return
      lent.delete(buffer.buffer)
      const size = buffer.length
      if (4 * size > maxIdleBytes || idleBytes + size > maxIdleBytes) {
        // Gone at once: until garbage is collected, as much again would wait for it.
        buffer.buffer.transfer(0)
        return
      }
      idleBytes += size
      const others = idle.get(size)
      if (others) others.push(buffer)
      else idle.set(size, [buffer])
    },
  }
}

/** For long texts on their way from the database into answers. */
export const buffers = createBufferPool(16_384, 4 * megabyte)
