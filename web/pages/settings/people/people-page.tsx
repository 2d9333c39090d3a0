import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { UserPlus } from 'lucide-react'
import { useState } from 'react'
import { useSession } from '../../../session/session.tsx'
import { people as texts } from '../../../texts/en/people.ts'
import { Button } from '../../../ui/button.tsx'
import { Field, Select } from '../../../ui/field.tsx'
import { ShowMore } from '../../../ui/show-more.tsx'
import { EmptyState, Loaded } from '../../../ui/states.tsx'
import { Card } from '../../../ui/surface.tsx'
import { SettingsHeader } from '../settings-header.tsx'
import { InviteDialog } from './invite-dialog.tsx'
import { PersonRow } from './person-row.tsx'
import { peopleQuery, usePeopleChanged } from './use-people.ts'

const route = getRouteApi('/inside/settings/people')

/** Who works here, for those who let others in. */
export function PeoplePage() {
  const { company: own, companies } = useSession()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const changed = usePeopleChanged()
  const company = companies.find(({ id }) => id === search.company) ?? own
  const [inviting, setInviting] = useState(false)
  const query = useInfiniteQuery(peopleQuery(company.id))

  return (
    <>
      <SettingsHeader
        title={texts.title}
        note={texts.note(company.name)}
        actions={
          <Button kind="primary" onClick={() => setInviting(true)}>
            <UserPlus className="size-4" aria-hidden />
            {texts.invite}
          </Button>
        }
      />
      {companies.length > 1 && (
        <div className="max-w-xs pb-4">
          <Field label={texts.company}>
            <Select
              value={company.id}
              onChange={({ target: { value } }) =>
                navigate({ search: value === own.id ? {} : { company: value }, replace: true })
              }
            >
              {companies.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </Select>
          </Field>
        </div>
      )}
      <Card>
        <Loaded query={query}>
          {({ pages }) => {
            const people = pages.flatMap((page) => page.people)
            if (people.length === 0) return <EmptyState title={texts.empty} />
            return (
              <ul className="divide-y divide-line px-5 py-2">
                {people.map((person) => (
                  <PersonRow key={person.id} person={person} companyId={company.id} />
                ))}
              </ul>
            )
          }}
        </Loaded>
        <ShowMore query={query} />
      </Card>
      {inviting && (
        <InviteDialog
          company={company.id}
          onClose={() => setInviting(false)}
          onDone={() => {
            setInviting(false)
            void changed()
          }}
        />
      )}
    </>
  )
}
