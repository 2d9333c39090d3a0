import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { Users } from 'lucide-react'
import { useState } from 'react'
import { ApiError, api } from '../../../api/client.ts'
import { useSubmit } from '../../../api/use-submit.ts'
import { NotFound } from '../../../shell/not-found.tsx'
import { useRecordName } from '../../../shell/page-title.ts'
import { company as texts } from '../../../texts/en/company.ts'
import { BackLink } from '../../../ui/back-link.tsx'
import { Button, buttonClass } from '../../../ui/button.tsx'
import { Loaded } from '../../../ui/states.tsx'
import { Badge } from '../../../ui/surface.tsx'
import { useToasts } from '../../../ui/toast.tsx'
import { SettingsHeader } from '../settings-header.tsx'
import { DetailsCard } from './details-card.tsx'
import { LogoCard } from './logo-card.tsx'
import { StorageCard } from './storage-card.tsx'
import { SuspendDialog } from './suspend-dialog.tsx'
import { type CompanyResponse, companyQuery, useCompanyChanged } from './use-company.ts'

const route = getRouteApi('/inside/settings/company/$id')

/** One company that sells for the installer. */
export function DealerPage() {
  const { id } = route.useParams()
  const query = useQuery(companyQuery(id))
  if (query.error instanceof ApiError && query.error.status === 404) return <NotFound />
  return (
    <>
      <BackLink to="/settings/company">{texts.back}</BackLink>
      <Loaded query={query}>{(dealer) => <Dealer dealer={dealer} />}</Loaded>
    </>
  )
}

function Dealer({ dealer }: { dealer: CompanyResponse }) {
  const { say, complain } = useToasts()
  const changed = useCompanyChanged()
  const [asking, setAsking] = useState(false)
  const { id, name, status } = dealer
  useRecordName(name)
  const resume = useSubmit({
    mutationFn: (_, submission) => api.post(`/companies/${id}/resume`, {}, submission),
    onSuccess: async () => {
      await changed()
      say(texts.resumed(name))
    },
    onError: complain,
  })
  return (
    <>
      <SettingsHeader
        title={name}
        note={
          status === 'suspended' ? (
            <>
              <Badge tone="warn">{texts.states.suspended}</Badge>
              <span className="block pt-1">{texts.suspendedNote}</span>
            </>
          ) : (
            <Badge tone="good">{texts.states.active}</Badge>
          )
        }
        actions={
          <>
            <Link to="/settings/people" search={{ company: id }} className={buttonClass()}>
              <Users className="size-4" aria-hidden />
              {texts.itsPeople}
            </Link>
            {status === 'active' ? (
              <Button kind="danger" onClick={() => setAsking(true)}>
                {texts.suspend}
              </Button>
            ) : (
              <Button kind="primary" busy={resume.isPending} onClick={() => resume.mutate()}>
                {texts.resume}
              </Button>
            )}
          </>
        }
      />
      <div className="flex flex-col gap-5">
        <DetailsCard company={dealer} />
        <LogoCard company={dealer} />
        <StorageCard company={dealer} />
      </div>
      {asking && <SuspendDialog dealer={dealer} onClose={() => setAsking(false)} />}
    </>
  )
}
