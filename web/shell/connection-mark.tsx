import { CloudOff } from 'lucide-react'
import { giveUpWaiting, useConnection } from '../api/connection.ts'
import { connection as texts } from '../texts/en/connection.ts'
import { Button } from '../ui/button.tsx'
import { aboveDialogs } from '../ui/dialog.tsx'

/** Says that the server is not there, and what becomes of what was saved; quietly where only what others do is missed. */
export function ConnectionMark({ deaf }: { deaf: boolean }) {
  const { lost, offline, waiting } = useConnection()
  const sentLater = offline ? texts.waiting : texts.waitingAway
  const kept = offline ? texts.kept : texts.keptAway
  const said = waiting > 0 ? sentLater(waiting) : lost ? kept : deaf ? texts.notLive : null
  return (
    // Also above dialogs, and said while one is open: what waits was sent from one. At the top, where no buttons are.
    <div
      role="status"
      aria-live="polite"
      {...aboveDialogs}
      className="pointer-events-none fixed inset-x-4 top-2 z-60 flex justify-center sm:left-60"
    >
      {said && (
        <div className="pointer-events-auto flex items-center gap-2 rounded-2xl border border-line bg-raised py-1.5 pr-2 pl-4 text-[0.87rem] text-ink-soft shadow-high">
          <CloudOff className="size-4 shrink-0" aria-hidden />
          <span className="pr-2">{said}</span>
          {waiting > 0 && (
            <Button small kind="quiet" onClick={giveUpWaiting}>
              {texts.dontSend}
            </Button>
          )}
        </div>
      )}
    </div>
  )
}
