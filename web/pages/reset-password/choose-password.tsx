import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import type { PasswordLinkShown } from '../../../src/api/console/set-up.ts'
import { ApiError, api, auth } from '../../api/client.ts'
import { enter } from '../../session/enter.ts'
import { NewPasswordField } from '../../session/new-password-field.tsx'
import { problemOf } from '../../session/problem.ts'
import { Entrance } from '../../shell/entrance.tsx'
import { signIn as texts } from '../../texts/en/sign-in.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { Loaded, LoadingRows } from '../../ui/states.tsx'
import { useToasts } from '../../ui/toast.tsx'

interface ChoosePasswordProps {
  token: string
  title: (link: PasswordLinkShown) => string
  note: (link: PasswordLinkShown) => string
  submit: string
  /** Said where the link does not work any more. */
  dead: { note: string; again: boolean }
}

/** Behind a link that came by mail: the person chooses a password and is signed in. */
export function ChoosePassword({ token, title, note, submit, dead }: ChoosePasswordProps) {
  const query = useQuery({
    queryKey: ['password-link', token],
    retry: false,
    queryFn: () =>
      api.post<PasswordLinkShown>('/password-link', { token }, { quiet: true }).catch((error) => {
        if (error instanceof ApiError && error.status < 500 && error.status >= 400) return null
        throw error
      }),
  })
  return (
    <Loaded
      query={query}
      loading={
        <Entrance title={texts.resetTitle}>
          <LoadingRows rows={2} />
        </Entrance>
      }
    >
      {(link) =>
        link ? (
          <Entrance title={title(link)} note={note(link)}>
            <PasswordForm token={token} email={link.email} submit={submit} />
          </Entrance>
        ) : (
          <Entrance title={texts.linkDead} note={dead.note}>
            <Link to={dead.again ? '/forgot-password' : '/sign-in'} className={buttonClass('primary')}>
              {dead.again ? texts.newLink : texts.back}
            </Link>
          </Entrance>
        )
      }
    </Loaded>
  )
}

function PasswordForm({ token, email, submit }: { token: string; email: string; submit: string }) {
  const client = useQueryClient()
  const navigate = useNavigate()
  const { say } = useToasts()
  const [password, setPassword] = useState('')
  const [error, setError] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)

  async function choose() {
    await auth('/reset-password', { newPassword: password, token })
    const answer = await auth<{ twoFactorRedirect?: boolean }>('/sign-in/email', { email, password })
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
      <input type="hidden" name="username" autoComplete="username" value={email} readOnly />
      <NewPasswordField value={password} onChange={setPassword} error={error} autoFocus />
      <Button kind="primary" type="submit" busy={busy}>
        {submit}
      </Button>
    </form>
  )
}
