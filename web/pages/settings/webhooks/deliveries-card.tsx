import { useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { webhooks as texts } from '../../../texts/en/webhooks.ts'
import { Button } from '../../../ui/button.tsx'
import { Field, Select } from '../../../ui/field.tsx'
import { ShowMore } from '../../../ui/show-more.tsx'
import { EmptyState, Loaded } from '../../../ui/states.tsx'
import { Card, CardHeader } from '../../../ui/surface.tsx'
import { useToasts } from '../../../ui/toast.tsx'
import { DeliveryDialog } from './delivery-dialog.tsx'
import { DeliveryList } from './delivery-list.tsx'
import { RangeDialog } from './range-dialog.tsx'
import { deliveriesQuery, type WebhookResponse } from './use-webhooks.ts'

interface DeliveriesCardProps {
  webhook: WebhookResponse
  state: string | undefined
  onChanged: () => void
}

/** What was sent, the newest event first. */
export function DeliveriesCard({ webhook, state, onChanged }: DeliveriesCardProps) {
  const navigate = useNavigate()
  const { say } = useToasts()
  const query = useInfiniteQuery(deliveriesQuery(webhook.id, state))
  const [shown, setShown] = useState<string | null>(null)
  const [asking, setAsking] = useState(false)
  return (
    <Card>
      <CardHeader
        title={texts.deliveries}
        actions={
          <>
            <Field label={texts.state} labelHidden>
              <Select
                value={state ?? ''}
                onChange={({ target: { value } }) =>
                  navigate({
                    to: '/settings/webhooks/$id',
                    params: { id: webhook.id },
                    search: value ? { state: value } : {},
                    replace: true,
                  })
                }
              >
                <option value="">{texts.everyState}</option>
                {Object.entries(texts.states).map(([value, text]) => (
                  <option key={value} value={value}>
                    {text}
                  </option>
                ))}
              </Select>
            </Field>
            {webhook.status === 'enabled' && (
              <Button onClick={() => setAsking(true)}>{texts.redeliverRange}</Button>
            )}
          </>
        }
      >
        {texts.deliveriesNote}
      </CardHeader>
      <Loaded query={query}>
        {({ pages }) => {
          const deliveries = pages.flatMap((page) => page.deliveries)
          if (deliveries.length > 0) return <DeliveryList deliveries={deliveries} onOpen={setShown} />
          return (
            <EmptyState title={state ? texts.noneInState : texts.noDeliveries}>
              {!state && texts.noDeliveriesNote}
            </EmptyState>
          )
        }}
      </Loaded>
      <ShowMore query={query} />
      {shown && (
        <DeliveryDialog
          webhook={webhook}
          deliveryId={shown}
          onClose={() => setShown(null)}
          onChanged={onChanged}
        />
      )}
      {asking && (
        <RangeDialog
          id={webhook.id}
          onClose={() => setAsking(false)}
          onRedelivered={(count) => {
            setAsking(false)
            say(texts.redelivered(count))
            onChanged()
          }}
        />
      )}
    </Card>
  )
}
