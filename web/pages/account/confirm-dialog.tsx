import { useState } from 'react'
import { useSubmit } from '../../api/use-submit.ts'
import { problemOf } from '../../session/problem.ts'
import { account as texts } from '../../texts/en/account.ts'
import { signIn } from '../../texts/en/sign-in.ts'
import { TextField } from '../../ui/field.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'

interface ConfirmDialogProps {
  onClose: () => void
  onConfirm: (password: string) => Promise<void>
}

/** Asks for the password before something that guards the account is changed. */
export function ConfirmDialog({ onClose, onConfirm }: ConfirmDialogProps) {
  const [password, setPassword] = useState('')
  const confirm = useSubmit({ mutationFn: () => onConfirm(password) })
  return (
    <FormDialog
      title={texts.confirm}
      description={texts.confirmNote}
      sending={confirm}
      error={null}
      confirm={texts.goOn}
      onClose={onClose}
    >
      <TextField
        label={signIn.password}
        error={confirm.error && problemOf(confirm.error)}
        type="password"
        value={password}
        onChange={setPassword}
        autoComplete="current-password"
        autoFocus
        required
      />
    </FormDialog>
  )
}
