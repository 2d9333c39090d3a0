import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const memory = '/dev/shm'
const prefix = 'sunstead-run-'
/** Several times what all files of a run keep there together. */
const enoughBytes = 4 * 2 ** 30

/**
 * A folder in memory for the files of a run, where the machine has room: hundreds of databases are copied and dropped,
 * and a file system on a disk takes two to four times the work for that. Null where there is none.
 */
export function makeMemoryFolder(): string | null {
  if (!existsSync(memory) || !hasRoom()) return null
  removeLeft()
  const folder = mkdtempSync(join(memory, `${prefix}${process.pid}-`))
  // PostgreSQL runs as another user where we are root.
  chmodSync(folder, 0o1777)
  if (canExecute(folder)) return folder
  rmSync(folder, { recursive: true })
  return null
}

function hasRoom(): boolean {
  const { bavail, bsize } = statfsSync(memory)
  return Math.min(bavail * bsize, process.availableMemory()) >= enoughBytes
}

/** What a run that was killed has left, which would take up memory until the machine is started again. */
function removeLeft(): void {
  for (const name of readdirSync(memory)) {
    const [, pid] = new RegExp(`^${prefix}(\\d+)-`).exec(name) ?? []
    if (!pid || existsSync(`/proc/${pid}`)) continue
    try {
      rmSync(join(memory, name), { recursive: true, force: true })
    } catch {
      // A disk of its own that a test was killed with may still be there; it is no reason not to begin.
    }
  }
}

/** Programs are copied there too, which some machines do not let run. */
function canExecute(folder: string): boolean {
  const program = join(folder, 'program')
  writeFileSync(program, '#!/bin/sh\n', { mode: 0o755 })
  try {
    execFileSync(program)
    return true
  } catch {
    return false
  } finally {
    rmSync(program)
  }
}
