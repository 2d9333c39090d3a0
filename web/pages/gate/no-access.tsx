import { useState } from 'react'
import { ApiError, auth } from '../../api/client.ts'
import { companyEndedCode, secondFactorCode } from '../../session/enter.ts'
import { PendingInvitations } from '../../session/pending-invitations.tsx'
import { Entrance } from '../../shell/entrance.tsx'
import { common } from '../../texts/en/common.ts'
import { signIn as texts } from '../../texts/en/sign-in.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorState } from '../../ui/states.tsx'
import { CompanyEnded } from './company-ended.tsx'
import { SecondFactorNeeded } from './second-factor-needed.tsx'

/** In place of the console: for who has signed in and works for nobody here, and for when it cannot be asked. */
export function NoAccess({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const [busy, setBusy] = useState(false)
  if (error instanceof ApiError && error.code === secondFactorCode) return <SecondFactorNeeded />
  if (error instanceof ApiError && error.code === companyEndedCode) return <CompanyEnded />
  if (!(error instanceof ApiError && error.status === 403))
    return <ErrorState error={error} onRetry={onRetry} />

  async function signOut() {
    setBusy(true)
    await auth('/sign-out', {}).catch(() => {})
    location.assign('/sign-in')
  }

  return (
    <Entrance title={texts.noAccess} note={error.message}>
      <div className="mb-4 overflow-hidden rounded-lg">
        <PendingInvitations onAccepted={() => location.assign('/')} />
      </div>
      <div className="flex gap-2">
        <Button kind="primary" busy={busy} onClick={signOut}>
          {texts.signOut}
        </Button>
        <Button onClick={onRetry}>{common.tryAgain}</Button>
      </div>
    </Entrance>
  )
}
