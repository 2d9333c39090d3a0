import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { FeedResponse, NewFeedResponse } from '../../../src/api/console/calendar.ts'
import { api } from '../../api/client.ts'
import { useSubmit } from '../../api/use-submit.ts'
import { account as texts } from '../../texts/en/account.ts'
import { common } from '../../texts/en/common.ts'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { Field, TextInput } from '../../ui/field.tsx'
import { formatDay } from '../../ui/format.ts'
import { Loaded, LoadingRows } from '../../ui/states.tsx'
import { Card, CardHeader } from '../../ui/surface.tsx'
import { useToasts } from '../../ui/toast.tsx'

const feedKey = ['calendar-feed']

/** The secret address from which other programs read this member's calendar. */
export function CalendarCard() {
  const client = useQueryClient()
  const { say, complain } = useToasts()
  const [address, setAddress] = useState<string | null>(null)
  const query = useQuery({
    queryKey: feedKey,
    queryFn: ({ signal }) => api.get<FeedResponse>('/calendar/feed', { signal }),
  })
  const refresh = () => client.invalidateQueries({ queryKey: feedKey })
  const make = useSubmit({
    mutationFn: (_, submission) => api.post<NewFeedResponse>('/calendar/feed', {}, submission),
    onSuccess: (made) => setAddress(made.address),
    onError: complain,
    onSettled: refresh,
  })
  const remove = useSubmit({
    mutationFn: (_, submission) => api.delete('/calendar/feed', submission),
    onSuccess: () => say(texts.addressRemoved),
    onError: complain,
    onSettled: refresh,
  })

  return (
    <Card className="pb-5">
      <div id="calendar" className="scroll-mt-6">
        <CardHeader title={texts.calendar}>{texts.calendarNote}</CardHeader>
      </div>
      <Loaded query={query} loading={<LoadingRows rows={1} />}>
        {({ since }) => (
          <div className="px-5">
            <p>
              {since ? `${texts.calendarSince(formatDay(since))} ${texts.renewNote}` : texts.calendarNone}
            </p>
            <div className="flex flex-wrap gap-2 pt-3">
              <Button busy={make.isPending} onClick={() => make.mutate()}>
                {since ? texts.renewAddress : texts.makeAddress}
              </Button>
              {since && (
                <Button kind="danger" busy={remove.isPending} onClick={() => remove.mutate()}>
                  {texts.removeAddress}
                </Button>
              )}
            </div>
          </div>
        )}
      </Loaded>
      {address && (
        <Dialog open onClose={() => setAddress(null)} title={texts.address} description={texts.addressNote}>
          <Field label={texts.address} labelHidden>
            <TextInput
              readOnly
              value={address}
              onFocus={(event) => event.target.select()}
              className="font-mono text-[0.87rem]"
            />
          </Field>
          <DialogActions>
            <CopyButton text={address} label={texts.copy} done={texts.copied} small={false} />
            <Button kind="primary" onClick={() => setAddress(null)}>
              {common.close}
            </Button>
          </DialogActions>
        </Dialog>
      )}
    </Card>
  )
}
