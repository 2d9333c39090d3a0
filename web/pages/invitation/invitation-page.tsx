import { Link, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import type { InvitationLinkResponse } from '../../../src/api/console/invitations.ts'
import { useMailedLink } from '../../session/use-mailed-link.ts'
import { Entrance } from '../../shell/entrance.tsx'
import { common } from '../../texts/en/common.ts'
import { invitation as texts } from '../../texts/en/invitation.ts'
import { signIn } from '../../texts/en/sign-in.ts'
import { buttonClass } from '../../ui/button.tsx'
import { formatTime } from '../../ui/format.ts'
import { Loaded, LoadingRows } from '../../ui/states.tsx'
import { AcceptSignedIn, CreateAccount, OtherAccount, SignInToAccept } from './ways-to-accept.tsx'

/** Behind a company's link: who is invited says yes or no, as an account that they have or make. */
export function InvitationPage() {
  const { token = '' } = useSearch({ from: '/invitation' })
  const [declined, setDeclined] = useState(false)
  const query = useMailedLink<InvitationLinkResponse>('/invitation-link', token)
  return (
    <Loaded
      query={query}
      loading={
        <Entrance title={texts.pending}>
          <LoadingRows rows={2} />
        </Entrance>
      }
    >
      {(link) => {
        if (!link) return <Ended title={texts.dead} note={texts.deadNote} />
        if (declined) return <Ended title={texts.declinedTitle} note={texts.declined(link.company)} />
        const { company, from, role, expiresAt } = link
        return (
          <Entrance
            title={texts.title(company)}
            note={`${texts.note(from, company, common.roles[role])} ${texts.until(formatTime(expiresAt))}`}
          >
            <Way link={link} token={token} onDeclined={() => setDeclined(true)} />
          </Entrance>
        )
      }}
    </Loaded>
  )
}

interface WayProps {
  link: InvitationLinkResponse
  token: string
  onDeclined: () => void
}

function Way({ link, token, onDeclined }: WayProps) {
  if (link.next === 'accept') return <AcceptSignedIn link={link} token={token} onDeclined={onDeclined} />
  if (link.signedInAs !== null) return <OtherAccount link={link} here={link.signedInAs} />
  if (link.next === 'signIn') return <SignInToAccept link={link} token={token} />
  return <CreateAccount link={link} token={token} />
}

function Ended({ title, note }: { title: string; note: string }) {
  return (
    <Entrance title={title} note={note}>
      <Link to="/sign-in" className={buttonClass('primary')}>
        {signIn.back}
      </Link>
    </Entrance>
  )
}
