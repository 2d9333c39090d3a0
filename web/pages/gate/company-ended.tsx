import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, auth } from '../../api/client.ts'
import { Entrance } from '../../shell/entrance.tsx'
import { secondFactor } from '../../texts/en/second-factor.ts'
import { signIn as texts } from '../../texts/en/sign-in.ts'
import { Button } from '../../ui/button.tsx'
import { Loaded } from '../../ui/states.tsx'
import { useToasts } from '../../ui/toast.tsx'
import { accountQuery } from '../account/account-query.ts'

/** In place of the console: for who works for the company no longer that they were in, and for others still. */
export function CompanyEnded() {
  const query = useQuery(accountQuery)
  const { complain } = useToasts()
  const [busy, setBusy] = useState(false)

  async function go(work: () => Promise<unknown>, to: string) {
    setBusy(true)
    try {
      await work()
      location.assign(to)
    } catch (error) {
      complain(error)
      setBusy(false)
    }
  }

  return (
    <Entrance title={texts.companyEnded} note={texts.companyEndedNote}>
      <Loaded query={query}>
        {({ choices }) => (
          <div className="flex flex-col gap-2">
            {choices.map(({ memberId, companyName }) => (
              <Button
                key={memberId}
                kind="primary"
                disabled={busy}
                onClick={() => go(() => api.post('/session/company', { memberId }), '/')}
              >
                {secondFactor.switchTo(companyName)}
              </Button>
            ))}
            <Button disabled={busy} onClick={() => go(() => auth('/sign-out', {}), '/sign-in')}>
              {texts.signOut}
            </Button>
          </div>
        )}
      </Loaded>
    </Entrance>
  )
}
