import { useSession } from '../../../session/session.tsx'
import { webhooks as texts } from '../../../texts/en/webhooks.ts'
import { formatAgo, formatTime } from '../../../ui/format.ts'
import { Badge } from '../../../ui/surface.tsx'
import { healthOf, healthTones, type WebhookResponse } from './use-webhooks.ts'

export function HealthBadge({ webhook }: { webhook: WebhookResponse }) {
  const health = healthOf(webhook)
  return <Badge tone={healthTones[health]}>{texts.healths[health]}</Badge>
}

export function HealthShare({ webhook: { recent, recentDelivered } }: { webhook: WebhookResponse }) {
  return `${texts.share(recentDelivered, recent)} ${texts.lastDay}`
}

/** How an endpoint does, in sentences. */
export function HealthNotes({ webhook }: { webhook: WebhookResponse }) {
  const { disabledReason, failingSince, oldestWaitingAt, previousSecretUntil, recent, waiting } = webhook
  return (
    <div className="flex flex-col gap-1 px-5 py-4">
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <HealthBadge webhook={webhook} />
        {recent > 0 && (
          <span>
            <HealthShare webhook={webhook} />.
          </span>
        )}
      </p>
      {webhook.status === 'disabled' && (
        <p>
          {disabledReason && texts.offBecause(disabledReason)}{' '}
          <span className="text-ink-soft">{texts.offNote}</span>
        </p>
      )}
      {failingSince && webhook.status === 'enabled' && (
        <p className="text-ink-soft">
          {texts.failingSince} <Moment at={failingSince} />.
        </p>
      )}
      {oldestWaitingAt && (
        <p className="text-ink-soft">
          {texts.waiting(waiting)} {texts.oldest} <Moment at={oldestWaitingAt} />.
        </p>
      )}
      {previousSecretUntil && (
        <p className="text-ink-soft">{texts.bothUntil(formatTime(previousSecretUntil))}</p>
      )}
    </div>
  )
}

export function Moment({ at }: { at: string }) {
  return (
    <time dateTime={at} title={formatTime(at)}>
      {formatAgo(at)}
    </time>
  )
}

/** Only where there are several. */
export function CompanyName({ id }: { id: string }) {
  const { companies } = useSession()
  if (companies.length < 2) return null
  return ` · ${companies.find((company) => company.id === id)?.name ?? ''}`
}
