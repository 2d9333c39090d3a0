import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { Bot } from 'lucide-react'
import { useRef } from 'react'
import { type ApprovalList, approvalsQuery } from '../../approvals/use-approvals.ts'
import { useSession } from '../../session/session.tsx'
import { NotFound } from '../../shell/not-found.tsx'
import { approvals as texts } from '../../texts/en/approvals.ts'
import { ShowMore } from '../../ui/show-more.tsx'
import { EmptyState, Loaded } from '../../ui/states.tsx'
import { Card, Page, PageHeader } from '../../ui/surface.tsx'
import { Segments } from '../../ui/tabs.tsx'
import { ProposalCard } from './proposal-card.tsx'

const route = getRouteApi('/inside/approvals')
const lists = Object.entries(texts.lists).map(([value, label]) => ({ value: value as ApprovalList, label }))

/** What agents propose: seen with what would follow, and approved or declined by a person. */
export function ApprovalsPage() {
  const { can } = useSession()
  const { list } = route.useSearch()
  const navigate = route.useNavigate()
  const shown: ApprovalList = list === 'decided' ? 'decided' : 'waiting'
  const query = useInfiniteQuery({ ...approvalsQuery(shown), enabled: can.approve })
  const region = useRef<HTMLDivElement>(null)
  if (!can.approve) return <NotFound />
  return (
    <Page>
      <PageHeader title={texts.title} note={texts.note} />
      <div className="pb-4">
        <Segments
          label={texts.which}
          options={lists}
          value={shown}
          onChange={(next) => navigate({ search: next === 'decided' ? { list: next } : {}, replace: true })}
        />
      </div>
      <div ref={region} tabIndex={-1} className="outline-none">
        <Loaded query={query}>
          {({ pages }) => {
            const proposals = pages.flatMap((page) => page.proposals)
            if (proposals.length === 0) return <NothingHere list={shown} />
            return (
              <ul aria-label={texts.list} className="flex flex-col gap-4">
                {proposals.map((proposal) => (
                  <li key={proposal.id}>
                    <ProposalCard proposal={proposal} onDecided={() => region.current?.focus()} />
                  </li>
                ))}
              </ul>
            )
          }}
        </Loaded>
        <ShowMore query={query} />
      </div>
    </Page>
  )
}

function NothingHere({ list }: { list: ApprovalList }) {
  const isWaiting = list === 'waiting'
  return (
    <Card>
      <EmptyState icon={<Bot aria-hidden />} title={isWaiting ? texts.empty : texts.noneDecided}>
        {isWaiting ? texts.emptyNote : texts.noneDecidedNote}
      </EmptyState>
    </Card>
  )
}
