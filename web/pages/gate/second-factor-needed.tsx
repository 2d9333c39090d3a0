import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, auth } from '../../api/client.ts'
import { Mark } from '../../shell/mark.tsx'
import { common } from '../../texts/en/common.ts'
import { secondFactor as texts } from '../../texts/en/second-factor.ts'
import { signIn } from '../../texts/en/sign-in.ts'
import { Button } from '../../ui/button.tsx'
import { Loaded } from '../../ui/states.tsx'
import { useToasts } from '../../ui/toast.tsx'
import { accountQuery } from '../account/account-query.ts'
import { CodesCard } from '../account/codes-card.tsx'
import { PasskeysCard } from '../account/passkeys-card.tsx'

/** In place of the console: for who lacks the second factor that their company requires, until they have used one. */
export function SecondFactorNeeded() {
  const query = useQuery(accountQuery)
  const [busy, setBusy] = useState(false)
  const { complain } = useToasts()

  async function signOut() {
    setBusy(true)
    await auth('/sign-out', {}).catch(() => {})
    location.assign('/sign-in')
  }

  async function switchTo(memberId: string) {
    setBusy(true)
    try {
      await api.post('/session/company', { memberId })
      location.assign('/')
    } catch (error) {
      complain(error)
      setBusy(false)
    }
  }

  return (
    <main className="min-h-dvh bg-page px-4 py-10">
      <div className="mx-auto flex max-w-xl flex-col gap-5">
        <p className="flex items-center justify-center gap-2.5 text-xl font-semibold">
          <Mark />
          {common.product}
        </p>
        <Loaded query={query}>
          {({ factorGap, choices }) => (
            <>
              <div>
                <h1 className="text-xl font-semibold tracking-tight">
                  {factorGap === null ? texts.done : texts.gaps[factorGap].title}
                </h1>
                <p className="pt-1 text-ink-soft">
                  {factorGap === null ? texts.doneNote : texts.gaps[factorGap].note}
                </p>
              </div>
              {factorGap === null && (
                <Button kind="primary" onClick={() => location.reload()}>
                  {texts.goOn}
                </Button>
              )}
              {factorGap !== 'unused' && (
                <>
                  <CodesCard />
                  <PasskeysCard onAdded={() => query.refetch()} />
                </>
              )}
              <div className="flex flex-wrap gap-2">
                <Button kind={factorGap === 'unused' ? 'primary' : 'plain'} busy={busy} onClick={signOut}>
                  {factorGap === 'unused' ? texts.signInAgain : signIn.signOut}
                </Button>
                {choices
                  .filter(({ current }) => !current)
                  .map(({ memberId, companyName }) => (
                    <Button key={memberId} disabled={busy} onClick={() => switchTo(memberId)}>
                      {texts.switchTo(companyName)}
                    </Button>
                  ))}
              </div>
            </>
          )}
        </Loaded>
      </div>
    </main>
  )
}
