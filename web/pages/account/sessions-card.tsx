import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { useSubmit } from '../../api/use-submit.ts'
import { account as texts } from '../../texts/en/account.ts'
import { common } from '../../texts/en/common.ts'
import { browserName } from '../../ui/browser-name.ts'
import { Button } from '../../ui/button.tsx'
import { formatAgo } from '../../ui/format.ts'
import { Loaded } from '../../ui/states.tsx'
import { Badge, Card, CardHeader } from '../../ui/surface.tsx'
import { useToasts } from '../../ui/toast.tsx'
import { accountQuery } from './account-query.ts'

const shownFirst = 5

export function SessionsCard() {
  const [all, setAll] = useState(false)
  const query = useQuery(accountQuery)
  const client = useQueryClient()
  const { say, complain } = useToasts()
  const end = useSubmit({
    mutationFn: (id: string | null, submission) =>
      api.delete(id === null ? '/account/sessions' : `/account/sessions/${id}`, submission),
    onSuccess: (_answer, id) => say(id === null ? texts.othersEnded : texts.ended),
    onError: complain,
    onSettled: () => client.invalidateQueries({ queryKey: accountQuery.queryKey }),
  })
  const others = query.data?.sessions.some(({ current }) => !current)

  return (
    <Card className="pb-3">
      <CardHeader
        title={texts.sessions}
        actions={
          others && (
            <Button small busy={end.isPending} onClick={() => end.mutate(null)}>
              {texts.endOthers}
            </Button>
          )
        }
      />
      <Loaded query={query}>
        {({ sessions }) => (
          <>
            <ul className="divide-y divide-line px-5">
              {sessions
                .slice(0, all ? undefined : shownFirst)
                .map(({ id, userAgent, ipAddress, lastUsedAt, current }) => (
                  <li key={id} className="flex min-h-14 flex-wrap items-center gap-x-3 gap-y-1 py-2">
                    <div className="min-w-0 flex-1">
                      <p className="font-medium">{browserName(userAgent)}</p>
                      <p className="text-[0.87rem] text-ink-soft">
                        {[ipAddress, texts.lastUsed(formatAgo(lastUsedAt))].filter(Boolean).join(', ')}
                      </p>
                    </div>
                    {current ? (
                      <Badge tone="good">{texts.thisOne}</Badge>
                    ) : (
                      <Button
                        small
                        aria-label={texts.endOf(browserName(userAgent))}
                        busy={end.isPending && end.variables === id}
                        onClick={() => end.mutate(id)}
                      >
                        {texts.end}
                      </Button>
                    )}
                  </li>
                ))}
            </ul>
            {!all && sessions.length > shownFirst && (
              <Button kind="quiet" className="mx-3" onClick={() => setAll(true)}>
                {common.showMore}
              </Button>
            )}
          </>
        )}
      </Loaded>
    </Card>
  )
}
