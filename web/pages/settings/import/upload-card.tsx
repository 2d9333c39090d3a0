import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { CircleAlert, FileSpreadsheet } from 'lucide-react'
import { useState } from 'react'
import { useSubmit } from '../../../api/use-submit.ts'
import { imports as texts } from '../../../texts/en/imports.ts'
import { ChooseFiles } from '../../../ui/choose-files.tsx'
import { DropZone } from '../../../ui/drop-zone.tsx'
import { ProgressBar } from '../../../ui/progress-bar.tsx'
import { sendTable } from './send-table.ts'
import { importsKey } from './use-import.ts'

const maxBytes = 200 * 1024 * 1024

/** Where a file begins to be imported. */
export function UploadCard() {
  const client = useQueryClient()
  const navigate = useNavigate()
  const [sent, setSent] = useState({ name: '', percent: 0 })
  const upload = useSubmit({
    mutationFn: async (file: File) => {
      if (file.size > maxBytes) throw new Error(texts.tooLarge(file.name))
      setSent({ name: file.name, percent: 0 })
      return sendTable(file, (percent) => setSent({ name: file.name, percent }))
    },
    onSuccess: ({ id }) => {
      void client.invalidateQueries({ queryKey: importsKey })
      void navigate({ to: '/settings/import/$id', params: { id } })
    },
  })
  const take = ([file]: File[]) => file && upload.mutate(file)

  return (
    <DropZone
      onFiles={upload.isPending ? null : take}
      className="rounded-xl border-2 border-dashed border-line-strong/50 bg-surface"
    >
      {() => (
        <div className="flex flex-col items-center gap-2 px-6 py-10 text-center">
          <FileSpreadsheet className="size-9 text-ink-soft" aria-hidden />
          {upload.isPending ? (
            <div className="w-full max-w-sm">
              <ProgressBar label={texts.sending(sent.name, sent.percent)} share={sent.percent / 100} />
            </div>
          ) : (
            <>
              <p className="font-semibold">{texts.drop}</p>
              <p className="max-w-md text-ink-soft">{texts.dropNote}</p>
              <ChooseFiles kind="primary" className="mt-2" onFiles={take}>
                {texts.choose}
              </ChooseFiles>
            </>
          )}
          {upload.error && (
            <p role="alert" className="mt-2 flex max-w-lg items-start gap-2 text-left text-bad">
              <CircleAlert className="mt-0.5 size-5 shrink-0" aria-hidden />
              {upload.error.message}
            </p>
          )}
        </div>
      )}
    </DropZone>
  )
}
