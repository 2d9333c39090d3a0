import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { api } from '../../api/client.ts'
import { useSubmit } from '../../api/use-submit.ts'
import { type PrivacyShown, privacyQuery, useErased } from '../../privacy/use-privacy.ts'
import { common } from '../../texts/en/common.ts'
import { privacy as texts } from '../../texts/en/privacy.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { Field, TextInput } from '../../ui/field.tsx'
import { Loaded } from '../../ui/states.tsx'
import { useToasts } from '../../ui/toast.tsx'

interface EraseDialogProps {
  leadId: string
  onClose: () => void
}

/** Says what goes and what stays, and asks for the name: it cannot be taken back. */
export function EraseDialog({ leadId, onClose }: EraseDialogProps) {
  const query = useQuery(privacyQuery(leadId))
  const title = texts.eraseTitle(query.data?.name ?? '')
  return (
    <Dialog open onClose={onClose} title={title} description={texts.eraseNote}>
      <Loaded query={query}>{(kept) => <Erase kept={kept} onClose={onClose} />}</Loaded>
    </Dialog>
  )
}

function Erase({ kept, onClose }: { kept: PrivacyShown; onClose: () => void }) {
  const { say } = useToasts()
  const erased = useErased(kept.leadId)
  const [typed, setTyped] = useState('')
  const erase = useSubmit({
    mutationFn: (_, once) => api.post(`/leads/${kept.leadId}/erase`, { name: kept.name }, once),
    onSuccess: async () => {
      await erased()
      say(texts.done)
      onClose()
    },
  })

  function submit(event: FormEvent) {
    event.preventDefault()
    erase.mutate()
  }

  const goes = [
    texts.contact,
    kept.entries > 0 && texts.entries(kept.entries),
    kept.mails > 0 && texts.mails(kept.mails),
    kept.files > 0 && texts.files(kept.files),
    kept.drafts > 0 && texts.drafts(kept.drafts),
    kept.events > 0 && texts.history(kept.events),
  ]
  const stays = [
    texts.record,
    kept.sold && texts.project,
    kept.invoices > 0 && texts.invoices(kept.invoices, kept.keepsInvoiceNames),
  ]
  const wanted = kept.name || texts.eraseWord
  const isTyped = typed.trim().toLowerCase() === wanted.toLowerCase()
  return (
    <form onSubmit={submit} className="flex flex-col gap-4">
      <Points title={texts.goes} points={goes} />
      <Points title={texts.stays} points={stays} />
      {kept.others.length > 0 && (
        <div>
          <p>{texts.otherLeads}</p>
          <ul className="list-disc pl-5">
            {kept.others.map(({ id, name }) => (
              <li key={id}>
                <Link to="/leads/$id" params={{ id }} className="text-action underline" onClick={onClose}>
                  {name || id}
                </Link>
              </li>
            ))}
          </ul>
        </div>
      )}
      {kept.billed ? (
        <p role="alert" className="text-bad">
          {texts.billed}
        </p>
      ) : (
        <Field label={texts.typeName(wanted)} error={erase.error?.message}>
          <TextInput value={typed} onChange={(event) => setTyped(event.target.value)} autoComplete="off" />
        </Field>
      )}
      <DialogActions>
        <Button onClick={onClose}>{common.cancel}</Button>
        <Button kind="danger" type="submit" busy={erase.isPending} disabled={kept.billed || !isTyped}>
          {texts.erase}
        </Button>
      </DialogActions>
    </form>
  )
}

function Points({ title, points }: { title: string; points: (string | false)[] }) {
  return (
    <div>
      <h3 className="font-medium">{title}</h3>
      <ul className="list-disc space-y-0.5 pl-5 text-ink-soft">
        {points
          .filter((point) => point !== false)
          .map((point) => (
            <li key={point}>{point}</li>
          ))}
      </ul>
    </div>
  )
}
