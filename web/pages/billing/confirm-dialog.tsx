import { useQueryClient } from '@tanstack/react-query'
import type { SubmissionKey } from '../../api/client.ts'
import { useSubmit } from '../../api/use-submit.ts'
import { billing as texts } from '../../texts/en/billing.ts'
import type { ButtonKind } from '../../ui/button.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { useToasts } from '../../ui/toast.tsx'
import { billingKey } from './use-billing.ts'

interface ConfirmDialogProps<T> {
  title: string
  /** What it does. */
  note: string
  confirm: string
  kind: ButtonKind
  work: (submission: SubmissionKey) => Promise<T>
  done: (result: T) => string
  onDone?: () => Promise<void>
  onClose: () => void
}

/** Asks first. What is refused is said, and the page then shows the present state. */
export function ConfirmDialog<T>(props: ConfirmDialogProps<T>) {
  const { title, note, confirm, kind, work, done, onDone, onClose } = props
  const { say } = useToasts()
  const client = useQueryClient()
  const asked = useSubmit({
    mutationFn: (_, submission) => work(submission),
    onSuccess: async (result) => {
      say(done(result))
      onClose()
      await onDone?.()
    },
    onSettled: () => client.invalidateQueries({ queryKey: billingKey }),
  })
  return (
    <FormDialog
      title={title}
      description={note}
      sending={asked}
      confirm={confirm}
      kind={kind}
      leave={texts.asItIs}
      onClose={onClose}
    />
  )
}
