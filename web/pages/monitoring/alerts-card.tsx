import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { ShieldCheck } from 'lucide-react'
import { api } from '../../api/client.ts'
import { useSubmit } from '../../api/use-submit.ts'
import { useSession } from '../../session/session.tsx'
import { monitoring as texts } from '../../texts/en/monitoring.ts'
import { Button } from '../../ui/button.tsx'
import { formatAgo, formatTime } from '../../ui/format.ts'
import { ShowMore } from '../../ui/show-more.tsx'
import { Loaded } from '../../ui/states.tsx'
import { Badge, Card, CardHeader } from '../../ui/surface.tsx'
import { useToasts } from '../../ui/toast.tsx'
import { type AlertResponse, alertsQuery, monitoringKey, severityTones } from './use-monitoring.ts'

/** What is wrong now, and below what was. */
export function AlertsCard({ installationId }: { installationId: string }) {
  const query = useInfiniteQuery(alertsQuery(installationId))
  return (
    <Card>
      <CardHeader title={texts.alerts} />
      <Loaded query={query}>
        {({ pages }) => {
          const open = pages.flatMap((page) => page.open)
          const resolved = pages.flatMap((page) => page.resolved)
          return (
            <>
              {open.length === 0 && <Fine />}
              <ul aria-label={texts.alerts} className="divide-y divide-line/70">
                {open.map((alert) => (
                  <OpenAlert key={alert.id} alert={alert} />
                ))}
              </ul>
              {resolved.length > 0 && (
                <details className="border-t border-line px-5 py-3">
                  <summary className="w-fit text-ink-soft">{texts.history}</summary>
                  <ul aria-label={texts.history} className="divide-y divide-line/70">
                    {resolved.map((alert) => (
                      <PastAlert key={alert.id} alert={alert} />
                    ))}
                  </ul>
                  <ShowMore query={query} label={texts.olderAlerts} />
                </details>
              )}
            </>
          )
        }}
      </Loaded>
    </Card>
  )
}

function Fine() {
  return (
    <div className="flex items-center gap-3 px-5 pb-4">
      <ShieldCheck className="size-6 shrink-0 text-good" aria-hidden />
      <p>
        <span className="font-medium">{texts.noOpen}.</span>{' '}
        <span className="text-ink-soft">{texts.noOpenNote}</span>
      </p>
    </div>
  )
}

function OpenAlert({ alert }: { alert: AlertResponse }) {
  const client = useQueryClient()
  const { say, complain } = useToasts()
  const { can } = useSession()
  const { id, severity, status, title, description, recommendedAction, triggeredAt, memberNames } = alert
  const change = useSubmit({
    mutationFn: (what: 'acknowledge' | 'resolve', submission) =>
      api.post(`/alerts/${id}/${what}`, {}, submission),
    onSuccess: (_answer, what) => say(what === 'resolve' ? texts.resolved : texts.acknowledged),
    onError: complain,
    // Also where somebody else was quicker.
    onSettled: () => client.invalidateQueries({ queryKey: monitoringKey }),
  })
  return (
    <li className="flex flex-wrap items-start gap-x-4 gap-y-3 px-5 py-4">
      <div className="min-w-0 flex-1 basis-80">
        <p className="flex flex-wrap items-center gap-2">
          <Badge tone={severityTones[severity]}>{texts.severities[severity]}</Badge>
          <span className="font-medium">{title}</span>
        </p>
        <p className="pt-1 text-ink-soft">{description}</p>
        {memberNames.length > 0 && (
          <p className="pt-1 text-ink-soft">
            <span className="font-medium">{texts.members}:</span> {memberNames.join(', ')}
          </p>
        )}
        <p className="pt-1">
          <span className="font-medium">{texts.advice}:</span> {recommendedAction}
        </p>
        <p className="pt-1 text-[0.87rem] text-ink-soft">
          {texts.triggered} <Moment at={triggeredAt} />
          {alert.acknowledgedAt && (
            <>
              {' · '}
              {texts.acknowledgedBy(alert.acknowledgedBy)} <Moment at={alert.acknowledgedAt} />
            </>
          )}
        </p>
      </div>
      <div className="flex gap-2">
        {status === 'active' && (
          <Button disabled={change.isPending} onClick={() => change.mutate('acknowledge')}>
            {texts.acknowledge}
          </Button>
        )}
        {can.runCompany && (
          <Button disabled={change.isPending} onClick={() => change.mutate('resolve')}>
            {texts.resolve}
          </Button>
        )}
      </div>
    </li>
  )
}

function PastAlert({ alert }: { alert: AlertResponse }) {
  return (
    <li className="py-3">
      <p className="flex flex-wrap items-center gap-2">
        <Badge>{texts.severities[alert.severity]}</Badge>
        {alert.title}
      </p>
      <p className="pt-1 text-[0.87rem] text-ink-soft">
        {texts.triggered} <Moment at={alert.triggeredAt} />
        {alert.acknowledgedAt && (
          <>
            {' · '}
            {texts.acknowledgedBy(alert.acknowledgedBy)} <Moment at={alert.acknowledgedAt} />
          </>
        )}
        {' · '}
        {texts.resolvedBy(alert.resolvedBy)} <Moment at={alert.resolvedAt!} />
      </p>
    </li>
  )
}

function Moment({ at }: { at: string }) {
  return (
    <time dateTime={at} title={formatTime(at)}>
      {formatAgo(at)}
    </time>
  )
}
