import { type FormEvent, useState } from 'react'
import { api } from '../../../api/client.ts'
import { useSubmit } from '../../../api/use-submit.ts'
import { common } from '../../../texts/en/common.ts'
import { webhooks as texts } from '../../../texts/en/webhooks.ts'
import { Button } from '../../../ui/button.tsx'
import { ChangedMeanwhile } from '../../../ui/changed-meanwhile.tsx'
import { Dialog, DialogActions } from '../../../ui/dialog.tsx'
import { Field, TextInput } from '../../../ui/field.tsx'
import { useRecordForm } from '../../../ui/record-form.ts'
import { EventChoice } from './event-choice.tsx'
import { eventWords, type SecretShown, type WebhookShown } from './use-webhooks.ts'

interface WebhookFormProps {
  /** The one that is edited; a new one where it is absent. */
  webhook?: WebhookShown
  onClose: () => void
  onMade?: (made: SecretShown) => void
  onChanged?: () => void
}

/** One text, in an order that says nothing: so the server tells, too, what they are now. */
const asText = (events: readonly string[]) => [...events].sort().join(' ')
const asEvents = (text: string) => text.split(' ').filter(Boolean)

const labels = { url: texts.url, description: texts.description, events: texts.events }
const shownOf = (field: keyof typeof labels, text: string) =>
  field === 'events' ? eventWords(asEvents(text)) : text

export function WebhookForm({ webhook, onClose, onMade, onChanged }: WebhookFormProps) {
  const saved = {
    url: webhook?.url ?? '',
    description: webhook?.description ?? '',
    events: asText(webhook?.events ?? ['*']),
  }
  const { form, seen, names, theirs, set, keepMine, discard } = useRecordForm(
    `webhook-${webhook?.id ?? 'new'}`,
    saved,
  )
  const typed = { ...form, events: asEvents(form.events) }
  const [chosen, setChosen] = useState(true)
  const save = useSubmit({
    // Answers nothing: what it answers is kept for a while, and the secret must not be.
    mutationFn: async (_, once) => {
      if (webhook) {
        const mine = names.filter((name) => form[name] !== seen[name])
        const changed = Object.fromEntries(mine.map((name) => [name, typed[name]]))
        if (mine.length > 0) await api.patch(`/webhooks/${webhook.id}`, { ...changed, seen }, once)
        discard()
        onChanged?.()
      } else {
        const made = await api.post<SecretShown>('/webhooks', typed, once)
        discard()
        onMade?.(made)
      }
    },
  })

  function close() {
    discard()
    onClose()
  }

  function submit(event: FormEvent) {
    event.preventDefault()
    setChosen(typed.events.length > 0)
    if (typed.events.length > 0 && theirs.length === 0) save.mutate()
  }

  const overtaken = theirs.length > 0 && !save.isPending
  return (
    <Dialog
      open
      onClose={close}
      title={webhook ? texts.edit : texts.add}
      description={webhook ? undefined : texts.addNote}
    >
      <form onSubmit={submit} className="flex flex-col gap-4">
        <Field label={texts.url} hint={texts.urlHint} error={overtaken ? null : save.error?.message}>
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
            set({ events: asText(events) })
          }}
        />
        {overtaken && (
          <ChangedMeanwhile
            theirs={theirs.map((field) => [labels[field], shownOf(field, saved[field])])}
            onKeep={keepMine}
            onDiscard={discard}
          />
        )}
        <DialogActions>
          <Button onClick={close}>{common.cancel}</Button>
          <Button kind="primary" type="submit" busy={save.isPending}>
            {webhook ? common.save : texts.add}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
