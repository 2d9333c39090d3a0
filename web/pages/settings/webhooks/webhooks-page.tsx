import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Plus, Webhook } from 'lucide-react'
import { useState } from 'react'
import { webhooks as texts } from '../../../texts/en/webhooks.ts'
import { Button } from '../../../ui/button.tsx'
import { classes } from '../../../ui/classes.ts'
import { ShowMore } from '../../../ui/show-more.tsx'
import { EmptyState, Loaded } from '../../../ui/states.tsx'
import { Card } from '../../../ui/surface.tsx'
import { hasStretchedLink, stretchedLink } from '../../../ui/table.tsx'
import { SettingsHeader } from '../settings-header.tsx'
import { CompanyName, HealthBadge, HealthShare, Moment } from './health.tsx'
import { SecretDialog } from './secret-dialog.tsx'
import { type SecretResponse, type WebhookResponse, webhooksKey, webhooksQuery } from './use-webhooks.ts'
import { WebhookForm } from './webhook-form.tsx'

/** The endpoints that are told what happens. */
export function WebhooksPage() {
  const client = useQueryClient()
  const query = useInfiniteQuery(webhooksQuery)
  const [adding, setAdding] = useState(false)
  const [made, setMade] = useState<SecretResponse | null>(null)
  return (
    <>
      <SettingsHeader
        title={texts.title}
        note={texts.note}
        actions={
          <Button kind="primary" onClick={() => setAdding(true)}>
            <Plus className="size-4" aria-hidden />
            {texts.add}
          </Button>
        }
      />
      <Card>
        <Loaded query={query}>
          {({ pages }) => {
            const webhooks = pages.flatMap((page) => page.webhooks)
            if (webhooks.length > 0) return <WebhookList webhooks={webhooks} />
            return (
              <EmptyState icon={<Webhook aria-hidden />} title={texts.empty}>
                {texts.emptyNote}
              </EmptyState>
            )
          }}
        </Loaded>
        <ShowMore query={query} />
      </Card>
      {adding && (
        <WebhookForm
          onClose={() => setAdding(false)}
          onMade={(secret) => {
            setAdding(false)
            setMade(secret)
            void client.invalidateQueries({ queryKey: webhooksKey })
          }}
        />
      )}
      {made && <SecretDialog made={made} onClose={() => setMade(null)} />}
    </>
  )
}

function WebhookList({ webhooks }: { webhooks: WebhookResponse[] }) {
  return (
    <ul aria-label={texts.list} className="divide-y divide-line/70">
      {webhooks.map((webhook) => (
        <li
          key={webhook.id}
          className={classes(hasStretchedLink, 'flex flex-wrap items-start gap-x-4 gap-y-1 px-5 py-3.5')}
        >
          <div className="min-w-0 flex-1 basis-72">
            <Link
              to="/settings/webhooks/$id"
              params={{ id: webhook.id }}
              className={classes(stretchedLink, 'block font-medium hover:underline')}
            >
              {webhook.description || webhook.url}
            </Link>
            <p className="text-[0.87rem] text-ink-soft">
              {webhook.description && `${webhook.url} · `}
              {webhook.events.includes('*') ? texts.allEvents : texts.eventCount(webhook.events.length)}
              <CompanyName id={webhook.companyId} />
            </p>
          </div>
          <div className="flex min-w-44 flex-col items-start gap-1 sm:items-end">
            <HealthBadge webhook={webhook} />
            <span className="text-[0.87rem] text-ink-soft">
              {webhook.recent > 0 ? (
                <HealthShare webhook={webhook} />
              ) : (
                webhook.lastDelivery && (
                  <>
                    {texts.lastDelivery} <Moment at={webhook.lastDelivery.at} />
                  </>
                )
              )}
            </span>
          </div>
        </li>
      ))}
    </ul>
  )
}
