import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, type KeyboardEvent, useState } from 'react'
import { api } from '../api/client.ts'
import { useSubmit } from '../api/use-submit.ts'
import { useSession } from '../session/session.tsx'
import { activity as texts } from '../texts/en/activity.ts'
import { common } from '../texts/en/common.ts'
import { Button } from '../ui/button.tsx'
import { useDraft } from '../ui/draft.ts'
import { Field, Select, TextArea } from '../ui/field.tsx'

interface NoteFormProps {
  leadId: string
  replyTo?: { id: string; author: string }
  /** For a reply: it was sent, or thought better of. */
  onClose?: () => void
}

type Audience = keyof typeof texts.audiences

/** Where a note or a reply is written. What is typed is kept until it is sent. */
export function NoteForm({ leadId, replyTo, onClose }: NoteFormProps) {
  const { can } = useSession()
  const client = useQueryClient()
  const draft = useDraft(replyTo ? `reply-${replyTo.id}` : `note-${leadId}`, '')
  const [audience, setAudience] = useState<Audience>('team')
  const [touched, setTouched] = useState(draft.begun)
  const send = useSubmit({
    mutationFn: (_, submission) =>
      api.post(
        `/leads/${leadId}/notes`,
        {
          body: draft.value,
          ...(replyTo ? { replyTo: replyTo.id } : {}),
          ...(audience === 'internal' ? { internal: true } : {}),
          ...(audience === 'customer' ? { customerFacing: true } : {}),
        },
        submission,
      ),
    onSuccess: async () => {
      draft.discard()
      setAudience('team')
      await client.invalidateQueries({ queryKey: ['activities', leadId] })
      onClose?.()
    },
  })
  const empty = draft.value.trim() === ''
  const open = touched || Boolean(replyTo)
  const audiences = (['team', 'internal', 'customer'] as const).filter(
    (one) => one !== 'internal' || can.settings,
  )

  function submit(event: FormEvent) {
    event.preventDefault()
    if (!empty && !send.isPending) send.mutate()
  }

  function cancel() {
    draft.discard()
    setTouched(false)
    onClose?.()
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) submit(event)
    if (event.key === 'Escape' && empty) cancel()
  }

  return (
    <form onSubmit={submit} className="flex flex-col gap-2">
      <Field
        label={replyTo ? texts.replyTo(replyTo.author) : texts.write}
        labelHidden
        error={send.error?.message}
      >
        <TextArea
          rows={open ? 3 : 1}
          className={open ? '' : 'resize-none'}
          maxLength={20_000}
          placeholder={replyTo ? texts.replyHint : texts.writeHint}
          value={draft.value}
          readOnly={send.isPending}
          autoFocus={Boolean(replyTo)}
          onFocus={() => setTouched(true)}
          onChange={(event) => draft.write(event.target.value)}
          onKeyDown={onKeyDown}
        />
      </Field>
      {open && (
        <div className="flex flex-wrap items-center justify-end gap-2">
          {!replyTo && (
            <Field label={texts.audience} labelHidden className="mr-auto">
              <Select
                className="min-h-8! max-w-36 pr-1! pl-2! text-[0.87rem]"
                value={audience}
                title={texts.audienceNotes[audience]}
                onChange={(event) => setAudience(event.target.value as Audience)}
              >
                {audiences.map((one) => (
                  <option key={one} value={one}>
                    {texts.audiences[one]}
                  </option>
                ))}
              </Select>
            </Field>
          )}
          <Button small kind="quiet" onClick={cancel}>
            {common.cancel}
          </Button>
          <Button
            small
            kind="primary"
            type="submit"
            title={texts.keys}
            disabled={empty}
            busy={send.isPending}
          >
            {replyTo ? texts.sendReply : texts.send}
          </Button>
        </div>
      )}
    </form>
  )
}
