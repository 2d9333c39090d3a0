import { useInfiniteQuery } from '@tanstack/react-query'
import { Zap } from 'lucide-react'
import { useState } from 'react'
import { billing as texts } from '../../texts/en/billing.ts'
import { Choice, ClearFilters, SearchField } from '../../ui/filters.tsx'
import { ShowMore } from '../../ui/show-more.tsx'
import { EmptyState, Loaded } from '../../ui/states.tsx'
import { Card } from '../../ui/surface.tsx'
import { EndPlanDialog } from './end-plan-dialog.tsx'
import { PlanDialog } from './plan-dialog.tsx'
import { PlanRow } from './plan-row.tsx'
import type { PartProps } from './use-billing.ts'
import { type BillingSearch, type InstallationPlanResponse, plansQuery } from './use-billing.ts'

/** Every installation, with the plan by which it is billed. */
export function PlansPart({ search, onChange }: PartProps) {
  const list = useInfiniteQuery(plansQuery(search))
  const [asked, setAsking] = useState<{ what: 'set' | 'end'; of: InstallationPlanResponse } | null>(null)
  // As it is now: others may change it while somebody types.
  const current = list.data?.pages.flatMap((page) => page.installations).find(({ id }) => id === asked?.of.id)
  const asking = asked && { ...asked, of: current ?? asked.of }
  const close = () => setAsking(null)
  const isNarrowed = Boolean(search.state || search.search)
  const set = (name: keyof BillingSearch, value: string) => {
    const { [name]: _before, ...others } = search
    onChange(value ? { ...others, [name]: value } : others)
  }
  const clear = () => onChange({ part: 'plans' })
  return (
    <>
      <div className="flex flex-wrap items-center gap-2 pb-4">
        <SearchField
          label={texts.planSearch}
          hint={texts.planSearchHint}
          value={search.search ?? ''}
          onChange={(words) => set('search', words)}
        />
        <Choice
          label={texts.planState}
          every={texts.everyPlanState}
          value={search.state}
          options={Object.entries(texts.planStates)}
          onChange={(state) => set('state', state)}
        />
        {isNarrowed && <ClearFilters kind="quiet" onClear={clear} />}
      </div>
      <Card busy={list.isPlaceholderData}>
        <Loaded query={list}>
          {({ pages }) => {
            const installations = pages.flatMap((page) => page.installations)
            if (installations.length === 0)
              return (
                <EmptyState
                  icon={<Zap aria-hidden />}
                  title={isNarrowed ? texts.plansNothing : texts.plansEmpty}
                  action={isNarrowed && <ClearFilters onClear={clear} />}
                >
                  {isNarrowed ? texts.nothingFitsNote : texts.plansEmptyNote}
                </EmptyState>
              )
            return (
              <ul aria-label={texts.planList} className="divide-y divide-line/70">
                {installations.map((one) => (
                  <PlanRow
                    key={one.id}
                    installation={one}
                    onSet={() => setAsking({ what: 'set', of: one })}
                    onEnd={() => setAsking({ what: 'end', of: one })}
                  />
                ))}
              </ul>
            )
          }}
        </Loaded>
        <ShowMore query={list} />
      </Card>
      {asking?.what === 'set' && <PlanDialog installation={asking.of} onClose={close} />}
      {asking?.what === 'end' && <EndPlanDialog installation={asking.of} onClose={close} />}
    </>
  )
}
