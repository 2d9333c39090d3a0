import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useSession } from '../../../session/session.tsx'
import { keys as texts } from '../../../texts/en/keys.ts'
import { formatTime } from '../../../ui/format.ts'
import { accessOf, interfacesOf, type KeyResponse } from './use-keys.ts'

/** What is known of a key, without the key. */
export function KeyFacts({ apiKey: key }: { apiKey: KeyResponse }) {
  const { companies } = useSession()
  return (
    <dl className="grid grid-cols-2 gap-x-6 gap-y-3 px-5 py-4 lg:grid-cols-3">
      <Fact name={texts.prefix}>
        <code>{key.prefix}…</code>
      </Fact>
      <Fact name={texts.access}>{accessOf(key)}</Fact>
      {key.agentName && <Fact name={texts.agent}>{key.agentName}</Fact>}
      <Fact name={texts.works}>{interfacesOf(key)}</Fact>
      {companies.length > 1 && (
        <Fact name={texts.company}>{companies.find(({ id }) => id === key.companyId)?.name}</Fact>
      )}
      <Fact name={texts.made}>{formatTime(key.createdAt)}</Fact>
      <Fact name={texts.lastUsed}>{key.lastUsedAt ? formatTime(key.lastUsedAt) : texts.never}</Fact>
      {key.revokedAt ? (
        <Fact name={texts.revokedAt}>{formatTime(key.revokedAt)}</Fact>
      ) : (
        <Fact name={key.state === 'grace' ? texts.validUntil : texts.expiry}>
          {key.expiresAt ? formatTime(key.expiresAt) : texts.never}
        </Fact>
      )}
      {key.replacedBy && (
        <Fact name={texts.replacedBy}>
          <Link to="/settings/keys/$id" params={{ id: key.replacedBy }} className="text-action underline">
            {texts.newKey}
          </Link>
        </Fact>
      )}
    </dl>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-[0.87rem] text-ink-soft">{name}</dt>
      <dd className="min-w-0">{children}</dd>
    </div>
  )
}
