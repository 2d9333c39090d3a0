import { Bell } from 'lucide-react'
import { NotificationList } from '../notifications/notification-list.tsx'
import { useMarkRead, useUnread } from '../notifications/use-notifications.ts'
import { shell as texts } from '../texts/en/shell.ts'
import { Button } from '../ui/button.tsx'
import { Popover, PopoverClose } from '../ui/popover.tsx'

/** What the person was told, behind a bell that counts what is unread. */
export function NotificationBell() {
  const unread = useUnread()
  const markRead = useMarkRead()
  return (
    <Popover
      label={texts.notifications}
      side="right"
      trigger={
        <button
          type="button"
          className="hidden min-h-10 items-center gap-3 rounded-lg px-3 text-left text-[0.95rem] text-brand-ink/80 hover:bg-white/8 hover:text-brand-ink focus-visible:outline-sun data-[state=open]:bg-white/12 sm:flex"
        >
          <Bell className="size-5" aria-hidden />
          <span className="flex-1">{texts.notifications}</span>
          {unread > 0 && (
            <span className="rounded-full bg-sun px-2 text-[0.8rem] font-semibold text-brand tabular-nums">
              {unread > 99 ? '99+' : unread}
              <span className="sr-only"> {texts.unread}</span>
            </span>
          )}
        </button>
      }
    >
      <header className="flex items-center gap-2 border-b border-line py-2 pr-2 pl-4">
        <h2 className="flex-1 font-semibold">{texts.notifications}</h2>
        {unread > 0 && (
          <Button small kind="quiet" onClick={() => markRead('all')}>
            {texts.markAllRead}
          </Button>
        )}
      </header>
      <div className="overflow-y-auto">
        <NotificationList wrap={(link) => <PopoverClose asChild>{link}</PopoverClose>} />
      </div>
    </Popover>
  )
}
