import { useQuery, useQueryClient } from '@tanstack/react-query'
import { EyeOff } from 'lucide-react'
import type { ReactNode } from 'react'
import { api } from '../../../api/client.ts'
import { useSubmit } from '../../../api/use-submit.ts'
import { mail as texts } from '../../../texts/en/mail.ts'
import { Button } from '../../../ui/button.tsx'
import { CopyButton } from '../../../ui/copy-button.tsx'
import { Dialog, DialogActions } from '../../../ui/dialog.tsx'
import { formatTime } from '../../../ui/format.ts'
import { Loaded } from '../../../ui/states.tsx'
import { Badge } from '../../../ui/surface.tsx'
import { useToasts } from '../../../ui/toast.tsx'
import { UnbrokenText } from '../../../ui/unbroken-text.tsx'
import { type MailResponse, mailQuery, mailsKey, stateTones } from './use-mails.ts'

interface MailDialogProps {
  id: string
  title: string
  onClose: () => void
}

/** One mail as it was written. */
export function MailDialog({ id, title, onClose }: MailDialogProps) {
  const query = useQuery(mailQuery(id))
  return (
    <Dialog open onClose={onClose} title={title} wide>
      <Loaded query={query}>{(mail) => <Mail mail={mail} />}</Loaded>
    </Dialog>
  )
}

function Mail({ mail }: { mail: MailResponse }) {
  const client = useQueryClient()
  const { say, complain } = useToasts()
  const again = useSubmit({
    mutationFn: (_, submission) => api.post(`/mails/${mail.id}/again`, {}, submission),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: mailsKey })
      say(texts.sentAgain)
    },
    onError: complain,
  })
  const { to, state, createdAt, sentAt, nextAttemptAt, attempts, lastError, body, hidesLink } = mail
  return (
    <>
      <dl className="flex flex-col gap-1.5">
        <Fact name={texts.columns.to}>
          <UnbrokenText>{to}</UnbrokenText>
        </Fact>
        <Fact name={texts.columns.state}>
          <Badge tone={stateTones[state]}>{texts.states[state]}</Badge>
        </Fact>
        <Fact name={texts.written}>{formatTime(createdAt)}</Fact>
        {sentAt && <Fact name={texts.sentAt}>{formatTime(sentAt)}</Fact>}
        {attempts > 0 && <Fact name={texts.attempts}>{attempts}</Fact>}
        {attempts > 0 && state === 'queued' && (
          <Fact name={texts.nextAttempt}>{formatTime(nextAttemptAt)}</Fact>
        )}
        {lastError && state !== 'sent' && (
          <Fact name={texts.error}>
            <span className="text-bad">{lastError}</span>
          </Fact>
        )}
      </dl>
      {hidesLink && (
        <p className="mt-4 flex items-start gap-2 rounded-lg bg-info-soft px-3 py-2 text-info">
          <EyeOff className="mt-0.5 size-4 shrink-0" aria-hidden />
          {texts.hidden}
        </p>
      )}
      <MailText text={body || texts.cleared} />
      <DialogActions>
        {!hidesLink && body !== '' && <CopyButton text={body} label={texts.copy} done={texts.copied} />}
        {state === 'failed' && (
          <Button kind="primary" busy={again.isPending} onClick={() => again.mutate()}>
            {texts.again}
          </Button>
        )}
      </DialogActions>
    </>
  )
}

/** Plain, as mails are. */
export function MailText({ text }: { text: string }) {
  return (
    <div className="mt-4 rounded-lg border border-line bg-sunken px-4 py-3 whitespace-pre-wrap">
      <UnbrokenText>{text.trim()}</UnbrokenText>
    </div>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="grid gap-x-4 sm:grid-cols-[9rem_1fr]">
      <dt className="text-ink-soft">{name}</dt>
      <dd className="min-w-0">{children}</dd>
    </div>
  )
}
