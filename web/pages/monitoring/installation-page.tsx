import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { Pencil } from 'lucide-react'
import { useState } from 'react'
import { ApiError } from '../../api/client.ts'
import { useSession } from '../../session/session.tsx'
import { NotFound } from '../../shell/not-found.tsx'
import { useRecordName } from '../../shell/page-title.ts'
import { common } from '../../texts/en/common.ts'
import { monitoring as texts } from '../../texts/en/monitoring.ts'
import { BackLink } from '../../ui/back-link.tsx'
import { Button, buttonClass } from '../../ui/button.tsx'
import { formatNumber } from '../../ui/format.ts'
import { Loaded } from '../../ui/states.tsx'
import { Page, PageHeader } from '../../ui/surface.tsx'
import { AlertsCard } from './alerts-card.tsx'
import { EditInstallation } from './edit-installation.tsx'
import { EnergyCard } from './energy-card.tsx'
import { PanelsCard } from './panels-card.tsx'
import { QuarantineLink } from './quarantine-link.tsx'
import { type Range, rangeOf, todayIn } from './range.ts'
import { type InstallationResponse, installationQuery } from './use-monitoring.ts'

const route = getRouteApi('/inside/monitoring/$id')

/** One installation: what is wrong with it, what it makes, and which of its panels makes less. */
export function InstallationPage() {
  const { id } = route.useParams()
  const query = useQuery(installationQuery(id))
  if (query.error instanceof ApiError && query.error.status === 404) return <NotFound />
  return (
    <Page room="cards">
      <BackLink to="/monitoring">{texts.back}</BackLink>
      <Loaded query={query}>{(installation) => <Installation installation={installation} />}</Loaded>
    </Page>
  )
}

function Installation({ installation }: { installation: InstallationResponse }) {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const { id, name, address, capacityKw, panelCount, projectId, timezone } = installation
  const { can } = useSession()
  const [editing, setEditing] = useState(false)
  useRecordName(name)
  const today = todayIn(timezone)
  const range = rangeOf(search, today)
  const show = (next: Range, compare = search.compare === 'year') =>
    navigate({ search: { ...next, ...(compare ? { compare: 'year' } : {}) }, resetScroll: false })
  return (
    <>
      <PageHeader
        title={name}
        note={[address, texts.size(formatNumber(capacityKw), panelCount)].filter(Boolean).join(' · ')}
        actions={
          <>
            <QuarantineLink installation={id} />
            {can.runCompany && (
              <Button onClick={() => setEditing(true)}>
                <Pencil className="size-4" aria-hidden />
                {common.edit}
              </Button>
            )}
            {projectId && (
              <Link to="/projects/$id" params={{ id: projectId }} className={buttonClass()}>
                {texts.project}
              </Link>
            )}
          </>
        }
      />
      {editing && <EditInstallation installation={installation} onClose={() => setEditing(false)} />}
      <div className="flex flex-col gap-5">
        <AlertsCard installationId={id} />
        <EnergyCard
          installation={installation}
          range={range}
          today={today}
          compared={search.compare === 'year'}
          onShow={show}
        />
        <PanelsCard installationId={id} range={range} />
      </div>
    </>
  )
}
