import { ChevronLeft, ChevronRight, ExternalLink, X } from 'lucide-react'
import { Dialog as Radix } from 'radix-ui'
import type { KeyboardEvent } from 'react'
import type { ProjectFile } from '../../../src/api/console/project-responses.ts'
import { common } from '../../texts/en/common.ts'
import { files as texts } from '../../texts/en/files.ts'

interface Viewed {
  pictures: ProjectFile[]
  at: number
}

interface PictureViewerProps {
  viewed: Viewed | null
  onChange: (viewed: Viewed | null) => void
}

/** A folder's pictures over the whole page, one at a time: arrow keys turn, Escape closes. */
export function PictureViewer({ viewed, onChange }: PictureViewerProps) {
  const picture = viewed?.pictures[viewed.at]
  const many = (viewed?.pictures.length ?? 0) > 1
  const turn = (by: number) => {
    if (!viewed) return
    const { length } = viewed.pictures
    onChange({ ...viewed, at: (viewed.at + by + length) % length })
  }
  const onKeyDown = ({ key }: KeyboardEvent) => {
    if (key === 'ArrowLeft') turn(-1)
    if (key === 'ArrowRight') turn(1)
  }
  return (
    <Radix.Root open={picture !== undefined} onOpenChange={(open) => !open && onChange(null)}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 bg-black/95" />
        <Radix.Content
          aria-describedby={undefined}
          onKeyDown={onKeyDown}
          className="fixed inset-0 z-50 flex flex-col text-white outline-none"
        >
          {viewed && picture && (
            <>
              <div className="flex items-center gap-2 px-4 py-2">
                <Radix.Title className="min-w-0 flex-1 truncate font-medium">{picture.name}</Radix.Title>
                {many && (
                  <span className="text-[0.87rem] tabular-nums">
                    {texts.of(viewed.at + 1, viewed.pictures.length)}
                  </span>
                )}
                <a
                  href={picture.url}
                  target="_blank"
                  rel="noreferrer"
                  aria-label={texts.download}
                  title={texts.download}
                  className={knob}
                >
                  <ExternalLink className="size-5" aria-hidden />
                </a>
                <Radix.Close aria-label={common.close} className={knob}>
                  <X className="size-5" aria-hidden />
                </Radix.Close>
              </div>
              <div className="flex min-h-0 flex-1 items-center gap-1 px-2 pb-4">
                {many && (
                  <button type="button" aria-label={texts.previous} className={knob} onClick={() => turn(-1)}>
                    <ChevronLeft className="size-6" aria-hidden />
                  </button>
                )}
                <div className="flex h-full min-w-0 flex-1 items-center justify-center">
                  <img
                    key={picture.id}
                    src={picture.url}
                    alt={picture.name}
                    className="max-h-full max-w-full rounded object-contain"
                  />
                </div>
                {many && (
                  <button type="button" aria-label={texts.following} className={knob} onClick={() => turn(1)}>
                    <ChevronRight className="size-6" aria-hidden />
                  </button>
                )}
              </div>
            </>
          )}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}

const knob =
  'inline-flex size-11 shrink-0 items-center justify-center rounded-full hover:bg-white/15 focus-visible:outline-sun'
