import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { AccountResponse } from '../../src/api/console/account.ts'
import { api, onSignedOut } from '../api/client.ts'
import { signIn as texts } from '../texts/en/sign-in.ts'
import { Dialog } from '../ui/dialog.tsx'
import { sessionQuery, useSession } from './session.tsx'
import { SignInForm } from './sign-in-form.tsx'

/** Where the session ends under somebody's hands: they sign in over the page, and what they were doing goes on. */
export function SignInAgain() {
  const session = useSession()
  const client = useQueryClient()
  const [asked, setAsked] = useState(false)
  const waiting = useRef<PromiseWithResolvers<void> | null>(null)

  useEffect(() => {
    onSignedOut(() => {
      waiting.current ??= Promise.withResolvers<void>()
      setAsked(true)
      return waiting.current.promise
    })
    return () => onSignedOut(null)
  }, [])

  // Perhaps they have signed in again in another window meanwhile.
  useEffect(() => {
    if (!asked) return
    const look = async () => {
      const now = await api.get<AccountResponse>('/account', { quiet: true }).catch(() => null)
      if (now?.email === session.person.email) await goOn()
    }
    window.addEventListener('focus', look)
    return () => window.removeEventListener('focus', look)
  })

  async function goOn() {
    // A new session begins with the person's first company: what waits belongs to the one they were in.
    await api.post('/session/company', { memberId: session.memberId }, { quiet: true })
    setAsked(false)
    void client.invalidateQueries({ queryKey: sessionQuery.queryKey })
    waiting.current?.resolve()
    waiting.current = null
  }

  return (
    <Dialog open={asked} onClose={() => {}} locked title={texts.again} description={texts.againNote}>
      <SignInForm email={session.person.email} onDone={goOn} />
      <p className="pt-4 text-center">
        <a href="/sign-in" className="text-action hover:underline">
          {texts.notYou}
        </a>
      </p>
    </Dialog>
  )
}
