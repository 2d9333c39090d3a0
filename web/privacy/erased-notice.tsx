import { Eraser } from 'lucide-react'
import { privacy as texts } from '../texts/en/privacy.ts'
import { formatTime } from '../ui/format.ts'

/** Why a record says nothing about its customer, and takes nothing new. */
export function ErasedNotice({ erasedAt }: { erasedAt: string }) {
  return (
    <section
      aria-label={texts.erased}
      className="mb-5 flex items-start gap-3 rounded-xl bg-warn-soft px-5 py-3.5"
    >
      <Eraser className="mt-1 size-4 shrink-0 text-warn" aria-hidden />
      <p className="text-warn">{texts.erasedNote(formatTime(erasedAt))}</p>
    </section>
  )
}
