import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { ApiError, api } from '../../api/client.ts'
import { addPasskey } from '../../session/passkeys.ts'
import { problemOf } from '../../session/problem.ts'
import { SignInForm } from '../../session/sign-in-form.tsx'
import { account as texts } from '../../texts/en/account.ts'
import { common } from '../../texts/en/common.ts'
import { browserName } from '../../ui/browser-name.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { Field, TextInput } from '../../ui/field.tsx'
import { accountQuery } from './account-query.ts'

interface AddPasskeyProps {
  onClose: () => void
  onDone: () => void
}

/** A passkey is added only soon after signing in: who has been here for long does so once more. */
export function AddPasskey({ onClose, onDone }: AddPasskeyProps) {
  const { data: account } = useQuery(accountQuery)
  const [name, setName] = useState(browserName(navigator.userAgent))
  const [error, setError] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const [tooLongAgo, setTooLongAgo] = useState(false)

  async function submit(event: FormEvent) {
    event.preventDefault()
    setBusy(true)
    setError(null)
    try {
      await addPasskey(name)
      onDone()
    } catch (problem) {
      if (problem instanceof ApiError && problem.code === 'SESSION_NOT_FRESH') setTooLongAgo(true)
      else setError(problemOf(problem))
      setBusy(false)
    }
  }

  if (tooLongAgo && account) {
    return (
      <Dialog open onClose={onClose} title={texts.confirm}>
        <SignInForm
          email={account.email}
          onDone={async () => {
            const { memberId } = account.choices.find(({ current }) => current)!
            await api.post('/session/company', { memberId })
            setTooLongAgo(false)
          }}
        />
      </Dialog>
    )
  }
  return (
    <Dialog open onClose={onClose} title={texts.addPasskey} description={texts.passkeysNote}>
      <form onSubmit={submit}>
        <Field label={texts.passkeyName} hint={texts.passkeyNameHint} error={error}>
          <TextInput
            value={name}
            onChange={(event) => setName(event.target.value)}
            maxLength={100}
            autoFocus
            required
          />
        </Field>
        <DialogActions>
          <Button onClick={onClose}>{common.cancel}</Button>
          <Button kind="primary" type="submit" busy={busy}>
            {texts.addPasskey}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
