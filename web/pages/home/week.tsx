import { Link } from '@tanstack/react-router'
import { CalendarDays, Hammer, Ruler } from 'lucide-react'
import type { HomeResponse, VisitResponse } from '../../../src/api/console/home.ts'
import { home as texts } from '../../texts/en/home.ts'
import { buttonClass } from '../../ui/button.tsx'
import { formatShortDay } from '../../ui/format.ts'
import { EmptyState } from '../../ui/states.tsx'
import { Card, CardHeader } from '../../ui/surface.tsx'

const icons = { install: Hammer, survey: Ruler }
const dayMs = 86_400_000

/** Surveys and installs of seven days, day by day. */
export function Week({ home: { today, visits } }: { home: HomeResponse }) {
  const tomorrow = new Date(Date.parse(today) + dayMs).toISOString().slice(0, 10)
  const nameOf = (day: string) =>
    day === today ? texts.today : day === tomorrow ? texts.tomorrow : formatShortDay(day)
  return (
    <Card className="overflow-hidden">
      <CardHeader
        title={texts.week}
        actions={
          <Link to="/calendar" search={{ view: 'week' }} className={buttonClass('quiet', true)}>
            {texts.calendar}
          </Link>
        }
      />
      {visits.length === 0 ? (
        <EmptyState icon={<CalendarDays aria-hidden />} title={texts.noVisits}>
          {texts.noVisitsNote}
        </EmptyState>
      ) : (
        <div className="pb-2">
          {[...Map.groupBy(visits, ({ day }) => day)].map(([day, ofDay]) => (
            <section key={day} aria-label={nameOf(day)}>
              <h3 className="px-5 pt-2 pb-0.5 text-[0.8rem] font-medium text-ink-soft">{nameOf(day)}</h3>
              <ul>
                {ofDay.map((visit) => (
                  <li key={`${visit.kind} ${visit.projectId}`}>
                    <VisitLine visit={visit} />
                  </li>
                ))}
              </ul>
            </section>
          ))}
        </div>
      )}
    </Card>
  )
}

function VisitLine({ visit }: { visit: VisitResponse }) {
  const Icon = icons[visit.kind]
  return (
    <Link
      to="/projects/$id"
      params={{ id: visit.projectId }}
      className="flex items-center gap-3 px-5 py-1.5 hover:bg-sunken"
    >
      <Icon className="size-4 shrink-0 text-info" aria-hidden />
      <span className="min-w-0 flex-1 truncate">
        <span className="sr-only">{texts.kinds[visit.kind]}: </span>
        {[visit.firstName, visit.lastName].filter(Boolean).join(' ') || texts.unnamed}
      </span>
      <span className="shrink-0 text-[0.87rem] text-ink-soft">{visit.city}</span>
    </Link>
  )
}
