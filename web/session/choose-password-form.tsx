import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, type ReactNode, useState } from 'react'
import { auth } from '../api/client.ts'
import { signIn as texts } from '../texts/en/sign-in.ts'
import { Button } from '../ui/button.tsx'
import { useToasts } from '../ui/toast.tsx'
import { enter } from './enter.ts'
import { NewPasswordField } from './new-password-field.tsx'
import { problemOf } from './problem.ts'

interface ChoosePasswordFormProps {
  email: string
  submit: string
  /** What the link is for: a new password, or an account. */
  save: (password: string) => Promise<unknown>
  children?: ReactNode
}

/** Behind a link: the person chooses a password and is signed in with it. */
export function ChoosePasswordForm({ email, submit, save, children }: ChoosePasswordFormProps) {
  const client = useQueryClient()
  const navigate = useNavigate()
  const { say } = useToasts()
  const [password, setPassword] = useState('')
  const [error, setError] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  // A link works once: where only the signing in fails, only that is tried again.
  const [saved, setSaved] = useState<string | null>(null)

  async function choose() {
    if (saved === null) {
      await save(password)
      setSaved(password)
    }
    const answer = await auth<{ twoFactorRedirect?: boolean }>('/sign-in/email', {
      email,
      password: saved ?? password,
    })
    if (answer.twoFactorRedirect) {
      say(texts.passwordSaved)
      await navigate({ to: '/sign-in' })
      return
    }
    await enter(client)
    await navigate({ to: '/', replace: true })
  }

  async function onSubmit(event: FormEvent) {
    event.preventDefault()
    setBusy(true)
    setError(null)
    await choose().catch((problem) => setError(problemOf(problem)))
    setBusy(false)
  }

  return (
    <form onSubmit={onSubmit} className="flex flex-col gap-4">
      {children}
      <input type="hidden" name="username" autoComplete="username" value={email} readOnly />
      <NewPasswordField value={password} onChange={setPassword} error={error} autoFocus />
      <Button kind="primary" type="submit" busy={busy}>
        {submit}
      </Button>
    </form>
  )
}
