import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { link, mkdir, open, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'

const fileName = 'secret.key'

export function keyFileIn(dataDir: string): string {
  return join(dataDir, fileName)
}

/** The keys of the file, a line each, the newest first; null where there is no file. */
export async function readKeyFile(dataDir: string): Promise<string[] | null> {
  const path = keyFileIn(dataDir)
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw new Error(
      `The secret key in ${path} cannot be read (${error.code}). Run this as the server's user.`,
    )
  })
  return text === null ? null : keysOf(text, path)
}

/** The same at once, for whoever meets a key that was made while they ran. */
export function readKeyFileNow(dataDir: string): string[] {
  const path = keyFileIn(dataDir)
  return keysOf(readFileSync(path, 'utf8'), path)
}

function keysOf(text: string, path: string): string[] {
  const keys = text.split('\n').filter(Boolean)
  if (keys.length === 0) throw new Error(`${path} is empty: put the secret key back from a backup.`)
  return keys
}

/** Makes the file where there is none; of two who do so at once, both get the one that was first. */
export async function createKeyFile(dataDir: string): Promise<string[]> {
  await mkdir(dataDir, { recursive: true })
  const temporary = await writeTemporary(dataDir, [newKey()])
  try {
    await link(temporary, keyFileIn(dataDir)).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    })
  } finally {
    await rm(temporary, { force: true })
  }
  return (await readKeyFile(dataDir))!
}

export async function writeKeyFile(dataDir: string, keys: readonly string[]): Promise<void> {
  await rename(await writeTemporary(dataDir, keys), keyFileIn(dataDir))
}

export function newKey(): string {
  return randomBytes(32).toString('base64url')
}

/** On disk before it has its name: a key that is lost cannot be had again. */
async function writeTemporary(dataDir: string, keys: readonly string[]): Promise<string> {
  const path = join(dataDir, `.${fileName}.${randomBytes(6).toString('hex')}`)
  const file = await open(path, 'wx', 0o600)
  try {
    await file.writeFile(`${keys.join('\n')}\n`)
    await file.sync()
  } finally {
    await file.close()
  }
  return path
}
