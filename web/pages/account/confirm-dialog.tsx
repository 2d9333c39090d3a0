import { type FormEvent, useState } from 'react'
import { problemOf } from '../../session/problem.ts'
import { account as texts } from '../../texts/en/account.ts'
import { common } from '../../texts/en/common.ts'
import { signIn } from '../../texts/en/sign-in.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { Field, TextInput } from '../../ui/field.tsx'

interface ConfirmDialogProps {
  onClose: () => void
  onConfirm: (password: string) => Promise<void>
}

/** Asks for the password before something that guards the account is changed. */
export function ConfirmDialog({ onClose, onConfirm }: ConfirmDialogProps) {
  const [password, setPassword] = useState('')
  const [error, setError] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)

  async function submit(event: FormEvent) {
    event.preventDefault()
    setBusy(true)
    setError(null)
    await onConfirm(password).catch((problem) => {
      setError(problemOf(problem))
      setBusy(false)
    })
  }

  return (
    <Dialog open onClose={onClose} title={texts.confirm} description={texts.confirmNote}>
      <form onSubmit={submit}>
        <Field label={signIn.password} error={error}>
          <TextInput
            type="password"
            value={password}
            onChange={(event) => setPassword(event.target.value)}
            autoComplete="current-password"
            autoFocus
            required
          />
        </Field>
        <DialogActions>
          <Button onClick={onClose}>{common.cancel}</Button>
          <Button kind="primary" type="submit" busy={busy}>
            {texts.goOn}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
