import { useQuery } from '@tanstack/react-query'
import type { HomeResponse } from '../../../src/api/console/home.ts'
import { api } from '../../api/client.ts'
import { NotificationList } from '../../notifications/notification-list.tsx'
import { useMarkRead, useUnread } from '../../notifications/use-notifications.ts'
import { useSession } from '../../session/session.tsx'
import { home as texts } from '../../texts/en/home.ts'
import { shell } from '../../texts/en/shell.ts'
import { Button } from '../../ui/button.tsx'
import { Loaded } from '../../ui/states.tsx'
import { Card, CardHeader, Page, PageHeader } from '../../ui/surface.tsx'
import { NewLeads } from './new-leads.tsx'
import { Numbers } from './numbers.tsx'
import { StuckProjects } from './stuck-projects.tsx'
import { Week } from './week.tsx'

/** What is new, what is stuck, what comes this week. */
export function HomePage() {
  const session = useSession()
  const home = useQuery({
    queryKey: ['home'],
    queryFn: ({ signal }) => api.get<HomeResponse>('/home', { signal }),
  })
  return (
    <Page room="cards">
      <PageHeader title={greeting(session.person.name)} note={session.company.name} />
      <Loaded query={home}>
        {(shown) => (
          <div className="flex flex-col gap-4">
            <Numbers home={shown} />
            <div className="grid grid-cols-1 items-start gap-4 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
              <div className="flex flex-col gap-4">
                <StuckProjects home={shown} />
                <NewLeads home={shown} />
              </div>
              <div className="flex flex-col gap-4">
                <Week home={shown} />
                <Notifications />
              </div>
            </div>
          </div>
        )}
      </Loaded>
    </Page>
  )
}

function greeting(name: string): string {
  const hour = new Date().getHours()
  const { morning, afternoon, evening } = texts.greeting
  return (hour < 12 ? morning : hour < 18 ? afternoon : evening)(name.split(' ')[0]!)
}

function Notifications() {
  const unread = useUnread()
  const markRead = useMarkRead()
  return (
    <Card className="overflow-hidden">
      <CardHeader
        title={shell.notifications}
        actions={
          unread > 0 && (
            <Button small kind="quiet" onClick={() => markRead('all')}>
              {shell.markAllRead}
            </Button>
          )
        }
      />
      <NotificationList byHand />
    </Card>
  )
}
