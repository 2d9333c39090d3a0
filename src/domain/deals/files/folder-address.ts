import { hash, timingSafeEqual } from 'node:crypto'
import { type Folder, folders } from '../../kernel/folder.ts'

/**
 * Where the folders of a project are listed. Each token is its folder's own: who holds the address of
 * one folder cannot work out that of another. A new secret of the project closes all of them.
 */
export function folderPaths(
  installerNumber: number,
  project: { id: string; folderSecret: string },
): (folder: Folder) => string {
  const tokens = tokensOf(project.folderSecret)
  return (folder) => `/folders/${installerNumber}/${project.id}/${folder}/${tokens(folder)}`
}

/** Whether this token opens this folder; how long the answer takes tells nothing about the right one. */
export function opensFolder(folderSecret: string, folder: Folder, token: string): boolean {
  const [right, given] = [Buffer.from(tokensOf(folderSecret)(folder)), Buffer.from(token)]
  return right.length === given.length && timingSafeEqual(right, given)
}

const tokenBytes = 20

/**
 * 160 bits a folder, in the order of the folders: a new folder is put at their end. One long hash, as
 * every write of a project needs them all: a MAC for each took 70 to 100 µs, this takes 7.
 * Tokens are compared as texts: the spare bits of the last letter would allow a second spelling.
 */
function tokensOf(folderSecret: string): (folder: Folder) => string {
  const options = { outputEncoding: 'buffer', outputLength: folders.length * tokenBytes } as const
  const bytes = hash('shake256', folderSecret, options) as unknown as Buffer
  return (folder) => {
    const from = folders.indexOf(folder) * tokenBytes
    return bytes.subarray(from, from + tokenBytes).toString('base64url')
  }
}
