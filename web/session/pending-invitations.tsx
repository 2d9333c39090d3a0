import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { MailOpen } from 'lucide-react'
import type { InvitationResponse, InvitationsResponse } from '../../src/api/console/invitations.ts'
import { api } from '../api/client.ts'
import { useSubmit } from '../api/use-submit.ts'
import { common } from '../texts/en/common.ts'
import { invitation as texts } from '../texts/en/invitation.ts'
import { Button } from '../ui/button.tsx'
import { formatTime } from '../ui/format.ts'
import { useToasts } from '../ui/toast.tsx'

/** What the person's proven address is invited to. */
export const invitationsQuery = queryOptions({
  queryKey: ['invitations'],
  staleTime: 60_000,
  queryFn: ({ signal }) => api.get<InvitationsResponse>('/invitations', { signal, quiet: true }),
})

/** Companies that wait for a yes or a no; nothing where there is none. */
export function PendingInvitations({ onAccepted }: { onAccepted?: () => void }) {
  const { data } = useQuery(invitationsQuery)
  if (!data?.invitations.length) return null
  return (
    <section aria-label={texts.pending} className="border-b border-line bg-raised">
      <ul className="divide-y divide-line px-4 sm:px-6">
        {data.invitations.map((one) => (
          <Pending key={one.id} invitation={one} onAccepted={onAccepted} />
        ))}
      </ul>
    </section>
  )
}

interface PendingProps {
  invitation: InvitationResponse
  onAccepted: (() => void) | undefined
}

function Pending({ invitation: { id, company, role, from, expiresAt }, onAccepted }: PendingProps) {
  const client = useQueryClient()
  const { say, complain } = useToasts()
  const answer = useSubmit({
    mutationFn: (how: 'accept' | 'decline', submission) =>
      api.post(`/invitations/${id}/${how}`, {}, submission),
    onSuccess: async (_, how) => {
      if (how === 'accept' && onAccepted) return onAccepted()
      say(how === 'accept' ? texts.accepted(company) : texts.declined(company))
      await Promise.all(
        [invitationsQuery.queryKey, ['session']].map((queryKey) => client.invalidateQueries({ queryKey })),
      )
    },
    onError: complain,
  })
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3">
      <p className="flex min-w-0 flex-1 basis-60 items-center gap-3">
        <MailOpen className="size-5 shrink-0 text-ink-soft" aria-hidden />
        <span>
          <span className="font-medium">{texts.title(company)}</span>{' '}
          <span className="text-ink-soft">
            {texts.as(common.roles[role], from)}. {texts.until(formatTime(expiresAt))}
          </span>
        </span>
      </p>
      <div className="flex gap-2">
        <Button
          small
          kind="primary"
          aria-label={texts.acceptOf(company)}
          busy={answer.isPending && answer.variables === 'accept'}
          onClick={() => answer.mutate('accept')}
        >
          {texts.accept}
        </Button>
        <Button
          small
          aria-label={texts.declineOf(company)}
          busy={answer.isPending && answer.variables === 'decline'}
          onClick={() => answer.mutate('decline')}
        >
          {texts.decline}
        </Button>
      </div>
    </li>
  )
}
