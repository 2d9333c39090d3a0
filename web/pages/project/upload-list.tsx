import { CircleAlert, CircleCheck, RotateCcw, X } from 'lucide-react'
import { files as texts } from '../../texts/en/files.ts'
import { IconButton } from '../../ui/button.tsx'
import type { Upload, Uploads } from './use-uploads.ts'

/** What is on its way, what came of it, and why something did not come. */
export function UploadList({ uploads }: { uploads: Uploads }) {
  if (uploads.list.length === 0) return null
  return (
    <ul
      aria-label={texts.uploads}
      className="mx-5 mb-4 divide-y divide-line rounded-lg border border-line bg-sunken"
    >
      {uploads.list.map((upload) => (
        <li key={upload.id} className="flex items-center gap-3 py-1.5 pr-1.5 pl-4">
          <div className="min-w-0 flex-1">
            <p className="flex flex-wrap items-baseline justify-between gap-x-3">
              <span className="min-w-0 truncate">{upload.file.name}</span>
              <span className="text-[0.87rem] text-ink-soft">{texts.folders[upload.folder]}</span>
            </p>
            <State upload={upload} />
          </div>
          {upload.state === 'failed' && upload.mayPass && (
            <IconButton label={texts.again} onClick={() => uploads.again(upload)}>
              <RotateCcw className="size-4" aria-hidden />
            </IconButton>
          )}
          <IconButton
            label={(upload.state === 'sending' ? texts.stop : texts.dismiss)(upload.file.name)}
            onClick={() => uploads.drop(upload)}
          >
            <X className="size-4" aria-hidden />
          </IconButton>
        </li>
      ))}
    </ul>
  )
}

function State({ upload: { state, percent, message, file } }: { upload: Upload }) {
  if (state === 'failed')
    return (
      <p role="alert" className="flex items-start gap-1.5 text-[0.87rem] text-bad">
        <CircleAlert className="mt-0.5 size-4 shrink-0" aria-hidden />
        {message}
      </p>
    )
  if (state === 'added' || state === 'held')
    return (
      <p role="status" className="flex items-start gap-1.5 text-[0.87rem] text-ink-soft">
        <CircleCheck className="mt-0.5 size-4 shrink-0 text-good" aria-hidden />
        {message ?? texts.added}
      </p>
    )
  if (state === 'waiting') return <p className="text-[0.87rem] text-ink-soft">{texts.waiting}</p>
  return (
    <div className="flex items-center gap-3 py-1">
      <progress aria-label={file.name} max={100} value={percent} className="sr-only" />
      <div aria-hidden className="h-1.5 flex-1 overflow-hidden rounded-full bg-line">
        <div className="h-full rounded-full bg-action transition-[width]" style={{ width: `${percent}%` }} />
      </div>
      <span className="w-20 text-right text-[0.8rem] text-ink-soft tabular-nums">
        {percent < 100 ? texts.sending(percent) : texts.checking}
      </span>
    </div>
  )
}
