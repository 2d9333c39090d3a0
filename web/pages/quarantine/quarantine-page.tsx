import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { ShieldCheck } from 'lucide-react'
import { useState } from 'react'
import type { QuarantineDecision } from '../../../src/api/console/quarantine.ts'
import { monitoring } from '../../texts/en/monitoring.ts'
import { quarantine as texts } from '../../texts/en/quarantine.ts'
import { BackLink } from '../../ui/back-link.tsx'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/field.tsx'
import { ShowMore } from '../../ui/show-more.tsx'
import { EmptyState, Loaded } from '../../ui/states.tsx'
import { Card, Page, PageHeader } from '../../ui/surface.tsx'
import { type QuarantinedResponse, quarantineQuery } from '../monitoring/use-quarantine.ts'
import { DecideDialog } from './decide-dialog.tsx'
import { ReadingList } from './reading-list.tsx'

const route = getRouteApi('/inside/monitoring/quarantine')

/** Readings that are more than their panels can produce: released or dropped by somebody who knows. */
export function QuarantinePage() {
  const { installation } = route.useSearch()
  const query = useInfiniteQuery(quarantineQuery(installation))
  const readings = query.data?.pages.flatMap((page) => page.readings) ?? []
  const total = query.data?.pages[0]?.total
  return (
    <Page>
      <BackLink to="/monitoring">{monitoring.back}</BackLink>
      <PageHeader
        title={texts.title}
        note={total ? `${texts.total(total)}. ${texts.note}` : texts.note}
        actions={
          installation && (
            <Link to="/monitoring/quarantine" search={{}} className="font-medium text-action hover:underline">
              {texts.every}
            </Link>
          )
        }
      />
      <Card>
        <Loaded query={query}>
          {() =>
            readings.length === 0 ? (
              <EmptyState icon={<ShieldCheck aria-hidden />} title={texts.empty}>
                {texts.emptyNote}
              </EmptyState>
            ) : (
              <Waiting readings={readings} />
            )
          }
        </Loaded>
        <ShowMore query={query} />
      </Card>
    </Page>
  )
}

function Waiting({ readings }: { readings: readonly QuarantinedResponse[] }) {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const [asked, setAsked] = useState<QuarantineDecision | null>(null)
  const some = readings.filter(({ id }) => chosen.has(id))
  const toggle = (id: string) =>
    setChosen((before) => new Set(before.has(id) ? [...before].filter((one) => one !== id) : [...before, id]))
  const all = some.length === readings.length
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b border-line px-5 py-3">
        <Checkbox
          label={some.length === 0 ? texts.selectAll : texts.selected(some.length)}
          checked={all}
          onChange={() => setChosen(new Set(all ? [] : readings.map(({ id }) => id)))}
        />
        <span className="ml-auto flex gap-2">
          <Button small disabled={some.length === 0} onClick={() => setAsked('release')}>
            {texts.release}
          </Button>
          <Button small kind="danger" disabled={some.length === 0} onClick={() => setAsked('drop')}>
            {texts.drop}
          </Button>
        </span>
      </div>
      <ReadingList readings={readings} has={(id) => chosen.has(id)} onToggle={toggle} />
      {asked && <DecideDialog readings={some} decision={asked} onClose={() => setAsked(null)} />}
    </>
  )
}
