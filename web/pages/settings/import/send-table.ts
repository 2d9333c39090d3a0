import { query } from '../../../api/client.ts'
import { upload } from '../../../api/upload.ts'
import { imports as texts } from '../../../texts/en/imports.ts'

export function sendTable(file: File, onProgress: (percent: number) => void): Promise<{ id: string }> {
  return upload({
    path: `/imports${query({ name: file.name.slice(-200) })}`,
    file,
    onProgress,
    cut: texts.cut,
  })
}
