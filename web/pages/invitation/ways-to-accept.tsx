import { useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import type { AcceptedResponse, InvitationLinkResponse } from '../../../src/api/console/invitations.ts'
import { api, auth } from '../../api/client.ts'
import { ChoosePasswordForm } from '../../session/choose-password-form.tsx'
import { enter } from '../../session/enter.ts'
import { problemOf } from '../../session/problem.ts'
import { SignInForm } from '../../session/sign-in-form.tsx'
import { invitation as texts } from '../../texts/en/invitation.ts'
import { signIn } from '../../texts/en/sign-in.ts'
import { Button } from '../../ui/button.tsx'

interface WayProps {
  link: InvitationLinkResponse
  token: string
}

/** Accepts as who is signed in, and goes to the company that was accepted. */
function useAccept(token: string): () => Promise<void> {
  const client = useQueryClient()
  const navigate = useNavigate()
  return async () => {
    const { memberId } = await api.post<AcceptedResponse>(
      '/invitation-link/accept',
      { token },
      { quiet: true },
    )
    await api.post('/session/company', { memberId }, { quiet: true })
    await enter(client)
    await navigate({ to: '/', replace: true })
  }
}

/** There is no account of the address yet: it is made by choosing a password. */
export function CreateAccount({ link: { email }, token }: WayProps) {
  return (
    <ChoosePasswordForm
      email={email}
      submit={texts.join}
      save={(password) => api.post('/invitation-link/accept', { token, password }, { quiet: true })}
    >
      <p>{texts.make(email)}</p>
    </ChoosePasswordForm>
  )
}

/** Whoever has the account signs in as it, and has accepted then. */
export function SignInToAccept({ link: { email }, token }: WayProps) {
  const accept = useAccept(token)
  return (
    <>
      <p className="pb-4">{texts.signInFirst(email)}</p>
      <SignInForm email={email} onDone={accept} />
      <p className="pt-4 text-center">
        <Link to="/forgot-password" className="text-action hover:underline">
          {signIn.forgot}
        </Link>
      </p>
    </>
  )
}

export function AcceptSignedIn({
  link: { email },
  token,
  onDeclined,
}: WayProps & { onDeclined: () => void }) {
  const accept = useAccept(token)
  return (
    <>
      <p className="pb-4">{texts.signedInAs(email)}</p>
      <Actions>
        {(run, busy) => (
          <>
            <Button kind="primary" busy={busy} onClick={() => run(accept)}>
              {texts.accept}
            </Button>
            <Button
              disabled={busy}
              onClick={() =>
                run(async () => {
                  await api.post('/invitation-link/decline', { token }, { quiet: true })
                  onDeclined()
                })
              }
            >
              {texts.decline}
            </Button>
          </>
        )}
      </Actions>
    </>
  )
}

/** Somebody else is signed in here, who cannot accept it. */
export function OtherAccount({ link: { email }, here }: { link: InvitationLinkResponse; here: string }) {
  return (
    <>
      <p className="pb-4">{texts.other(here, email)}</p>
      <Actions>
        {(run, busy) => (
          <Button
            kind="primary"
            busy={busy}
            onClick={() =>
              run(async () => {
                await auth('/sign-out', {})
                location.reload()
              })
            }
          >
            {signIn.signOut}
          </Button>
        )}
      </Actions>
    </>
  )
}

type Run = (work: () => Promise<void>) => void

function Actions({ children }: { children: (run: Run, busy: boolean) => ReactNode }) {
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<string | null>(null)
  const run: Run = async (work) => {
    setBusy(true)
    setError(null)
    await work().catch((problem) => setError(problemOf(problem)))
    setBusy(false)
  }
  return (
    <>
      {error && (
        <p role="alert" className="mb-4 rounded-lg bg-bad-soft px-3 py-2 text-bad">
          {error}
        </p>
      )}
      <div className="flex gap-2">{children(run, busy)}</div>
    </>
  )
}
