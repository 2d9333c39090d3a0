import { useQuery } from '@tanstack/react-query'
import { Navigate, useParams } from '@tanstack/react-router'
import { ActivityFeed } from '../../activity/activity-feed.tsx'
import { ApiError } from '../../api/client.ts'
import { ErasedNotice } from '../../privacy/erased-notice.tsx'
import { NotFound } from '../../shell/not-found.tsx'
import { common } from '../../texts/en/common.ts'
import { lead as texts } from '../../texts/en/lead.ts'
import { leads } from '../../texts/en/leads.ts'
import { Loaded, Skeleton } from '../../ui/states.tsx'
import { Card, CardHeader, Page } from '../../ui/surface.tsx'
import { AddressCard, CoBorrowerCard, CustomerCard, DetailsCard, NotesCard } from './cards.tsx'
import { Duplicates } from './duplicates.tsx'
import { LeadHeader } from './lead-header.tsx'
import { PeopleCard } from './people-card.tsx'
import { PrivacyCard } from './privacy-card.tsx'
import { type LeadResponse, leadQuery } from './use-lead.ts'

export function LeadPage() {
  const { id } = useParams({ from: '/inside/leads/$id' })
  const query = useQuery(leadQuery(id))
  if (query.error instanceof ApiError && query.error.status === 404) return <NotFound />
  return (
    <Page room="cards">
      <Loaded query={query} loading={<LeadLoading />}>
        {(lead) =>
          // It also answers to its reference: it has one address.
          lead.id === id ? (
            <Lead key={id} lead={lead} />
          ) : (
            <Navigate to="/leads/$id" params={{ id: lead.id }} replace />
          )
        }
      </Loaded>
    </Page>
  )
}

function Lead({ lead }: { lead: LeadResponse }) {
  return (
    <>
      <LeadHeader lead={lead} />
      {lead.erasedAt ? <ErasedNotice erasedAt={lead.erasedAt} /> : <Duplicates leadId={lead.id} />}
      <div className="grid items-start gap-5 lg:grid-cols-[minmax(0,1fr)_23rem]">
        <div className="grid min-w-0 items-start gap-5 xl:grid-cols-2">
          <div className="flex min-w-0 flex-col gap-5">
            <CustomerCard lead={lead} of="customer" title={leads.customer} />
            <AddressCard lead={lead} />
          </div>
          <div className="flex min-w-0 flex-col gap-5">
            <PeopleCard lead={lead} />
            <DetailsCard lead={lead} />
            <CoBorrowerCard lead={lead} />
            <PrivacyCard lead={lead} />
          </div>
          <div className="min-w-0 xl:col-span-2">
            <NotesCard lead={lead} />
          </div>
        </div>
        <Card>
          <CardHeader title={texts.activity} />
          <div className="px-5 pt-1 pb-5">
            <ActivityFeed leadId={lead.id} readOnly={lead.erasedAt !== null} />
          </div>
        </Card>
      </div>
    </>
  )
}

function LeadLoading() {
  return (
    <div role="status" aria-label={common.loading}>
      <Skeleton className="mb-2 h-8 w-64" />
      <Skeleton className="mb-6 h-5 w-44" />
      <div className="grid gap-5 lg:grid-cols-[minmax(0,1fr)_23rem]">
        <Skeleton className="h-80 rounded-xl" />
        <Skeleton className="h-96 rounded-xl" />
      </div>
    </div>
  )
}
