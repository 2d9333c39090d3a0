import { CloudOff } from 'lucide-react'
import { shell as texts } from '../texts/en/shell.ts'

/** Says quietly that what others change does not show up just now. */
export function ConnectionMark({ lost }: { lost: boolean }) {
  return (
    <div
      role="status"
      className="pointer-events-none fixed inset-x-4 bottom-18 z-30 flex justify-center sm:bottom-4 sm:left-60"
    >
      {lost && (
        <p className="flex items-center gap-2 rounded-full border border-line bg-raised px-4 py-1.5 text-[0.87rem] text-ink-soft shadow-high">
          <CloudOff className="size-4" aria-hidden />
          {texts.offline}
        </p>
      )}
    </div>
  )
}
