import { Link } from '@tanstack/react-router'
import { PartyPopper } from 'lucide-react'
import type { HomeResponse } from '../../../src/api/console/home.ts'
import { home as texts } from '../../texts/en/home.ts'
import { buttonClass } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/states.tsx'
import { Badge, Card, CardHeader } from '../../ui/surface.tsx'

/** Projects that stand in their stage for longer than it allows, the longest first. */
export function StuckProjects({ home: { stuck, late } }: { home: HomeResponse }) {
  const mayBeMore = late.solar.orMore || late.hi.orMore
  return (
    <Card className="overflow-hidden">
      <CardHeader
        title={texts.stuck}
        actions={
          (stuck.length > 0 || mayBeMore) && (
            <Link
              to="/board"
              search={{ late: 'yes', sort: 'longest' }}
              className={buttonClass('quiet', true)}
            >
              {texts.allStuck}
            </Link>
          )
        }
      />
      {stuck.length === 0 && mayBeMore ? (
        <p className="px-5 pb-4 text-ink-soft">{texts.noneLookedAt}</p>
      ) : stuck.length === 0 ? (
        <EmptyState icon={<PartyPopper aria-hidden />} title={texts.noStuck}>
          {texts.noStuckNote}
        </EmptyState>
      ) : (
        <ul className="pb-2">
          {stuck.map((card) => (
            <li key={card.id}>
              <Link
                to="/projects/$id"
                params={{ id: card.id }}
                className="flex items-center gap-3 px-5 py-2 hover:bg-sunken"
              >
                <span className="min-w-0 flex-1">
                  <span className="block truncate font-medium">{card.customer ?? texts.unnamed}</span>
                  <span className="block truncate text-[0.87rem] text-ink-soft">
                    {[texts.inStage(card.stage, card.days ?? 0), card.rep, card.dealer]
                      .filter(Boolean)
                      .join(' · ')}
                  </span>
                </span>
                <Badge tone="bad">{texts.daysLate(card.daysLate)}</Badge>
              </Link>
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}
