import { Link, Outlet } from '@tanstack/react-router'
import {
  Activity,
  Bot,
  CalendarDays,
  House,
  Kanban,
  type LucideIcon,
  ReceiptText,
  Settings,
  Users,
} from 'lucide-react'
import { Suspense } from 'react'
import { useWaitingApprovals } from '../approvals/use-approvals.ts'
import { useLive } from '../live/use-live.ts'
import { useUnread } from '../notifications/use-notifications.ts'
import { PendingInvitations } from '../session/pending-invitations.tsx'
import { useSession } from '../session/session.tsx'
import { SignInAgain } from '../session/sign-in-again.tsx'
import { common } from '../texts/en/common.ts'
import { shell as texts } from '../texts/en/shell.ts'
import { classes } from '../ui/classes.ts'
import { LoadingRows } from '../ui/states.tsx'
import { NotificationBell } from './bell.tsx'
import { ConnectionMark } from './connection-mark.tsx'
import { Mark } from './mark.tsx'
import { PersonMenu } from './person-menu.tsx'
import { SearchButton } from './search-dialog.tsx'

const places = [
  { to: '/', label: texts.home, icon: House },
  { to: '/board', label: texts.board, icon: Kanban },
  { to: '/leads', label: texts.leads, icon: Users },
  { to: '/calendar', label: texts.calendar, icon: CalendarDays },
] as const

/** What is around every page: where one is, where one can go, who one is. */
export function Shell() {
  const { lost } = useLive()
  const { can } = useSession()
  return (
    <div className="flex min-h-dvh flex-col sm:flex-row">
      <a
        href="#content"
        className="sr-only z-70 rounded-lg bg-action px-4 py-2 text-action-ink focus:not-sr-only focus:fixed focus:top-3 focus:left-3"
      >
        {texts.skip}
      </a>
      <nav
        aria-label={texts.main}
        className="fixed inset-x-0 bottom-0 z-30 flex border-t border-line bg-brand text-brand-ink sm:sticky sm:top-0 sm:h-dvh sm:w-56 sm:shrink-0 sm:flex-col sm:border-t-0 sm:p-3"
      >
        <Link to="/" className="hidden items-center gap-2.5 px-2 pt-2 pb-5 text-lg font-semibold sm:flex">
          <Mark />
          {common.product}
        </Link>
        <div className="contents sm:flex sm:flex-col sm:gap-0.5">
          {places.map((place) => (
            <Place key={place.to} {...place} />
          ))}
          <SearchButton />
          <Place to="/monitoring" label={texts.monitoring} icon={Activity} wideOnly />
          {can.runCompany && <Place to="/billing" label={texts.billing} icon={ReceiptText} wideOnly />}
          {can.approve && <Place to="/approvals" label={texts.approvals} icon={Bot} wideOnly />}
          {can.settings && <Place to="/settings" label={texts.settings} icon={Settings} wideOnly />}
        </div>
        <div className="flex flex-col gap-0.5 sm:mt-auto">
          <NotificationBell />
          <PersonMenu />
        </div>
      </nav>
      <main id="content" tabIndex={-1} className="min-w-0 flex-1 pb-16 outline-none sm:pb-0">
        <PendingInvitations />
        <Suspense fallback={<LoadingRows />}>
          <Outlet />
        </Suspense>
      </main>
      <ConnectionMark deaf={lost} />
      <SignInAgain />
    </div>
  )
}

interface PlaceProps {
  to: (typeof places)[number]['to'] | '/monitoring' | '/billing' | '/approvals' | '/settings'
  label: string
  icon: LucideIcon
  /** A phone has room for five: the others are in the person's menu. */
  wideOnly?: boolean
}

function Place({ to, label, icon: Icon, wideOnly }: PlaceProps) {
  return (
    <Link
      to={to}
      activeOptions={{ exact: to === '/', includeSearch: false }}
      className={classes(
        'min-h-14 flex-1 flex-col items-center justify-center gap-0.5 text-[0.73rem] text-brand-ink/80 hover:text-brand-ink focus-visible:outline-sun',
        'sm:min-h-10 sm:flex-none sm:flex-row sm:justify-start sm:gap-3 sm:rounded-lg sm:px-3 sm:text-[0.95rem] sm:hover:bg-white/8',
        wideOnly ? 'hidden sm:flex' : 'flex',
      )}
      activeProps={{ className: 'font-semibold text-white! sm:bg-white/12' }}
    >
      <span className="relative">
        <Icon className="size-5" aria-hidden />
        {to === '/' && <UnreadDot />}
      </span>
      {label}
      {to === '/approvals' && <WaitingCount />}
    </Link>
  )
}

/** How many proposals of agents wait for this person. */
function WaitingCount() {
  const waiting = useWaitingApprovals()
  if (waiting === 0) return null
  return (
    <span className="ml-auto rounded-full bg-sun px-2 text-[0.8rem] font-semibold text-brand tabular-nums">
      {waiting > 99 ? '99+' : waiting}
      <span className="sr-only"> {texts.waiting}</span>
    </span>
  )
}

/** On a phone, where there is no bell, the home page has what is unread. */
function UnreadDot() {
  const unread = useUnread()
  if (unread === 0) return null
  return (
    <span className="absolute -top-1 -right-1.5 size-2.5 rounded-full border-2 border-brand bg-sun sm:hidden">
      <span className="sr-only">{`${unread} ${texts.unread}`}</span>
    </span>
  )
}
