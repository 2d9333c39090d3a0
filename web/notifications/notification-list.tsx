import { Link } from '@tanstack/react-router'
import { BellOff, Check } from 'lucide-react'
import type { ReactNode } from 'react'
import type { NotificationResponse } from '../../src/api/console/home.ts'
import { shell as texts } from '../texts/en/shell.ts'
import { IconButton } from '../ui/button.tsx'
import { classes } from '../ui/classes.ts'
import { formatAgo } from '../ui/format.ts'
import { ShowMore } from '../ui/show-more.tsx'
import { EmptyState, Loaded } from '../ui/states.tsx'
import { UnbrokenText } from '../ui/unbroken-text.tsx'
import { useMarkRead, useNotifications } from './use-notifications.ts'

interface NotificationListProps {
  /** Goes around what leads away. */
  wrap?: (link: ReactNode) => ReactNode
  /** Older ones only when asked for: where the list is a part of a page. */
  byHand?: boolean
}

/** What the person was told: read where it is opened, or marked so. */
export function NotificationList({ wrap = (link) => link, byHand = false }: NotificationListProps) {
  const notifications = useNotifications()
  const markRead = useMarkRead()
  return (
    <Loaded query={notifications}>
      {({ pages }) => {
        const all = pages.flatMap((page) => page.notifications)
        if (all.length === 0) {
          return (
            <EmptyState icon={<BellOff aria-hidden />} title={texts.noNotifications}>
              {texts.noNotificationsNote}
            </EmptyState>
          )
        }
        return (
          <>
            <ul className="flex flex-col">
              {all.map((one) => (
                <li
                  key={one.id}
                  className="flex items-start gap-1 border-t border-line/70 pr-2 first:border-t-0"
                >
                  <NotificationItem
                    notification={one}
                    wrap={wrap}
                    onOpen={() => !one.read && markRead([one.id])}
                  />
                  {!one.read && (
                    <IconButton
                      label={texts.markRead}
                      className="mt-1.5 size-8"
                      onClick={() => markRead([one.id])}
                    >
                      <Check className="size-4" aria-hidden />
                    </IconButton>
                  )}
                </li>
              ))}
            </ul>
            <ShowMore query={notifications} label={texts.olderNotifications} byHand={byHand} />
          </>
        )
      }}
    </Loaded>
  )
}

interface NotificationItemProps {
  notification: NotificationResponse
  wrap: (link: ReactNode) => ReactNode
  onOpen: () => void
}

function NotificationItem({
  notification: { leadId, projectId, read, text, at },
  wrap,
  onOpen,
}: NotificationItemProps) {
  const inside = (
    <>
      <span
        aria-hidden
        className={classes('mt-2 size-2 shrink-0 rounded-full', read ? 'bg-transparent' : 'bg-action')}
      />
      <span className="min-w-0 flex-1">
        <span className={classes('block', !read && 'font-medium')}>
          <UnbrokenText>{text}</UnbrokenText>
        </span>
        <span className="block text-[0.8rem] text-ink-soft">{formatAgo(at)}</span>
      </span>
    </>
  )
  const look = 'flex min-w-0 flex-1 gap-3 py-2.5 pl-4'
  const link = { onClick: onOpen, className: `${look} hover:bg-sunken`, children: inside }
  if (projectId) return wrap(<Link to="/projects/$id" params={{ id: projectId }} {...link} />)
  if (leadId) return wrap(<Link to="/leads/$id" params={{ id: leadId }} {...link} />)
  return <p className={look}>{inside}</p>
}
