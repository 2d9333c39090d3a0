import { useQuery } from '@tanstack/react-query'
import { api } from '../../../api/client.ts'
import { useSubmit } from '../../../api/use-submit.ts'
import { common } from '../../../texts/en/common.ts'
import { webhooks as texts } from '../../../texts/en/webhooks.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog, DialogActions } from '../../../ui/dialog.tsx'
import { formatTime } from '../../../ui/format.ts'
import { Loaded } from '../../../ui/states.tsx'
import { useToasts } from '../../../ui/toast.tsx'
import { StateBadge } from './delivery-list.tsx'
import { type DeliveryRead, deliveryQuery, type WebhookResponse } from './use-webhooks.ts'

interface DeliveryDialogProps {
  webhook: WebhookResponse
  deliveryId: string
  onClose: () => void
  onChanged: () => void
}

/** What was sent and what came back. */
export function DeliveryDialog({ webhook, deliveryId, onClose, onChanged }: DeliveryDialogProps) {
  const { say, complain } = useToasts()
  const query = useQuery(deliveryQuery(webhook.id, deliveryId))
  const redeliver = useSubmit({
    mutationFn: (_, submission) =>
      api.post<{ redelivered: number }>(`/webhooks/${webhook.id}/redeliver`, { deliveryId }, submission),
    onSuccess: ({ redelivered }) => say(texts.redelivered(redelivered)),
    onError: complain,
    onSettled: onChanged,
  })
  return (
    <Dialog open wide onClose={onClose} title={texts.delivery}>
      <Loaded query={query}>{(delivery) => <Details delivery={delivery} />}</Loaded>
      <DialogActions>
        {webhook.status === 'disabled' && (
          <p className="flex-1 self-center text-ink-soft">{texts.turnOnFirst}</p>
        )}
        <Button onClick={onClose}>{common.close}</Button>
        <Button
          kind="primary"
          busy={redeliver.isPending}
          disabled={webhook.status === 'disabled'}
          onClick={() => redeliver.mutate()}
        >
          {texts.redeliver}
        </Button>
      </DialogActions>
    </Dialog>
  )
}

function Details({ delivery }: { delivery: DeliveryRead }) {
  const { event, eventAt, state, nextAttemptAt, url, headers, body, attempts } = delivery
  return (
    <div className="flex flex-col gap-5">
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <StateBadge state={state} />
        <span className="font-medium">{texts.names[event] ?? event}</span>
        <span className="text-ink-soft">{formatTime(eventAt)}</span>
        {nextAttemptAt && (
          <span className="text-ink-soft">
            {texts.nextAttempt}: {formatTime(nextAttemptAt)}
          </span>
        )}
      </p>
      <section>
        <h3 className="font-semibold">{texts.request}</h3>
        <p className="pb-2 text-[0.87rem] text-ink-soft">{texts.requestNote}</p>
        <Bytes label={texts.headers}>
          {[`POST ${url}`, ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`)].join('\n')}
        </Bytes>
        {body === null ? (
          <p className="pt-2 text-ink-soft">{texts.bodyGone}</p>
        ) : (
          <Bytes label={texts.body}>{readable(body)}</Bytes>
        )}
      </section>
      <section>
        <h3 className="font-semibold">{texts.attempts}</h3>
        <p className="pb-2 text-[0.87rem] text-ink-soft">{texts.answerNote}</p>
        <ol className="flex flex-col gap-3">
          {attempts.toReversed().map((attempt) => (
            <li key={attempt.at} className="rounded-lg border border-line px-3 py-2.5">
              <p className="flex flex-wrap gap-x-3 text-[0.87rem]">
                <span className="font-medium">{attempt.status ?? texts.noAnswer}</span>
                <span className="text-ink-soft">{formatTime(attempt.at)}</span>
                <span className="text-ink-soft">{texts.took(attempt.duration_ms)}</span>
              </p>
              {attempt.error && <p className="text-bad">{attempt.error}</p>}
              {attempt.answer ? (
                <Bytes label={texts.answer}>{attempt.answer}</Bytes>
              ) : (
                attempt.status !== null && <p className="text-ink-soft">{texts.emptyAnswer}</p>
              )}
            </li>
          ))}
        </ol>
      </section>
    </div>
  )
}

function Bytes({ label, children }: { label: string; children: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
    <section aria-label={label} tabIndex={0} className="mt-2 max-h-72 overflow-auto rounded-lg bg-sunken">
      <pre className="px-3 py-2.5 text-[0.8rem] break-all whitespace-pre-wrap">{children}</pre>
    </section>
  )
}

/** Indented where it is JSON. */
function readable(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2)
  } catch {
    return body
  }
}
