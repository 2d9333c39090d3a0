import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import type { KeyMade } from '../../../../src/api/console/keys.ts'
import { ApiError } from '../../../api/client.ts'
import { NotFound } from '../../../shell/not-found.tsx'
import { useRecordName } from '../../../shell/page-title.ts'
import { keys as texts } from '../../../texts/en/keys.ts'
import { BackLink } from '../../../ui/back-link.tsx'
import { Button } from '../../../ui/button.tsx'
import { Loaded } from '../../../ui/states.tsx'
import { Card, CardHeader } from '../../../ui/surface.tsx'
import { SettingsHeader } from '../settings-header.tsx'
import { CallsChart } from './calls-chart.tsx'
import { KeyFacts } from './key-facts.tsx'
import { StateBadge } from './key-list.tsx'
import { LastCalls } from './last-calls.tsx'
import { RevokeDialog } from './revoke-dialog.tsx'
import { RollDialog } from './roll-dialog.tsx'
import { SecretDialog } from './secret-dialog.tsx'
import { type KeyRead, keyQuery, keysKey } from './use-keys.ts'

const route = getRouteApi('/inside/settings/keys/$id')

/** One key: what it may do, how it is used, and how it ends. */
export function KeyPage() {
  const { id } = route.useParams()
  const query = useQuery(keyQuery(id))
  if (query.error instanceof ApiError && query.error.status === 404) return <NotFound />
  return (
    <>
      <BackLink to="/settings/keys">{texts.back}</BackLink>
      <Loaded query={query}>{(read) => <KeyDetails read={read} />}</Loaded>
    </>
  )
}

function KeyDetails({ read: { key, hours } }: { read: KeyRead }) {
  useRecordName(key.name)
  const client = useQueryClient()
  const [asking, setAsking] = useState<'roll' | 'revoke' | null>(null)
  const [made, setMade] = useState<KeyMade | null>(null)
  const close = () => setAsking(null)
  const changed = () => {
    close()
    void client.invalidateQueries({ queryKey: keysKey })
  }
  const works = key.state === 'active' || key.state === 'grace'
  return (
    <>
      <SettingsHeader
        title={key.name}
        note={<StateBadge state={key.state} />}
        actions={
          works && (
            <>
              {key.state === 'active' && <Button onClick={() => setAsking('roll')}>{texts.roll}</Button>}
              <Button kind="danger" onClick={() => setAsking('revoke')}>
                {texts.revoke}
              </Button>
            </>
          )
        }
      />
      <div className="flex flex-col gap-5">
        <Card>
          <KeyFacts apiKey={key} />
        </Card>
        <Card>
          <CardHeader title={texts.chart} />
          <CallsChart hours={hours} />
        </Card>
        <LastCalls keyId={key.id} />
      </div>
      {asking === 'roll' && (
        <RollDialog
          apiKey={key}
          onClose={close}
          onRolled={(rolled) => {
            changed()
            setMade(rolled)
          }}
        />
      )}
      {asking === 'revoke' && <RevokeDialog apiKey={key} onClose={close} onRevoked={changed} />}
      {made && <SecretDialog made={made} onClose={() => setMade(null)} />}
    </>
  )
}
