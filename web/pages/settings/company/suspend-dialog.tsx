import { api } from '../../../api/client.ts'
import { useSubmit } from '../../../api/use-submit.ts'
import { common } from '../../../texts/en/common.ts'
import { company as texts } from '../../../texts/en/company.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog, DialogActions } from '../../../ui/dialog.tsx'
import { useToasts } from '../../../ui/toast.tsx'
import { type CompanyShown, useCompanyChanged } from './use-company.ts'

interface SuspendDialogProps {
  dealer: CompanyShown
  onClose: () => void
}

/** Says what suspending does before it is done. */
export function SuspendDialog({ dealer: { id, name }, onClose }: SuspendDialogProps) {
  const { say } = useToasts()
  const changed = useCompanyChanged()
  const suspend = useSubmit({
    mutationFn: (_, once) => api.post(`/companies/${id}/suspend`, {}, once),
    onSuccess: async () => {
      await changed()
      say(texts.suspended(name))
      onClose()
    },
  })
  return (
    <Dialog open onClose={onClose} title={texts.suspendTitle(name)} description={texts.suspendNote}>
      <ul className="list-disc space-y-1 pl-5">
        {texts.suspendEffects.map((effect) => (
          <li key={effect}>{effect}</li>
        ))}
      </ul>
      {suspend.error && (
        <p role="alert" className="pt-3 text-bad">
          {suspend.error.message}
        </p>
      )}
      <DialogActions>
        <Button onClick={onClose}>{common.cancel}</Button>
        <Button kind="danger" busy={suspend.isPending} onClick={() => suspend.mutate()}>
          {texts.suspend}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
