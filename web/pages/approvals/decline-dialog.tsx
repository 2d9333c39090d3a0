import { useState } from 'react'
import { api } from '../../api/client.ts'
import { useSubmit } from '../../api/use-submit.ts'
import type { AgentProposalResponse } from '../../approvals/use-approvals.ts'
import { approvals as texts } from '../../texts/en/approvals.ts'
import { Field, TextArea } from '../../ui/field.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { useToasts } from '../../ui/toast.tsx'

interface DeclineDialogProps {
  proposal: AgentProposalResponse
  onClose: () => void
  onDeclined: () => void
}

/** Asks why. */
export function DeclineDialog({ proposal: { id, summary }, onClose, onDeclined }: DeclineDialogProps) {
  const [reason, setReason] = useState('')
  const { say } = useToasts()
  const decline = useSubmit({
    mutationFn: (_, submission) =>
      api.post<AgentProposalResponse>(`/agent-proposals/${id}/decline`, { reason }, submission),
    onSuccess: () => {
      say(texts.declined(summary))
      onDeclined()
    },
  })
  return (
    <FormDialog
      title={texts.declineTitle}
      description={summary}
      sending={decline}
      confirm={texts.declineConfirm}
      kind="danger"
      disabled={reason.trim() === ''}
      onClose={onClose}
    >
      <Field label={texts.declineReason} hint={texts.declineHint}>
        <TextArea
          rows={3}
          maxLength={500}
          value={reason}
          onChange={(event) => setReason(event.target.value)}
          autoFocus
          required
        />
      </Field>
    </FormDialog>
  )
}
