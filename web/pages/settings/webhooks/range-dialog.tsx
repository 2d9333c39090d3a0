import { type FormEvent, useState } from 'react'
import { api } from '../../../api/client.ts'
import { useSubmit } from '../../../api/use-submit.ts'
import { common } from '../../../texts/en/common.ts'
import { webhooks as texts } from '../../../texts/en/webhooks.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog, DialogActions } from '../../../ui/dialog.tsx'
import { Field, TextInput } from '../../../ui/field.tsx'

interface RangeDialogProps {
  id: string
  onClose: () => void
  onRedelivered: (count: number) => void
}

const dayMs = 86_400_000
const minuteMs = 60_000

/** As the browser's own field wants it, by the clock of whoever looks. */
function localText(ms: number): string {
  const offset = new Date(ms).getTimezoneOffset() * minuteMs
  return new Date(ms - offset).toISOString().slice(0, 16)
}

export function RangeDialog({ id, onClose, onRedelivered }: RangeDialogProps) {
  const [since, setSince] = useState(() => localText(Date.now() - dayMs))
  const [until, setUntil] = useState(() => localText(Date.now() + minuteMs))
  const redeliver = useSubmit({
    mutationFn: (_, once) =>
      api.post<{ redelivered: number }>(
        `/webhooks/${id}/redeliver`,
        {
          since: new Date(since).toISOString(),
          until: new Date(until).toISOString(),
        },
        once,
      ),
    onSuccess: ({ redelivered }) => onRedelivered(redelivered),
  })

  function submit(event: FormEvent) {
    event.preventDefault()
    redeliver.mutate()
  }

  return (
    <Dialog open onClose={onClose} title={texts.rangeTitle} description={texts.rangeNote}>
      <form onSubmit={submit} className="flex flex-col gap-4">
        <Field label={texts.since}>
          <TextInput
            type="datetime-local"
            value={since}
            max="9999-12-31T00:00"
            onChange={(event) => setSince(event.target.value)}
            required
          />
        </Field>
        <Field label={texts.until} error={redeliver.error?.message}>
          <TextInput
            type="datetime-local"
            value={until}
            max="9999-12-31T00:00"
            onChange={(event) => setUntil(event.target.value)}
            required
          />
        </Field>
        <DialogActions>
          <Button onClick={onClose}>{common.cancel}</Button>
          <Button kind="primary" type="submit" busy={redeliver.isPending}>
            {texts.redeliver}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
