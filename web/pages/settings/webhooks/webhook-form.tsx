import { type FormEvent, useState } from 'react'
import { api } from '../../../api/client.ts'
import { useSubmit } from '../../../api/use-submit.ts'
import { common } from '../../../texts/en/common.ts'
import { webhooks as texts } from '../../../texts/en/webhooks.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog, DialogActions } from '../../../ui/dialog.tsx'
import { Field, TextInput } from '../../../ui/field.tsx'
import { EventChoice } from './event-choice.tsx'
import type { SecretShown, WebhookShown } from './use-webhooks.ts'

interface WebhookFormProps {
  /** The one that is edited; a new one where it is absent. */
  webhook?: WebhookShown
  onClose: () => void
  onMade?: (made: SecretShown) => void
  onChanged?: () => void
}

export function WebhookForm({ webhook, onClose, onMade, onChanged }: WebhookFormProps) {
  const [typed, setTyped] = useState({
    url: webhook?.url ?? '',
    description: webhook?.description ?? '',
    events: webhook?.events ?? ['*'],
  })
  const [chosen, setChosen] = useState(true)
  const set = (change: Partial<typeof typed>) => setTyped({ ...typed, ...change })
  const save = useSubmit({
    // Answers nothing: what it answers is kept for a while, and the secret must not be.
    mutationFn: async (_, once) => {
      if (webhook) {
        await api.patch(`/webhooks/${webhook.id}`, typed, once)
        onChanged?.()
      } else onMade?.(await api.post<SecretShown>('/webhooks', typed, once))
    },
  })

  function submit(event: FormEvent) {
    event.preventDefault()
    setChosen(typed.events.length > 0)
    if (typed.events.length > 0) save.mutate()
  }

  return (
    <Dialog
      open
      onClose={onClose}
      title={webhook ? texts.edit : texts.add}
      description={webhook ? undefined : texts.addNote}
    >
      <form onSubmit={submit} className="flex flex-col gap-4">
        <Field label={texts.url} hint={texts.urlHint} error={save.error?.message}>
          <TextInput
            type="url"
            value={typed.url}
            onChange={(event) => set({ url: event.target.value })}
            placeholder="https://"
            autoComplete="off"
            maxLength={2048}
            autoFocus
            required
          />
        </Field>
        <Field label={texts.description} hint={texts.descriptionHint}>
          <TextInput
            value={typed.description}
            onChange={(event) => set({ description: event.target.value })}
            autoComplete="off"
            maxLength={200}
          />
        </Field>
        <EventChoice
          events={typed.events}
          problem={chosen ? null : texts.chooseEvents}
          onChange={(events) => {
            setChosen(true)
            set({ events })
          }}
        />
        <DialogActions>
          <Button onClick={onClose}>{common.cancel}</Button>
          <Button kind="primary" type="submit" busy={save.isPending}>
            {webhook ? common.save : texts.add}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
