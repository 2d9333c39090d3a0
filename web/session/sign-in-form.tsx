import { useQuery } from '@tanstack/react-query'
import { KeyRound } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { ApiError, auth } from '../api/client.ts'
import { signIn as texts } from '../texts/en/sign-in.ts'
import { Button } from '../ui/button.tsx'
import { Field, TextInput } from '../ui/field.tsx'
import { entranceQuery } from './entrance.ts'
import { passkeysWork, signInWithPasskey } from './passkeys.ts'
import { problemOf } from './problem.ts'
import { useWait } from './use-wait.ts'

interface SignInFormProps {
  /** Known where somebody signs in again. */
  email?: string
  /** What follows; where it fails, the form says so. */
  onDone: () => Promise<void>
}

const overForGood = ['INVALID_TWO_FACTOR_COOKIE', 'TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE']

/** Email and password, then the code where one is asked for; or a passkey. */
export function SignInForm({ email: known, onDone }: SignInFormProps) {
  const { data: entrance } = useQuery(entranceQuery)
  const [email, setEmail] = useState(known ?? '')
  const [password, setPassword] = useState('')
  const [code, setCode] = useState('')
  const [asksCode, setAsksCode] = useState(false)
  const [problem, setError] = useState<string | null>(null)
  const wait = useWait()
  const error = wait.seconds > 0 ? texts.tooMany : problem
  const [busy, setBusy] = useState<'form' | 'passkey' | null>(null)

  function startOver() {
    setAsksCode(false)
    setPassword('')
    setCode('')
    setError(null)
  }

  async function run(what: 'form' | 'passkey', work: () => Promise<'done' | 'code'>) {
    setBusy(what)
    setError(null)
    try {
      if ((await work()) === 'code') setAsksCode(true)
      else await onDone()
    } catch (problem) {
      if (problem instanceof ApiError && overForGood.includes(problem.code)) startOver()
      if (!wait.startFrom(problem)) setError(problemOf(problem))
    } finally {
      setBusy(null)
    }
  }

  async function submitPassword() {
    const answer = await auth<{ twoFactorRedirect?: boolean }>('/sign-in/email', { email, password })
    return answer.twoFactorRedirect ? 'code' : 'done'
  }

  async function submitCode() {
    const text = code.replace(/\s/g, '')
    const path = /^\d{6}$/.test(text) ? '/two-factor/verify-totp' : '/two-factor/verify-backup-code'
    await auth(path, { code: text })
    return 'done' as const
  }

  function submit(event: FormEvent) {
    event.preventDefault()
    void run('form', asksCode ? submitCode : submitPassword)
  }

  if (asksCode) {
    return (
      <form onSubmit={submit} className="flex flex-col gap-4">
        <Field label={texts.code} hint={texts.codeHint} error={error}>
          <TextInput
            value={code}
            onChange={(event) => setCode(event.target.value)}
            autoComplete="one-time-code"
            inputMode="text"
            autoFocus
            required
          />
        </Field>
        <Button kind="primary" type="submit" busy={busy === 'form'} disabled={wait.seconds > 0}>
          {wait.seconds > 0 ? texts.tryAgainIn(wait.seconds) : texts.verify}
        </Button>
        <Button kind="quiet" onClick={startOver}>
          {texts.startOver}
        </Button>
      </form>
    )
  }

  return (
    <form onSubmit={submit} className="flex flex-col gap-4">
      <Field label={texts.email}>
        <TextInput
          type="email"
          value={email}
          onChange={(event) => setEmail(event.target.value)}
          autoComplete="username"
          readOnly={known !== undefined}
          autoFocus={known === undefined}
          required
        />
      </Field>
      <Field label={texts.password}>
        <TextInput
          type="password"
          value={password}
          onChange={(event) => setPassword(event.target.value)}
          autoComplete="current-password"
          autoFocus={known !== undefined}
          required
        />
      </Field>
      {error && (
        <p role="alert" className="rounded-lg bg-bad-soft px-3 py-2 text-bad">
          {error}
        </p>
      )}
      <Button kind="primary" type="submit" busy={busy === 'form'} disabled={wait.seconds > 0}>
        {wait.seconds > 0 ? texts.tryAgainIn(wait.seconds) : texts.submit}
      </Button>
      {passkeysWork(entrance?.passkeysAt) && (
        <>
          <p className="flex items-center gap-3 text-[0.87rem] text-ink-soft before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
            {texts.or}
          </p>
          <Button
            busy={busy === 'passkey'}
            onClick={() =>
              run('passkey', async () => {
                await signInWithPasskey()
                return 'done'
              })
            }
          >
            <KeyRound className="size-4" aria-hidden />
            {texts.withPasskey}
          </Button>
        </>
      )}
    </form>
  )
}
