import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { KeyRound, Plus } from 'lucide-react'
import { useState } from 'react'
import type { KeyMade } from '../../../../src/api/console/keys.ts'
import { useSession } from '../../../session/session.tsx'
import { keys as texts } from '../../../texts/en/keys.ts'
import { Button } from '../../../ui/button.tsx'
import { Choice } from '../../../ui/filters.tsx'
import { ShowMore } from '../../../ui/show-more.tsx'
import { EmptyState, Loaded } from '../../../ui/states.tsx'
import { Card } from '../../../ui/surface.tsx'
import { useWide } from '../../../ui/use-wide.ts'
import { SettingsHeader } from '../settings-header.tsx'
import { CreateKeyDialog } from './create-key-dialog.tsx'
import { KeyCards, KeyTable } from './key-list.tsx'
import { SecretDialog } from './secret-dialog.tsx'
import { keysKey, keysQuery } from './use-keys.ts'

const route = getRouteApi('/inside/settings/keys')

/** The keys by which programs work with the company's records. */
export function KeysPage() {
  const { companies } = useSession()
  const { company } = route.useSearch()
  const navigate = route.useNavigate()
  const client = useQueryClient()
  const List = useWide() ? KeyTable : KeyCards
  const [making, setMaking] = useState(false)
  const [made, setMade] = useState<KeyMade | null>(null)
  const query = useInfiniteQuery(keysQuery(company))
  const makeButton = (
    <Button kind="primary" onClick={() => setMaking(true)}>
      <Plus className="size-4" aria-hidden />
      {texts.make}
    </Button>
  )

  return (
    <>
      <SettingsHeader title={texts.title} note={texts.note} actions={makeButton} />
      {companies.length > 1 && (
        <div className="flex pb-4">
          <Choice
            label={texts.company}
            every={texts.everyCompany}
            options={companies.map(({ id, name }) => [id, name])}
            value={company}
            onChange={(chosen) => navigate({ search: chosen ? { company: chosen } : {}, replace: true })}
          />
        </div>
      )}
      <Card>
        <Loaded query={query}>
          {({ pages }) => {
            const keys = pages.flatMap((page) => page.keys)
            if (keys.length > 0) return <List keys={keys} />
            return (
              <EmptyState icon={<KeyRound aria-hidden />} title={texts.empty}>
                {texts.emptyNote}
              </EmptyState>
            )
          }}
        </Loaded>
        <ShowMore query={query} />
      </Card>
      {making && (
        <CreateKeyDialog
          company={company}
          onClose={() => setMaking(false)}
          onMade={(key) => {
            setMaking(false)
            setMade(key)
            void client.invalidateQueries({ queryKey: keysKey })
          }}
        />
      )}
      {made && <SecretDialog made={made} onClose={() => setMade(null)} />}
    </>
  )
}
