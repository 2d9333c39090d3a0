import { Link } from '@tanstack/react-router'
import { useSession } from '../../session/session.tsx'
import { billing as texts } from '../../texts/en/billing.ts'
import { Button } from '../../ui/button.tsx'
import { formatDay } from '../../ui/format.ts'
import { Badge } from '../../ui/surface.tsx'
import { formatDayIn, formatPrice } from './money.ts'
import type { InstallationPlanResponse, PlanResponse } from './use-billing.ts'

interface PlanRowProps {
  installation: InstallationPlanResponse
  onSet: () => void
  onEnd: () => void
}

export function PlanRow({ installation: { id, name, address, plan, unbilled }, onSet, onEnd }: PlanRowProps) {
  const { company } = useSession()
  const runs = plan !== null && plan.endedAt === null
  return (
    <li className="flex flex-wrap items-center gap-x-6 gap-y-2 px-5 py-3.5">
      <div className="min-w-0 flex-1 basis-56">
        <Link to="/monitoring/$id" params={{ id }} className="block truncate font-medium hover:underline">
          {name}
        </Link>
        <span className="block truncate text-[0.87rem] text-ink-soft">{address}</span>
      </div>
      <div className="min-w-0 flex-1 basis-56">
        {plan === null ? (
          <span className="text-ink-soft">{texts.noPlan}</span>
        ) : (
          <>
            <span className="flex flex-wrap items-center gap-2">
              {rateText(plan)}
              {plan.endedAt && <Badge>{texts.planEnded(formatDayIn(company.timezone, plan.endedAt))}</Badge>}
            </span>
            <span className="block truncate text-[0.87rem] text-ink-soft">
              {[
                texts.kinds[plan.kind],
                plan.escalatorPercent !== '0' && texts.escalates(plan.escalatorPercent),
                `${texts.columns.start.toLowerCase()} ${formatDay(plan.startDate)}`,
                plan.customer.name !== name && plan.customer.name,
              ]
                .filter(Boolean)
                .join(' · ')}
            </span>
          </>
        )}
        {unbilled > 0 && (
          <Link to="/billing" search={{ part: 'unbilled' }} className="inline-block pt-1">
            <Badge tone="warn">{texts.monthsOpen(unbilled)}</Badge>
          </Link>
        )}
      </div>
      <div className="flex gap-2">
        <Button small onClick={onSet} aria-label={runs ? texts.changePlanFor(name) : texts.setPlanFor(name)}>
          {runs ? texts.changePlan : texts.setPlan}
        </Button>
        {runs && (
          <Button small kind="danger" onClick={onEnd} aria-label={texts.endPlanFor(name)}>
            {texts.endPlan}
          </Button>
        )}
      </div>
    </li>
  )
}

function rateText({ kind, rate, currency }: PlanResponse): string {
  const money = formatPrice(rate, currency)
  return kind === 'ppa' ? texts.perKwh(money) : texts.perMonth(money)
}
