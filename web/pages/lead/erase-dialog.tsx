import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { useSubmit } from '../../api/use-submit.ts'
import { type PrivacyResponse, privacyQuery, useErased } from '../../privacy/use-privacy.ts'
import { privacy as texts } from '../../texts/en/privacy.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { DialogForm } from '../../ui/form-dialog.tsx'
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

function Erase({ kept, onClose }: { kept: PrivacyResponse; onClose: () => void }) {
  const { say } = useToasts()
  const erased = useErased(kept.leadId)
  const [typed, setTyped] = useState('')
  const erase = useSubmit({
    mutationFn: (_, submission) => api.post(`/leads/${kept.leadId}/erase`, { name: kept.name }, submission),
    onSuccess: async () => {
      await erased()
      say(texts.done)
      onClose()
    },
  })

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
    <DialogForm
      sending={erase}
      error={kept.billed ? texts.billed : null}
      confirm={texts.erase}
      kind="danger"
      disabled={kept.billed || !isTyped}
      onClose={onClose}
    >
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
      {!kept.billed && (
        <TextField
          label={texts.typeName(wanted)}
          error={erase.error?.message}
          value={typed}
          onChange={setTyped}
          autoComplete="off"
        />
      )}
    </DialogForm>
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
