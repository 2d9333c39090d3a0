import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ChevronRight, Plus, Store } from 'lucide-react'
import { useState } from 'react'
import { common } from '../../../texts/en/common.ts'
import { company as texts } from '../../../texts/en/company.ts'
import { Button } from '../../../ui/button.tsx'
import { ShowMore } from '../../../ui/show-more.tsx'
import { EmptyState, Loaded } from '../../../ui/states.tsx'
import { Badge, Card, CardHeader } from '../../../ui/surface.tsx'
import { AddDealerDialog } from './add-dealer-dialog.tsx'
import { type DealersResponse, dealersQuery } from './use-company.ts'

/** The companies that sell for an installer. */
export function DealersCard({ timezone }: { timezone: string }) {
  const query = useInfiniteQuery(dealersQuery)
  const [adding, setAdding] = useState(false)
  return (
    <Card>
      <CardHeader
        title={texts.dealers}
        actions={
          <Button small onClick={() => setAdding(true)}>
            <Plus className="size-4" aria-hidden />
            {texts.addDealer}
          </Button>
        }
      >
        {texts.dealersNote}
      </CardHeader>
      <Loaded query={query}>
        {({ pages }) => {
          const dealers = pages.flatMap((page) => page.dealers)
          if (dealers.length === 0)
            return (
              <EmptyState icon={<Store aria-hidden />} title={texts.noDealers}>
                {texts.noDealersNote}
              </EmptyState>
            )
          return (
            <ul aria-label={texts.dealers} className="divide-y divide-line/70 pb-2">
              {dealers.map((dealer) => (
                <DealerRow key={dealer.id} dealer={dealer} />
              ))}
            </ul>
          )
        }}
      </Loaded>
      <ShowMore query={query} />
      {adding && <AddDealerDialog timezone={timezone} onClose={() => setAdding(false)} />}
    </Card>
  )
}

function DealerRow({ dealer }: { dealer: DealersResponse['dealers'][number] }) {
  const { id, name, number, people, status } = dealer
  return (
    <li>
      <Link
        to="/settings/company/$id"
        params={{ id }}
        className="flex min-h-14 items-center gap-3 px-5 py-2 hover:bg-sunken/60"
      >
        <span className="min-w-0 flex-1">
          <span className="block truncate font-medium">{name}</span>
          <span className="block truncate text-[0.87rem] text-ink-soft">
            {texts.number} {number} · {common.count(people, 'person', 'people')}
          </span>
        </span>
        {status === 'suspended' && <Badge tone="warn">{texts.states.suspended}</Badge>}
        <ChevronRight className="size-4 shrink-0 text-ink-soft" aria-hidden />
      </Link>
    </li>
  )
}
