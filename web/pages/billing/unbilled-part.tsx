import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { CalendarCheck } from 'lucide-react'
import { billing as texts } from '../../texts/en/billing.ts'
import { ShowMore } from '../../ui/show-more.tsx'
import { EmptyState, Loaded } from '../../ui/states.tsx'
import { Badge, Card } from '../../ui/surface.tsx'
import { HeldActions } from './held-actions.tsx'
import { formatMonth } from './money.ts'
import { unbilledQuery } from './use-billing.ts'

/** Months that are held back, or were taken back, and why. */
export function UnbilledPart() {
  const list = useInfiniteQuery(unbilledQuery)
  return (
    <Card>
      <Loaded query={list}>
        {({ pages }) => {
          const months = pages.flatMap((page) => page.months)
          if (months.length === 0)
            return (
              <EmptyState icon={<CalendarCheck aria-hidden />} title={texts.unbilledEmpty}>
                {texts.unbilledEmptyNote}
              </EmptyState>
            )
          return (
            <>
              <p className="px-5 pt-4 pb-2 text-ink-soft">{texts.unbilledNote}</p>
              <ul aria-label={texts.unbilledList} className="divide-y divide-line/70">
                {months.map(({ installationId, installationName, month, state, reason }) => (
                  <li
                    key={`${installationId}${month}`}
                    className="flex flex-wrap items-center gap-x-6 gap-y-2 px-5 py-3.5"
                  >
                    <div className="min-w-0 flex-1 basis-64">
                      <Link
                        to="/monitoring/$id"
                        params={{ id: installationId }}
                        className="block truncate font-medium hover:underline"
                      >
                        {installationName}
                      </Link>
                      <span className="block text-ink-soft">
                        {formatMonth(month)}
                        {reason && `: ${reason}`}
                      </span>
                    </div>
                    <Badge tone={state === 'held' ? 'warn' : 'plain'}>{texts.unbilledStates[state]}</Badge>
                    {state === 'held' ? (
                      <HeldActions installationId={installationId} month={month} />
                    ) : (
                      <Link
                        to="/billing"
                        search={{ part: 'runs', month: month.slice(0, 7) }}
                        className="font-medium text-action hover:underline"
                      >
                        {texts.runMonth(formatMonth(month))}
                      </Link>
                    )}
                  </li>
                ))}
              </ul>
            </>
          )
        }}
      </Loaded>
      <ShowMore query={list} />
    </Card>
  )
}
