import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { UserPlus } from 'lucide-react'
import { useState } from 'react'
import type { PeopleShown, PersonShown } from '../../../src/api/console/people.ts'
import { api, query as queryText } from '../../api/client.ts'
import { useSession } from '../../session/session.tsx'
import { account as texts } from '../../texts/en/account.ts'
import { common } from '../../texts/en/common.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState, Loaded } from '../../ui/states.tsx'
import { Avatar, Badge, Card, CardHeader } from '../../ui/surface.tsx'
import { useToasts } from '../../ui/toast.tsx'
import { InviteDialog } from './invite-dialog.tsx'

const peopleKey = ['people']

/** Who works here, for those who let others in. */
export function PeopleCard() {
  const { company } = useSession()
  const client = useQueryClient()
  const [inviting, setInviting] = useState(false)
  const query = useInfiniteQuery({
    queryKey: peopleKey,
    initialPageParam: null as string | null,
    queryFn: ({ pageParam, signal }) =>
      api.get<PeopleShown>(`/people${queryText({ after: pageParam })}`, { signal }),
    getNextPageParam: ({ next }) => next,
  })

  return (
    <Card>
      <CardHeader
        title={texts.people}
        actions={
          <Button kind="primary" onClick={() => setInviting(true)}>
            <UserPlus className="size-4" aria-hidden />
            {texts.invite}
          </Button>
        }
      >
        {texts.peopleNote(company.name)}
      </CardHeader>
      <Loaded query={query}>
        {({ pages }) => {
          const people = pages.flatMap((page) => page.people)
          if (people.length === 0) return <EmptyState title={texts.peopleEmpty} />
          return (
            <ul className="divide-y divide-line px-5 pb-3">
              {people.map((person) => (
                <PersonRow key={person.id} person={person} />
              ))}
            </ul>
          )
        }}
      </Loaded>
      {query.hasNextPage && (
        <div className="px-5 pb-5">
          <Button busy={query.isFetchingNextPage} onClick={() => query.fetchNextPage()}>
            {common.showMore}
          </Button>
        </div>
      )}
      {inviting && (
        <InviteDialog
          onClose={() => setInviting(false)}
          onDone={() => {
            setInviting(false)
            void client.invalidateQueries({ queryKey: peopleKey })
            void client.invalidateQueries({ queryKey: ['session'] })
          }}
        />
      )}
    </Card>
  )
}

function PersonRow({ person }: { person: PersonShown }) {
  const { say, complain } = useToasts()
  const again = useMutation({
    mutationFn: () => api.post(`/people/${person.id}/invitation`),
    onSuccess: () => say(texts.invited(person.email)),
    onError: complain,
  })
  const { name, email, role, active, joined } = person
  return (
    <li className="flex min-h-14 flex-wrap items-center gap-x-3 gap-y-1 py-2">
      <Avatar name={name} />
      <div className="min-w-0 flex-1 basis-40">
        <p className="truncate font-medium">{name}</p>
        <p className="truncate text-[0.87rem] text-ink-soft">{email}</p>
      </div>
      <span className="text-ink-soft">{common.roles[role]}</span>
      {!active && <Badge>{texts.deactivated}</Badge>}
      {active && !joined && (
        <>
          <Badge tone="warn">{texts.notJoined}</Badge>
          <Button
            small
            aria-label={texts.inviteAgainOf(name)}
            busy={again.isPending}
            onClick={() => again.mutate()}
          >
            {texts.inviteAgain}
          </Button>
        </>
      )}
    </li>
  )
}
