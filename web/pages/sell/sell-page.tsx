import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { CircleCheck, PackageOpen } from 'lucide-react'
import type { CatalogueResponse, SaleStart } from '../../../src/api/console/sales.ts'
import { ApiError, api } from '../../api/client.ts'
import { catalogueQuery } from '../../items/catalogue-query.ts'
import { useSession } from '../../session/session.tsx'
import { NotFound } from '../../shell/not-found.tsx'
import { useRecordName } from '../../shell/page-title.ts'
import { sell as texts } from '../../texts/en/sell.ts'
import { BackLink } from '../../ui/back-link.tsx'
import { buttonClass } from '../../ui/button.tsx'
import { EmptyState, Loaded } from '../../ui/states.tsx'
import { Page, PageHeader } from '../../ui/surface.tsx'
import { SaleForm } from './sale-form.tsx'

/** Mark as sold: the lead becomes a project. */
export function SellPage() {
  const { id } = useParams({ from: '/inside/leads/$id/sell' })
  const start = useQuery({
    queryKey: ['sale', id],
    queryFn: ({ signal }) => api.get<SaleStart>(`/leads/${encodeURIComponent(id)}/sale`, { signal }),
  })
  useRecordName(start.data?.name)
  if (start.error instanceof ApiError && start.error.status === 404) return <NotFound />
  return (
    <Page>
      <BackLink to="/leads/$id" params={{ id }}>
        {texts.backToLead}
      </BackLink>
      <PageHeader title={texts.title} note={start.data && texts.for(start.data.name || texts.nameless)} />
      <Loaded query={start}>
        {(data) => (data.projectId ? <Sold id={data.projectId} /> : <Sale start={data} />)}
      </Loaded>
    </Page>
  )
}

function Sold({ id }: { id: string }) {
  return (
    <EmptyState
      icon={<CircleCheck aria-hidden />}
      title={texts.soldAlready}
      action={
        <Link to="/projects/$id" params={{ id }} className={buttonClass('primary')}>
          {texts.openProject}
        </Link>
      }
    >
      {texts.soldAlreadyNote}
    </EmptyState>
  )
}

function Sale({ start }: { start: SaleStart }) {
  const { productLine } = start
  const { can, company } = useSession()
  const catalogue = useQuery(catalogueQuery(productLine))
  const fillsIt = can.settings && company.kind === 'installer'
  return (
    <Loaded query={catalogue}>
      {(offered) =>
        isEmpty(offered, productLine) ? (
          <EmptyState
            icon={<PackageOpen aria-hidden />}
            title={texts.emptyTitle}
            action={
              fillsIt && (
                <Link to="/settings/catalogue" className={buttonClass('primary')}>
                  {texts.addThem}
                </Link>
              )
            }
          >
            {productLine === 'solar' ? texts.emptyEquipment : texts.emptyProducts}
            {!fillsIt && ` ${company.kind === 'dealer' ? texts.askInstaller : texts.askAdmin}`}
          </EmptyState>
        ) : (
          <SaleForm start={start} catalogue={offered} />
        )
      }
    </Loaded>
  )
}

function isEmpty({ panels, inverters, adders }: CatalogueResponse, line: SaleStart['productLine']): boolean {
  return line === 'solar' ? panels.length === 0 || inverters.length === 0 : adders.length === 0
}
