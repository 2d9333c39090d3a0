import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmdirSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface SmallDisk {
  /** Leaves no room, by making it as small as what lies on it. */
  fill(): void
  /** Gives it its room back. */
  free(): void
  unmount(): void
}

/** A disk of its own in an empty folder, in memory; null where one may not mount. */
export function mountSmallDisk(path: string, megabytes: number): SmallDisk | null {
  const whole = `${megabytes}m`
  try {
    mount('-t', 'tmpfs', '-o', `size=${whole},mode=755`, 'tmpfs', path)
  } catch {
    return null
  }
  const resize = (size: string | number) => mount('-o', `remount,size=${size}`, path)
  return {
    fill() {
      // What is written at this moment makes it refuse to become so small.
      for (let tries = 20; ; tries--) {
        const { blocks, bfree, bsize } = statfsSync(path)
        try {
          return resize((blocks - bfree) * bsize)
        } catch (error) {
          if (tries === 0) throw error
        }
      }
    },
    free: () => resize(whole),
    unmount: () => execFileSync('/bin/umount', ['--lazy', path]),
  }
}

const mount = (...args: string[]): void => void execFileSync('/bin/mount', args, { stdio: 'ignore' })

/** For tests that need one. */
export const withoutSmallDisk: string | false = mayMount() ? false : 'needs the right to mount a small disk'

function mayMount(): boolean {
  const path = mkdtempSync(join(tmpdir(), 'sunstead-disk-'))
  try {
    const disk = mountSmallDisk(path, 1)
    disk?.unmount()
    return disk !== null
  } finally {
    rmdirSync(path)
  }
}
