import { type FileHandle, mkdir, open, readFile } from 'node:fs/promises'
import { dirname } from 'node:path'

/** A list of lines that is only added to. */
export interface LineList {
  append(lines: readonly string[]): Promise<void>
  /** All of it as one text. A line may come twice. */
  read(): Promise<string>
}

/** The list in a file; where there is a shared one, that, after what this host had noted before. */
export function lineList(path: string, shared: LineList | null): LineList {
  if (!shared) return { append: (lines) => appendLines(path, lines), read: () => readLineFile(path) }
  return {
    append: shared.append,
    read: async () => {
      const own = await readLineFile(path)
      return (own && !own.endsWith('\n') ? `${own}\n` : own) + (await shared.read())
    },
  }
}

/** Adds lines to a file that only its owner reads; when it resolves, they outlive a power cut. */
export async function appendLines(path: string, lines: readonly string[]): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  const file = await open(path, 'a+', 0o600)
  try {
    // What a crash cut off stays a line of its own: it must not swallow the next.
    const torn = await endsWithin(file)
    await file.appendFile((torn ? '\n' : '') + lines.map((line) => `${line}\n`).join(''))
    await file.sync()
  } finally {
    await file.close()
  }
}

/** The lines as one text; empty where there is no such file yet. */
export async function readLineFile(path: string): Promise<string> {
  return readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return ''
    throw error
  })
}

async function endsWithin(file: FileHandle): Promise<boolean> {
  const { size } = await file.stat()
  if (size === 0) return false
  const { buffer } = await file.read(Buffer.alloc(1), 0, 1, size - 1)
  return buffer[0] !== 0x0a
}
