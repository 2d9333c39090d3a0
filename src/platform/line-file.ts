import { mkdir, open } from 'node:fs/promises'
import { dirname } from 'node:path'

/** Adds lines to a file that only its owner reads; when it resolves, they outlive a power cut. */
export async function appendLines(path: string, lines: readonly string[]): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  const file = await open(path, 'a', 0o600)
  try {
    await file.appendFile(lines.map((line) => `${line}\n`).join(''))
    await file.sync()
  } finally {
    await file.close()
  }
}
