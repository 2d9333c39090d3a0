import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiError, api } from '../../api/client.ts'
import { useSubmit } from '../../api/use-submit.ts'
import { addPasskey } from '../../session/passkeys.ts'
import { problemOf } from '../../session/problem.ts'
import { SignInForm } from '../../session/sign-in-form.tsx'
import { account as texts } from '../../texts/en/account.ts'
import { browserName } from '../../ui/browser-name.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { accountQuery } from './account-query.ts'

interface AddPasskeyProps {
  onClose: () => void
  onDone: () => void
}

/** A passkey is added only soon after signing in: who has been here for long does so once more. */
export function AddPasskey({ onClose, onDone }: AddPasskeyProps) {
  const { data: account } = useQuery(accountQuery)
  const [name, setName] = useState(browserName(navigator.userAgent))
  const [tooLongAgo, setTooLongAgo] = useState(false)
  const add = useSubmit({
    mutationFn: () => addPasskey(name),
    onSuccess: onDone,
    onError: (error) => setTooLongAgo(isTooLongAgo(error)),
  })
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
    <FormDialog
      title={texts.addPasskey}
      description={texts.passkeysNote}
      sending={add}
      error={null}
      confirm={texts.addPasskey}
      onClose={onClose}
    >
      <TextField
        label={texts.passkeyName}
        hint={texts.passkeyNameHint}
        error={add.error && !isTooLongAgo(add.error) ? problemOf(add.error) : null}
        value={name}
        onChange={setName}
        maxLength={100}
        autoFocus
        required
      />
    </FormDialog>
  )
}

const isTooLongAgo = (error: unknown) => error instanceof ApiError && error.code === 'SESSION_NOT_FRESH'
