import { useState } from 'react'
import { api } from '../../../api/client.ts'
import { useSubmit } from '../../../api/use-submit.ts'
import { common } from '../../../texts/en/common.ts'
import { webhooks as texts } from '../../../texts/en/webhooks.ts'
import { TextField } from '../../../ui/field.tsx'
import { FormDialog } from '../../../ui/form-dialog.tsx'
import { useRecordForm } from '../../../ui/record-form.ts'
import { EventChoice } from './event-choice.tsx'
import { eventWords, type SecretResponse, type WebhookResponse } from './use-webhooks.ts'

interface WebhookFormProps {
  /** The one that is edited; a new one where it is absent. */
  webhook?: WebhookResponse
  onClose: () => void
  onMade?: (made: SecretResponse) => void
  onChanged?: () => void
}

/** One text, in an order that says nothing: so the server tells, too, what they are now. */
const asText = (events: readonly string[]) => [...events].sort().join(' ')
const asEvents = (text: string) => text.split(' ').filter(Boolean)

const labels = { url: texts.url, description: texts.description, events: texts.events }

export function WebhookForm({ webhook, onClose, onMade, onChanged }: WebhookFormProps) {
  const saved = {
    url: webhook?.url ?? '',
    description: webhook?.description ?? '',
    events: asText(webhook?.events ?? ['*']),
  }
  const record = useRecordForm(`webhook-${webhook?.id ?? 'new'}`, saved, (field) => [
    labels[field],
    field === 'events' ? eventWords(asEvents(saved.events)) : saved[field],
  ])
  const { form, seen, mine, set, input, discard, meanwhile } = record
  const typed = { ...form, events: asEvents(form.events) }
  const [chosen, setChosen] = useState(true)
  const save = useSubmit({
    // Answers nothing: what it answers is kept for a while, and the secret must not be.
    mutationFn: async (_, submission) => {
      if (webhook) {
        const changed = { ...mine, ...(mine.events === undefined ? {} : { events: typed.events }) }
        if (Object.keys(mine).length > 0)
          await api.patch(`/webhooks/${webhook.id}`, { ...changed, seen }, submission)
        discard()
        onChanged?.()
      } else {
        const made = await api.post<SecretResponse>('/webhooks', typed, submission)
        discard()
        onMade?.(made)
      }
    },
  })

  function close() {
    discard()
    onClose()
  }

  return (
    <FormDialog
      title={webhook ? texts.edit : texts.add}
      description={webhook ? undefined : texts.addNote}
      sending={save}
      onSubmit={() => {
        setChosen(typed.events.length > 0)
        if (typed.events.length > 0) save.mutate()
      }}
      error={null}
      meanwhile={meanwhile}
      confirm={webhook ? common.save : texts.add}
      onClose={close}
    >
      <TextField
        label={texts.url}
        hint={texts.urlHint}
        error={meanwhile.theirs.length > 0 && !save.isPending ? null : save.error?.message}
        type="url"
        placeholder="https://"
        autoComplete="off"
        maxLength={2048}
        autoFocus
        required
        {...input('url')}
      />
      <TextField
        label={texts.description}
        hint={texts.descriptionHint}
        autoComplete="off"
        maxLength={200}
        {...input('description')}
      />
      <EventChoice
        events={typed.events}
        problem={chosen ? null : texts.chooseEvents}
        onChange={(events) => {
          setChosen(true)
          set({ events: asText(events) })
        }}
      />
    </FormDialog>
  )
}
