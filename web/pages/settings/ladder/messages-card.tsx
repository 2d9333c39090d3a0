import { Plus } from 'lucide-react'
import { ladder as texts } from '../../../texts/en/ladder.ts'
import { Button } from '../../../ui/button.tsx'
import { Field, TextArea, TextInput } from '../../../ui/field.tsx'
import { Card, CardHeader } from '../../../ui/surface.tsx'
import type { StageMessage } from './use-ladders.ts'
import { usePreview } from './use-preview.ts'

interface MessagesCardProps {
  /** The stage's name, as it is just now. */
  stage: string
  messages: readonly StageMessage[]
  placeholders: readonly string[]
  onChange: (messages: StageMessage[]) => void
}

const maxMessages = 5

export function MessagesCard({ stage, messages, placeholders, onChange }: MessagesCardProps) {
  return (
    <Card>
      <CardHeader title={texts.messages}>
        {texts.messagesNote(placeholders.map((name) => `{${name}}`).join(', '))}
      </CardHeader>
      <div className="flex flex-col gap-5 px-5 pt-1 pb-5">
        {messages.length === 0 && <p className="text-ink-soft">{texts.noMessages}</p>}
        {messages.map((message, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a message is known by its place while it is typed
          <section key={place} aria-label={texts.message(place + 1)} className="grid gap-4 md:grid-cols-2">
            <div className="flex flex-col gap-3">
              <Field label={texts.subject}>
                <TextInput
                  value={message.subject}
                  onChange={(event) =>
                    onChange(messages.with(place, { ...message, subject: event.target.value }))
                  }
                  maxLength={200}
                  autoComplete="off"
                  required
                />
              </Field>
              <Field label={texts.body}>
                <TextArea
                  value={message.body}
                  onChange={(event) =>
                    onChange(messages.with(place, { ...message, body: event.target.value }))
                  }
                  rows={6}
                  maxLength={10_000}
                  required
                />
              </Field>
              <div>
                <Button small kind="quiet" onClick={() => onChange(messages.toSpliced(place, 1))}>
                  {texts.removeMessage}
                </Button>
              </div>
            </div>
            <Preview stage={stage} message={message} />
          </section>
        ))}
        {messages.length < maxMessages && (
          <div>
            <Button small kind="quiet" onClick={() => onChange([...messages, { subject: '', body: '' }])}>
              <Plus className="size-4" aria-hidden />
              {texts.addMessage}
            </Button>
          </div>
        )}
      </div>
    </Card>
  )
}

/** The mail as the server writes it. */
function Preview({ stage, message }: { stage: string; message: StageMessage }) {
  const { data, error } = usePreview(stage, message)
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <p className="text-[0.87rem] font-medium text-ink-soft">{texts.preview}</p>
      <div aria-live="polite" className="flex-1 rounded-lg border border-line bg-sunken px-4 py-3">
        {error ? (
          <p className="text-bad">{error.message}</p>
        ) : data && message.subject && message.body ? (
          <>
            <p className="font-semibold">{data.subject}</p>
            <p className="pt-2 whitespace-pre-wrap">{data.body}</p>
          </>
        ) : (
          <p className="text-ink-soft">{texts.previewEmpty}</p>
        )}
      </div>
    </div>
  )
}
