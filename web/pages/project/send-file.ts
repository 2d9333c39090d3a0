import type { Uploaded } from '../../../src/api/console/uploads.ts'
import { query } from '../../api/client.ts'
import { upload } from '../../api/upload.ts'
import { files as texts } from '../../texts/en/files.ts'

export interface Sending {
  projectId: string
  folder: string
  file: File
  onProgress: (percent: number) => void
  signal: AbortSignal
}

export function sendFile({ projectId, folder, ...sending }: Sending): Promise<Uploaded> {
  const name = sending.file.name.slice(-200)
  return upload({
    ...sending,
    path: `/projects/${projectId}/files${query({ folder, name })}`,
    cut: texts.cut,
  })
}
