import { useQuery } from '@tanstack/react-query'
import { useSession } from '../../../session/session.tsx'
import { company as texts } from '../../../texts/en/company.ts'
import { Loaded } from '../../../ui/states.tsx'
import { SettingsHeader } from '../settings-header.tsx'
import { DealersCard } from './dealers-card.tsx'
import { DetailsCard } from './details-card.tsx'
import { LogoCard } from './logo-card.tsx'
import { SecondFactorCard } from './second-factor-card.tsx'
import { StorageCard } from './storage-card.tsx'
import { companyQuery } from './use-company.ts'

/** The company itself, and for an installer those that sell for it. */
export function CompanyPage() {
  const { company: own } = useSession()
  const query = useQuery(companyQuery(own.id))
  return (
    <>
      <SettingsHeader title={texts.title} note={texts.note} />
      <Loaded query={query}>
        {(company) => (
          <div className="flex flex-col gap-5">
            <DetailsCard company={company} />
            <LogoCard company={company} />
            <SecondFactorCard company={company} />
            <StorageCard company={company} />
            {company.kind === 'installer' && <DealersCard timezone={company.timezone} />}
          </div>
        )}
      </Loaded>
    </>
  )
}
