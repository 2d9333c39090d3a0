import { api } from '../../../api/client.ts'
import { useSubmit } from '../../../api/use-submit.ts'
import { company as texts } from '../../../texts/en/company.ts'
import { FormDialog } from '../../../ui/form-dialog.tsx'
import { useToasts } from '../../../ui/toast.tsx'
import { type CompanyResponse, useCompanyChanged } from './use-company.ts'

interface SuspendDialogProps {
  dealer: CompanyResponse
  onClose: () => void
}

/** Says what suspending does before it is done. */
export function SuspendDialog({ dealer: { id, name }, onClose }: SuspendDialogProps) {
  const { say } = useToasts()
  const changed = useCompanyChanged()
  const suspend = useSubmit({
    mutationFn: (_, submission) => api.post(`/companies/${id}/suspend`, {}, submission),
    onSuccess: async () => {
      await changed()
      say(texts.suspended(name))
      onClose()
    },
  })
  return (
    <FormDialog
      title={texts.suspendTitle(name)}
      description={texts.suspendNote}
      sending={suspend}
      confirm={texts.suspend}
      kind="danger"
      onClose={onClose}
    >
      <ul className="list-disc space-y-1 pl-5">
        {texts.suspendEffects.map((effect) => (
          <li key={effect}>{effect}</li>
        ))}
      </ul>
    </FormDialog>
  )
}
