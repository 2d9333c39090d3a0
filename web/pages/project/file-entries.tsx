import {
  File,
  FileImage,
  FileMusic,
  FileSpreadsheet,
  FileText,
  FileVideo,
  type LucideIcon,
  Share2,
  Trash2,
} from 'lucide-react'
import { useState } from 'react'
import type { ProjectFile } from '../../../src/api/console/project-responses.ts'
import { files as texts } from '../../texts/en/files.ts'
import { links } from '../../texts/en/links.ts'
import { IconButton } from '../../ui/button.tsx'
import { classes } from '../../ui/classes.ts'
import { formatAgo, formatNumber, formatTime } from '../../ui/format.ts'

const icons: [RegExp, LucideIcon][] = [
  [/^image\//, FileImage],
  [/^video\//, FileVideo],
  [/^audio\//, FileMusic],
  [/^text\/csv|spreadsheet|excel/, FileSpreadsheet],
  [/^text\/|pdf|word|opendocument\.text|rtf/, FileText],
]
const iconOf = (type: string) => icons.find(([form]) => form.test(type))?.[1] ?? File

/** As people's own computers say it: 1 MB is a million bytes. */
function sizeText(bytes: number): string {
  if (bytes < 1000) return `${bytes} ${texts.sizes.bytes}`
  const [value, unit] = bytes < 999_500 ? [bytes / 1e3, texts.sizes.kB] : [bytes / 1e6, texts.sizes.MB]
  return `${formatNumber(value < 9.95 ? value.toFixed(1) : Math.round(value))} ${unit}`
}

function Details({ file: { size, addedAt } }: { file: ProjectFile }) {
  return (
    <span className="block text-[0.8rem] text-ink-soft" title={formatTime(addedAt)}>
      {sizeText(size)} · {formatAgo(addedAt)}
    </span>
  )
}

/** Seen where the mouse or the keyboard is, and always where fingers are. */
const quiet =
  'size-8! opacity-0 group-focus-within/file:opacity-100 group-hover/file:opacity-100 pointer-coarse:opacity-100'

const onPicture = classes(quiet, 'border border-line bg-surface')

interface EntryProps {
  file: ProjectFile
  onShare: () => void
  /** Null where this person may not. */
  onRemove: (() => void) | null
}

/** Opens in a tab of its own. */
export function DocumentRow({ file, onShare, onRemove }: EntryProps) {
  const Icon = iconOf(file.type)
  return (
    <div className="group/file -mx-2 flex items-center rounded-lg pr-1 hover:bg-sunken">
      <a
        href={file.url}
        target="_blank"
        rel="noreferrer"
        className="group flex min-h-12 min-w-0 flex-1 items-center gap-3 rounded-lg px-2 py-1.5"
      >
        <span className="inline-flex size-9 shrink-0 items-center justify-center rounded-lg bg-sunken text-ink-soft group-hover:bg-line/60">
          <Icon className="size-5" strokeWidth={1.75} aria-hidden />
        </span>
        <span className="min-w-0 leading-snug">
          <span className="block truncate group-hover:underline">{file.name}</span>
          <Details file={file} />
        </span>
      </a>
      <IconButton label={links.shareFile(file.name)} className={quiet} onClick={onShare}>
        <Share2 className="size-4" aria-hidden />
      </IconButton>
      {onRemove && (
        <IconButton label={texts.remove(file.name)} className={quiet} onClick={onRemove}>
          <Trash2 className="size-4" aria-hidden />
        </IconButton>
      )}
    </div>
  )
}

interface TileProps extends EntryProps {
  onView: (() => void) | null
}

/** Opens over the page, where the browser can show it. */
export function PictureTile({ file, onView, onShare, onRemove }: TileProps) {
  const inside = (
    <>
      <span className="relative flex aspect-4/3 items-center justify-center overflow-hidden rounded-lg border border-line bg-sunken group-hover:border-line-strong">
        <Thumbnail file={file} />
      </span>
      <span className="mt-1.5 block truncate text-[0.9rem] leading-snug group-hover:underline">
        {file.name}
      </span>
      <Details file={file} />
    </>
  )
  const look = 'group block w-full rounded-lg text-left'
  return (
    <div className="group/file relative">
      {onView ? (
        <button type="button" className={look} onClick={onView}>
          {inside}
        </button>
      ) : (
        <a href={file.url} target="_blank" rel="noreferrer" className={look}>
          {inside}
        </a>
      )}
      <span className="absolute top-1.5 right-1.5 flex gap-1">
        <IconButton label={links.shareFile(file.name)} className={onPicture} onClick={onShare}>
          <Share2 className="size-4" aria-hidden />
        </IconButton>
        {onRemove && (
          <IconButton label={texts.remove(file.name)} className={onPicture} onClick={onRemove}>
            <Trash2 className="size-4" aria-hidden />
          </IconButton>
        )}
      </span>
    </div>
  )
}

function Thumbnail({ file }: { file: ProjectFile }) {
  const [broken, setBroken] = useState(false)
  if (broken || !file.thumbnail)
    return <FileImage className="size-8 text-ink-soft" strokeWidth={1.5} aria-hidden />
  return (
    <img
      src={file.thumbnail}
      alt=""
      loading="lazy"
      decoding="async"
      onError={() => setBroken(true)}
      className="absolute inset-0 size-full object-cover"
    />
  )
}
