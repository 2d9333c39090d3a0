import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { auth } from '../../api/client.ts'
import { entranceQuery } from '../../session/entrance.ts'
import { problemOf } from '../../session/problem.ts'
import { Entrance } from '../../shell/entrance.tsx'
import { signIn as texts } from '../../texts/en/sign-in.ts'
import { Button } from '../../ui/button.tsx'
import { Field, TextInput } from '../../ui/field.tsx'

export function ForgotPasswordPage() {
  const { data: entrance } = useQuery(entranceQuery)
  // Where the server sends no mail, nothing is on its way, and it is not said to be.
  const kept = entrance?.sendsMail === false
  const [email, setEmail] = useState('')
  const [sent, setSent] = useState(false)
  const [error, setError] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)

  async function submit(event: FormEvent) {
    event.preventDefault()
    setBusy(true)
    setError(null)
    try {
      await auth('/request-password-reset', { email })
      setSent(true)
    } catch (problem) {
      setError(problemOf(problem))
    } finally {
      setBusy(false)
    }
  }

  const back = (
    <p className="pt-4 text-center">
      <Link to="/sign-in" className="text-action hover:underline">
        {texts.back}
      </Link>
    </p>
  )
  if (sent) {
    return (
      <Entrance title={texts.sentTitle}>
        <p role="status">{texts.sent(email)}</p>
        {back}
      </Entrance>
    )
  }
  if (kept)
    return (
      <Entrance title={texts.forgotTitle} note={texts.forgotNoteKept}>
        {back}
      </Entrance>
    )
  return (
    <Entrance title={texts.forgotTitle} note={texts.forgotNote}>
      <form onSubmit={submit} className="flex flex-col gap-4">
        <Field label={texts.email} error={error}>
          <TextInput
            type="email"
            value={email}
            onChange={(event) => setEmail(event.target.value)}
            autoComplete="username"
            autoFocus
            required
          />
        </Field>
        <Button kind="primary" type="submit" busy={busy}>
          {texts.send}
        </Button>
      </form>
      {back}
    </Entrance>
  )
}
