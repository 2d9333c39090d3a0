import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { ApiError } from '../../../api/client.ts'
import { NotFound } from '../../../shell/not-found.tsx'
import { useRecordName } from '../../../shell/page-title.ts'
import { webhooks as texts } from '../../../texts/en/webhooks.ts'
import { BackLink } from '../../../ui/back-link.tsx'
import { Loaded } from '../../../ui/states.tsx'
import { Card } from '../../../ui/surface.tsx'
import { useToasts } from '../../../ui/toast.tsx'
import { SettingsHeader } from '../settings-header.tsx'
import { DeliveriesCard } from './deliveries-card.tsx'
import { CompanyName, HealthNotes } from './health.tsx'
import { RemoveDialog } from './remove-dialog.tsx'
import { RotateDialog } from './rotate-dialog.tsx'
import { SecretDialog } from './secret-dialog.tsx'
import {
  eventWords,
  type SecretResponse,
  type WebhookResponse,
  webhookQuery,
  webhooksKey,
} from './use-webhooks.ts'
import { type Asking, WebhookActions } from './webhook-actions.tsx'
import { WebhookForm } from './webhook-form.tsx'

const route = getRouteApi('/inside/settings/webhooks/$id')

/** One endpoint: how it does, and what it was sent. */
export function WebhookPage() {
  const { id } = route.useParams()
  const query = useQuery(webhookQuery(id))
  if (query.error instanceof ApiError && query.error.status === 404) return <NotFound />
  return (
    <>
      <BackLink to="/settings/webhooks">{texts.back}</BackLink>
      <Loaded query={query}>{(webhook) => <WebhookDetails webhook={webhook} />}</Loaded>
    </>
  )
}

function WebhookDetails({ webhook }: { webhook: WebhookResponse }) {
  const client = useQueryClient()
  const navigate = useNavigate()
  const { say } = useToasts()
  const { state } = route.useSearch()
  const [asking, setAsking] = useState<Asking | null>(null)
  const [made, setMade] = useState<SecretResponse | null>(null)
  const close = () => setAsking(null)
  const changed = () => {
    close()
    void client.invalidateQueries({ queryKey: webhooksKey })
  }
  const { id, url, description, events } = webhook
  useRecordName(description || url)
  return (
    <>
      <SettingsHeader
        title={description || texts.title}
        note={
          <>
            <span className="block">{url}</span>
            <span className="block text-[0.87rem]">
              {eventWords(events)}
              <CompanyName id={webhook.companyId} />
            </span>
          </>
        }
        actions={<WebhookActions webhook={webhook} onAsk={setAsking} onChanged={changed} />}
      />
      <div className="flex flex-col gap-5">
        <Card>
          <HealthNotes webhook={webhook} />
        </Card>
        <DeliveriesCard webhook={webhook} state={state} onChanged={changed} />
      </div>
      {asking === 'edit' && <WebhookForm webhook={webhook} onClose={close} onChanged={changed} />}
      {asking === 'rotate' && (
        <RotateDialog
          id={id}
          onClose={close}
          onRotated={(secret) => {
            changed()
            setMade(secret)
          }}
        />
      )}
      {asking === 'remove' && (
        <RemoveDialog
          webhook={webhook}
          onClose={close}
          onRemoved={async () => {
            say(texts.removed)
            await navigate({ to: '/settings/webhooks' })
            changed()
          }}
        />
      )}
      {made && <SecretDialog made={made} onClose={() => setMade(null)} />}
    </>
  )
}
