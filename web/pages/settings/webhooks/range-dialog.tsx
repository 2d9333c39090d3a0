import { useState } from 'react'
import { api } from '../../../api/client.ts'
import { useSubmit } from '../../../api/use-submit.ts'
import { webhooks as texts } from '../../../texts/en/webhooks.ts'
import { TextField } from '../../../ui/field.tsx'
import { FormDialog } from '../../../ui/form-dialog.tsx'

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
    mutationFn: (_, submission) =>
      api.post<{ redelivered: number }>(
        `/webhooks/${id}/redeliver`,
        {
          since: new Date(since).toISOString(),
          until: new Date(until).toISOString(),
        },
        submission,
      ),
    onSuccess: ({ redelivered }) => onRedelivered(redelivered),
  })

  const time = { type: 'datetime-local', max: '9999-12-31T00:00', required: true }
  return (
    <FormDialog
      title={texts.rangeTitle}
      description={texts.rangeNote}
      sending={redeliver}
      error={null}
      confirm={texts.redeliver}
      onClose={onClose}
    >
      <TextField label={texts.since} value={since} onChange={setSince} {...time} />
      <TextField
        label={texts.until}
        error={redeliver.error?.message}
        value={until}
        onChange={setUntil}
        {...time}
      />
    </FormDialog>
  )
}
