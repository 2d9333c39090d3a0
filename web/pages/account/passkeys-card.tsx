import { useQuery, useQueryClient } from '@tanstack/react-query'
import { KeyRound } from 'lucide-react'
import { useState } from 'react'
import { auth } from '../../api/client.ts'
import { useSubmit } from '../../api/use-submit.ts'
import { entranceQuery } from '../../session/entrance.ts'
import { passkeysWork } from '../../session/passkeys.ts'
import { account as texts } from '../../texts/en/account.ts'
import { common } from '../../texts/en/common.ts'
import { Button } from '../../ui/button.tsx'
import { formatDay } from '../../ui/format.ts'
import { Loaded } from '../../ui/states.tsx'
import { Card, CardHeader } from '../../ui/surface.tsx'
import { useToasts } from '../../ui/toast.tsx'
import { AddPasskey } from './add-passkey.tsx'

interface Passkey {
  id: string
  name: string | null
  createdAt: string | null
}

const passkeysKey = ['passkeys']

export function PasskeysCard({ onAdded }: { onAdded?: () => void }) {
  const client = useQueryClient()
  const { say, complain } = useToasts()
  const { data: entrance } = useQuery(entranceQuery)
  const [adding, setAdding] = useState(false)
  const query = useQuery({
    queryKey: passkeysKey,
    queryFn: () => auth<Passkey[]>('/passkey/list-user-passkeys'),
  })
  const refresh = () => client.invalidateQueries({ queryKey: passkeysKey })
  const remove = useSubmit({
    mutationFn: (id: string) => auth('/passkey/delete-passkey', { id }),
    onSuccess: () => say(texts.passkeyRemoved),
    onError: complain,
    onSettled: refresh,
  })
  const work = passkeysWork(entrance?.passkeysAt)

  return (
    <Card className="pb-5">
      <CardHeader title={texts.passkeys}>{texts.passkeysNote}</CardHeader>
      <Loaded query={query}>
        {(passkeys) => (
          <div className="px-5">
            {passkeys.length === 0 && work && <p className="text-ink-soft">{texts.passkeysNone}</p>}
            <ul className="divide-y divide-line">
              {passkeys.map(({ id, name, createdAt }) => (
                <li key={id} className="flex min-h-12 items-center gap-3">
                  <KeyRound className="size-4 shrink-0 text-ink-soft" aria-hidden />
                  <span className="min-w-0 flex-1 truncate">
                    {name || texts.passkeyUnnamed}
                    {createdAt && (
                      <span className="text-ink-soft"> {texts.addedOn(formatDay(createdAt))}</span>
                    )}
                  </span>
                  <Button
                    small
                    aria-label={`${common.remove} ${name || texts.passkeyUnnamed}`}
                    busy={remove.isPending && remove.variables === id}
                    onClick={() => remove.mutate(id)}
                  >
                    {common.remove}
                  </Button>
                </li>
              ))}
            </ul>
            {work ? (
              <Button className="mt-3" onClick={() => setAdding(true)}>
                {texts.addPasskey}
              </Button>
            ) : (
              entrance && <p className="text-ink-soft">{texts.passkeysNotHere(entrance.passkeysAt)}</p>
            )}
          </div>
        )}
      </Loaded>
      {adding && (
        <AddPasskey
          onClose={() => setAdding(false)}
          onDone={() => {
            setAdding(false)
            say(texts.passkeyAdded)
            void refresh()
            onAdded?.()
          }}
        />
      )}
    </Card>
  )
}
