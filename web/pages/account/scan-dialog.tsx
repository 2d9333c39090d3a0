import { type FormEvent, lazy, Suspense, useState } from 'react'
import { auth } from '../../api/client.ts'
import { problemOf } from '../../session/problem.ts'
import { account as texts } from '../../texts/en/account.ts'
import { common } from '../../texts/en/common.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { Field, TextInput } from '../../ui/field.tsx'

// Signing in leads here too, once: others need not load it.
const QrPicture = lazy(async () => ({ default: (await import('./qr-picture.tsx')).QrPicture }))

/** What an authenticator app is to be told, and the codes for when it is not at hand. */
export interface NewCodes {
  totpURI: string
  backupCodes: string[]
}

interface ScanDialogProps {
  codes: NewCodes
  onClose: () => void
  onDone: () => void
}

/** The secret goes into the app, and its first code comes back: only then are codes asked for. */
export function ScanDialog({ codes, onClose, onDone }: ScanDialogProps) {
  const [code, setCode] = useState('')
  const [error, setError] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const secret = new URL(codes.totpURI).searchParams.get('secret') ?? ''
  // In groups of four, as it is read while typing; apps leave the spaces out.
  const grouped = secret.replaceAll(/(.{4})(?=.)/g, '$1 ')

  async function submit(event: FormEvent) {
    event.preventDefault()
    setBusy(true)
    setError(null)
    try {
      await auth('/two-factor/verify-totp', { code: code.replace(/\s/g, '') })
      onDone()
    } catch (problem) {
      setError(problemOf(problem))
      setBusy(false)
    }
  }

  return (
    <Dialog open onClose={onClose} title={texts.scan} description={texts.scanNote}>
      <div className="flex justify-center">
        <Suspense fallback={<div className="size-52" aria-busy />}>
          <QrPicture text={codes.totpURI} label={texts.picture} />
        </Suspense>
      </div>
      <p className="pt-3 text-center text-[0.87rem]">
        {texts.secret}: <code className="font-mono break-words select-all">{grouped}</code>
      </p>
      <form onSubmit={submit} className="pt-4">
        <Field label={texts.code} error={error}>
          <TextInput
            value={code}
            onChange={(event) => setCode(event.target.value)}
            inputMode="numeric"
            autoComplete="one-time-code"
            required
          />
        </Field>
        <DialogActions>
          <Button onClick={onClose}>{common.cancel}</Button>
          <Button kind="primary" type="submit" busy={busy}>
            {texts.turnOn}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
