import { useSession } from '../../session/session.tsx'
import { account as texts } from '../../texts/en/account.ts'
import { common } from '../../texts/en/common.ts'
import { Card, CardHeader, Page, PageHeader } from '../../ui/surface.tsx'
import { UnbrokenText } from '../../ui/unbroken-text.tsx'
import { CalendarCard } from './calendar-card.tsx'
import { CodesCard } from './codes-card.tsx'
import { CompaniesCard } from './companies-card.tsx'
import { PasskeysCard } from './passkeys-card.tsx'
import { PasswordCard } from './password-card.tsx'
import { SessionsCard } from './sessions-card.tsx'
import { ThemeCard } from './theme-card.tsx'

export function AccountPage() {
  const { person, role, company } = useSession()
  return (
    <Page>
      <PageHeader title={texts.title} note={texts.role(common.roles[role], company.name)} />
      <div className="grid items-start gap-5 lg:grid-cols-2">
        <div className="flex min-w-0 flex-col gap-5">
          <Card className="pb-5">
            <CardHeader title={texts.you}>{texts.youNote}</CardHeader>
            <dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-1.5 px-5">
              <dt className="text-ink-soft">{texts.name}</dt>
              <dd>{person.name}</dd>
              <dt className="text-ink-soft">{texts.email}</dt>
              <dd className="min-w-0">
                <UnbrokenText>{person.email}</UnbrokenText>
              </dd>
            </dl>
          </Card>
          <PasswordCard />
          <CodesCard />
          <PasskeysCard />
        </div>
        <div className="flex min-w-0 flex-col gap-5">
          <SessionsCard />
          <CompaniesCard />
          <CalendarCard />
          <ThemeCard />
        </div>
      </div>
    </Page>
  )
}
