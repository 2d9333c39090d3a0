/** Buffers that are used again, each a power of two long. */
export interface BufferPool {
  /** One that holds so many bytes or more. */
  take(bytes: number): Buffer
  giveBack(buffer: Buffer): void
}

/**
 * For bytes that come and go in large pieces: a buffer made for each is let go only when the garbage is collected, which
 * it brings about far more often. What lies idle is bounded.
 */
export function createBufferPool(smallestBytes: number, maxIdleBytes: number): BufferPool {
  const idle = new Map<number, Buffer[]>()
  let idleBytes = 0
  return {
    take(bytes) {
      let size = smallestBytes
      while (size < bytes) size *= 2
      const found = idle.get(size)?.pop()
      if (found) idleBytes -= size
      return found ?? Buffer.allocUnsafeSlow(size)
    },
    giveBack(buffer) {
      const size = buffer.length
      if (idleBytes + size > maxIdleBytes) return
      idleBytes += size
      const others = idle.get(size)
      if (others) others.push(buffer)
      else idle.set(size, [buffer])
    },
  }
}
