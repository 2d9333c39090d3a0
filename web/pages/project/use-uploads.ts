import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState } from 'react'
import type { ApiError } from '../../api/client.ts'
import { files as texts } from '../../texts/en/files.ts'
import { sendFile } from './send-file.ts'
import { type Folder, type ProjectResponse, refreshProject } from './use-project.ts'

export interface Upload {
  id: number
  folder: Folder
  file: File
  state: 'waiting' | 'sending' | 'added' | 'held' | 'failed'
  percent: number
  /** What went wrong, or which file is there already. */
  message: string | null
  /** It failed for a reason that may be gone. */
  mayPass: boolean
}

export interface Uploads {
  list: Upload[]
  add: (folder: Folder, files: readonly File[]) => void
  again: (upload: Upload) => void
  /** Stops it where it is under way, and takes it off the list. */
  drop: (upload: Upload) => void
}

const maxBytes = 100 * 1024 * 1024
const atOnce = 2

/** What can be told without sending it. */
function refusal({ name, size }: File): string | null {
  if (size > maxBytes) return texts.tooLarge(name)
  return size === 0 ? texts.empty(name) : null
}

/** Files on their way into the project's folders, two at a time. */
export function useUploads(project: Pick<ProjectResponse, 'id' | 'leadId'>): Uploads {
  const client = useQueryClient()
  const [list, setList] = useState<Upload[]>([])
  const nextId = useRef(1)
  const stops = useRef(new Map<number, AbortController>())

  const set = useCallback(
    (id: number, changed: Partial<Upload>) =>
      setList((all) => all.map((upload) => (upload.id === id ? { ...upload, ...changed } : upload))),
    [],
  )

  const { id: projectId, leadId } = project
  const send = useCallback(
    async ({ id, folder, file }: Upload) => {
      const stop = new AbortController()
      stops.current.set(id, stop)
      set(id, { state: 'sending', percent: 0 })
      try {
        const { added, name } = await sendFile({
          projectId,
          folder,
          file,
          onProgress: (percent) => set(id, { percent }),
          signal: stop.signal,
        })
        set(id, added ? { state: 'added' } : { state: 'held', message: texts.held(name) })
        if (added) await refreshProject(client, { id: projectId, leadId })
      } catch (error) {
        const { message, status } = error as ApiError
        // What is refused is refused again.
        const mayPass = status === 0 || status >= 500
        if (!stop.signal.aborted) set(id, { state: 'failed', message, mayPass })
      } finally {
        stops.current.delete(id)
      }
    },
    [client, projectId, leadId, set],
  )

  const under = list.filter(({ state }) => state === 'sending').length
  const next = under < atOnce ? list.find(({ state }) => state === 'waiting') : undefined
  useEffect(() => {
    if (next) void send(next)
  }, [next, send])

  const busy = under > 0 || next !== undefined
  useEffect(() => {
    if (!busy) return
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', warn)
    return () => window.removeEventListener('beforeunload', warn)
  }, [busy])

  return {
    list,
    add: (folder, files) =>
      setList((all) => [
        ...all,
        ...files.map((file): Upload => {
          const message = refusal(file)
          return {
            id: nextId.current++,
            folder,
            file,
            state: message ? 'failed' : 'waiting',
            percent: 0,
            message,
            mayPass: false,
          }
        }),
      ]),
    again: ({ id }) => set(id, { state: 'waiting', percent: 0, message: null }),
    drop: ({ id }) => {
      stops.current.get(id)?.abort()
      setList((all) => all.filter((upload) => upload.id !== id))
    },
  }
}
