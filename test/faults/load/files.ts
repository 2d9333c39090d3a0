import { createHash } from 'node:crypto'
import type { FileHost } from '../bed/file-host.ts'
import type { Caller } from './caller.ts'
import { type State, stateOf, type Writer } from './writer.ts'

interface Target {
  installerId: string
  /** The number that stands in addresses of files. */
  number: number
  projectId: string
}

/** How many of those that were read before are read again. */
const readAgain = 5

/** Adds files by their address, and reads the copies. */
export function fileWriter(
  caller: Caller,
  headers: Record<string, string>,
  host: FileHost,
  { installerId, number, projectId }: Target,
): Writer {
  const files: { name: string; state: State; isRead: boolean }[] = []
  return {
    kind: 'files',
    async write() {
      if (files.at(-1)?.state !== 'unknown')
        files.push({ name: `note-${files.length + 1}.txt`, state: 'unknown', isRead: false })
      const file = files.at(-1)!
      const path = `/v1/projects/${projectId}/files`
      const body = { folder: 'other', files: [{ url: `${host.url}/${file.name}` }] }
      file.state = stateOf(await caller.call({ kind: 'files', method: 'POST', path, headers, body }))
    },
    async hold(rows) {
      const there = await rows<{ name: string; token: string; size: number; sha256: string; n: number }>(
        `select name, min(token) as token, min(size)::int as size, min(encode(sha256, 'hex')) as sha256, count(*)::int as n
         from files where installer_id = $1 and project_id = $2 group by name`,
        [installerId, projectId],
      )
      const found = new Map(there.map((row) => [row.name, row]))
      const lost: string[] = []
      const twice: string[] = []
      const again = new Set(Array.from({ length: readAgain }, () => Math.floor(Math.random() * files.length)))
      for (const [i, file] of files.entries()) {
        const row = found.get(file.name)
        if (!row) {
          if (file.state === 'answered') lost.push(`file ${file.name}`)
          continue
        }
        if (row.n > 1) twice.push(`file ${file.name}: ${row.n} times`)
        const content = host.contentOf(`/${file.name}`)
        const hash = createHash('sha256').update(content).digest('hex')
        if (row.size !== content.length || row.sha256 !== hash)
          lost.push(`file ${file.name}: ${row.size} bytes instead of ${content.length}`)
        if (file.isRead && !again.has(i)) continue
        const path = `/files/${number}/${row.token}/${file.name}`
        const answer = await caller.call({ kind: 'file reads', method: 'GET', path, headers: {} })
        if (answer?.body !== content.toString()) lost.push(`the copy of file ${file.name}`)
        file.isRead = true
      }
      return { checked: files.length, lost, twice }
    },
  }
}
