import type { FormEvent, ReactNode } from 'react'
import { common } from '../texts/en/common.ts'
import { Button, type ButtonKind } from './button.tsx'
import { ChangedMeanwhile, type ChangedMeanwhileProps } from './changed-meanwhile.tsx'
import { Dialog, DialogActions } from './dialog.tsx'
import { Problem } from './problem.tsx'

/** How far what a form sends is, as api/use-submit.ts says it. */
interface Sending {
  isPending: boolean
  error: Error | null
}

interface FormNoticeProps {
  sending?: Sending | undefined
  /** What is said of a refusal; null where a field says it. */
  error?: string | null | undefined
  meanwhile?: ChangedMeanwhileProps | undefined
}

/** At the end of a form: that others have changed the same, or why it was refused. */
export function FormNotice({ sending, error = sending?.error?.message, meanwhile }: FormNoticeProps) {
  return meanwhile?.theirs?.length && !sending?.isPending ? (
    <ChangedMeanwhile {...meanwhile} />
  ) : (
    <Problem>{error}</Problem>
  )
}

interface FormProps extends FormNoticeProps {
  confirm: string
  kind?: ButtonKind
  disabled?: boolean
  cancel?: string
  /** Where it cannot be tried again once it was refused: what then is said to leave it. */
  leave?: string
  onClose: () => void
  children?: ReactNode
}

/** What it does where it is more than to send. */
type DialogFormProps = FormProps & ({ onSubmit: () => void } | { sending: Sending & { mutate: () => void } })

/** The form of a dialog, with the two buttons that end it. Nothing is sent while it is open which of two changes holds. */
export function DialogForm(props: DialogFormProps) {
  const { sending, error, meanwhile, confirm, kind = 'primary', disabled, leave, onClose, children } = props
  const { cancel = common.cancel } = props
  const onSubmit = 'onSubmit' in props ? props.onSubmit : () => props.sending.mutate()
  const isRefused = leave !== undefined && Boolean(sending?.error)

  function submit(event: FormEvent) {
    event.preventDefault()
    if (!meanwhile?.theirs?.length) onSubmit()
  }

  return (
    <form onSubmit={submit}>
      <div className="flex flex-col gap-4">
        {children}
        <FormNotice sending={sending} error={error} meanwhile={meanwhile} />
      </div>
      <DialogActions>
        <Button onClick={onClose}>{isRefused ? leave : cancel}</Button>
        {!isRefused && (
          <Button kind={kind} type="submit" busy={sending?.isPending} disabled={disabled}>
            {confirm}
          </Button>
        )}
      </DialogActions>
    </form>
  )
}

type FormDialogProps = DialogFormProps & { title: string; description?: ReactNode; wide?: boolean }

/** A dialog that is one form, or one question. */
export function FormDialog({ title, description, wide, ...form }: FormDialogProps) {
  return (
    <Dialog open onClose={form.onClose} title={title} description={description} wide={wide}>
      <DialogForm {...form} />
    </Dialog>
  )
}
