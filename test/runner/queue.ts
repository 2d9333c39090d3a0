import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Of one test file: who took it, and how long it took once it has ended. */
export interface Taken {
  worker: string
  ms?: number
}

/**
 * The files of a run, in a folder that its workers share. Whoever makes a file's note first has taken it, so that
 * nothing is run twice, and a worker that dies leaves behind which file it died of.
 */
export interface Queue {
  folder: string
  files: readonly string[]
  /** By file; those that nobody took are not in it. */
  taken(): Map<string, Taken>
  /** Lets a file be taken again. */
  release(file: string): void
  remove(): void
}

export function createQueue(files: readonly string[]): Queue {
  const folder = mkdtempSync(join(tmpdir(), 'sunstead-tests-'))
  writeFileSync(join(folder, 'files.json'), JSON.stringify(files))
  return {
    folder,
    files,
    taken: () => takenFiles(folder, files),
    release: (file) => rmSync(join(folder, String(files.indexOf(file)))),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

/** The files that nobody has taken before, one by one. */
export function* takeFiles(folder: string, worker: string): Generator<string> {
  const files: string[] = JSON.parse(readFileSync(join(folder, 'files.json'), 'utf8'))
  for (const [index, file] of files.entries()) {
    const note = join(folder, String(index))
    const begun = performance.now()
    if (!write(note, { worker })) continue
    yield file
    writeFileSync(note, JSON.stringify({ worker, ms: performance.now() - begun } satisfies Taken))
  }
}

function takenFiles(folder: string, files: readonly string[]): Map<string, Taken> {
  return new Map(
    files.flatMap((file, index): [string, Taken][] => {
      try {
        return [[file, JSON.parse(readFileSync(join(folder, String(index)), 'utf8'))]]
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
        return []
      }
    }),
  )
}

function write(note: string, taken: Taken): boolean {
  try {
    writeFileSync(note, JSON.stringify(taken), { flag: 'wx' })
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    return false
  }
}
