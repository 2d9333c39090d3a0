import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { AccountResponse, LeaveResponse } from '../../../src/api/console/account.ts'
import { api } from '../../api/client.ts'
import { useSubmit } from '../../api/use-submit.ts'
import { account as texts } from '../../texts/en/account.ts'
import { Button } from '../../ui/button.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { Loaded } from '../../ui/states.tsx'
import { Badge, Card, CardHeader } from '../../ui/surface.tsx'
import { useToasts } from '../../ui/toast.tsx'
import { accountQuery } from './account-query.ts'

type Membership = AccountResponse['choices'][number]

/** For whom somebody works here, and the way out. */
export function CompaniesCard() {
  const query = useQuery(accountQuery)
  const [leaving, setLeaving] = useState<Membership | null>(null)
  return (
    <Card>
      <CardHeader title={texts.companies}>{texts.companiesNote}</CardHeader>
      <Loaded query={query}>
        {({ choices }) => (
          <>
            <ul className="divide-y divide-line/70 px-5 pb-3">
              {choices.map((one) => (
                <li key={one.memberId} className="flex min-h-13 flex-wrap items-center gap-x-3 gap-y-1 py-2">
                  <span className="min-w-0 flex-1">{one.companyName}</span>
                  {one.current && <Badge tone="info">{texts.here}</Badge>}
                  <Button small aria-label={texts.leaveOf(one.companyName)} onClick={() => setLeaving(one)}>
                    {texts.leave}
                  </Button>
                </li>
              ))}
            </ul>
            {leaving && (
              <LeaveDialog
                membership={leaving}
                isOnly={choices.length === 1}
                onClose={() => setLeaving(null)}
              />
            )}
          </>
        )}
      </Loaded>
    </Card>
  )
}

interface LeaveDialogProps {
  membership: Membership
  /** They work for nobody else here. */
  isOnly: boolean
  onClose: () => void
}

function LeaveDialog({ membership: { memberId, companyName, current }, isOnly, onClose }: LeaveDialogProps) {
  const client = useQueryClient()
  const { say } = useToasts()
  const leave = useSubmit({
    mutationFn: async (_, submission) => {
      const { choices } = await api.post<LeaveResponse>(
        `/account/memberships/${memberId}/leave`,
        {},
        submission,
      )
      const [next] = choices
      // Everything again: nothing of the company that was left stays in the page.
      if (!next) return location.assign('/sign-in')
      if (current) {
        // Where this fails they come to whichever they used last.
        await api.post('/session/company', { memberId: next.memberId }).catch(() => {})
        return location.assign('/')
      }
      await Promise.all(
        [accountQuery.queryKey, ['session']].map((queryKey) => client.invalidateQueries({ queryKey })),
      )
      say(texts.left(companyName))
      onClose()
    },
  })
  return (
    <FormDialog
      title={texts.leaveTitle(companyName)}
      description={texts.leaveNote(companyName)}
      sending={leave}
      confirm={texts.leaveOf(companyName)}
      kind="danger"
      onClose={onClose}
    >
      <p>{texts.leaveStays}</p>
      {isOnly && <p className="font-medium">{texts.leaveLast}</p>}
    </FormDialog>
  )
}
