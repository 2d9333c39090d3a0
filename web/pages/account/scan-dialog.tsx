import { lazy, Suspense, useState } from 'react'
import { auth } from '../../api/client.ts'
import { useSubmit } from '../../api/use-submit.ts'
import { problemOf } from '../../session/problem.ts'
import { account as texts } from '../../texts/en/account.ts'
import { TextField } from '../../ui/field.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'

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
  const secret = new URL(codes.totpURI).searchParams.get('secret') ?? ''
  // In groups of four, as it is read while typing; apps leave the spaces out.
  const grouped = secret.replaceAll(/(.{4})(?=.)/g, '$1 ')

  const verify = useSubmit({
    mutationFn: () => auth('/two-factor/verify-totp', { code: code.replace(/\s/g, '') }),
    onSuccess: onDone,
  })
  return (
    <FormDialog
      title={texts.scan}
      description={texts.scanNote}
      sending={verify}
      error={null}
      confirm={texts.turnOn}
      onClose={onClose}
    >
      <div>
        <div className="flex justify-center">
          <Suspense fallback={<div className="size-52" aria-busy />}>
            <QrPicture text={codes.totpURI} label={texts.picture} />
          </Suspense>
        </div>
        <p className="pt-3 text-center text-[0.87rem]">
          {texts.secret}: <code className="font-mono break-words select-all">{grouped}</code>
        </p>
      </div>
      <TextField
        label={texts.code}
        error={verify.error && problemOf(verify.error)}
        value={code}
        onChange={setCode}
        inputMode="numeric"
        autoComplete="one-time-code"
        required
      />
    </FormDialog>
  )
}
