import { getRouteApi, Link } from '@tanstack/react-router'
import { Search } from 'lucide-react'
import { useEffect, useState } from 'react'
import { FoundLine, type FoundRecord, recordsOf } from '../../search/found-record.tsx'
import { useSearch } from '../../search/use-search.ts'
import { search as texts } from '../../texts/en/search.ts'
import { Field, TextInput } from '../../ui/field.tsx'
import { EmptyState, Loaded } from '../../ui/states.tsx'
import { Card, CardHeader, Page, PageHeader } from '../../ui/surface.tsx'

const route = getRouteApi('/inside/search')

export function SearchPage() {
  const asked = route.useSearch().q ?? ''
  const navigate = route.useNavigate()
  const [typed, setTyped] = useState(asked)
  const { q, found } = useSearch(typed)
  useEffect(() => {
    void navigate({ search: q ? { q } : {}, replace: true })
  }, [q, navigate])

  return (
    <Page>
      <PageHeader title={texts.title} />
      <Field label={texts.label} labelHidden className="pb-5">
        <TextInput
          type="search"
          autoFocus
          maxLength={200}
          value={typed}
          placeholder={texts.hint}
          onChange={(event) => setTyped(event.target.value)}
        />
      </Field>
      {q ? (
        <Loaded query={found}>
          {(data) => {
            const records = recordsOf(data)
            const of = (kind: FoundRecord['kind']) => records.filter((record) => record.kind === kind)
            return records.length === 0 ? (
              <EmptyState title={texts.nothing(q)}>{texts.nothingNote}</EmptyState>
            ) : (
              <div className="flex flex-col gap-4">
                <Group title={texts.projects} records={of('projects')} />
                <Group title={texts.leads} records={of('leads')} />
              </div>
            )
          }}
        </Loaded>
      ) : (
        <EmptyState icon={<Search aria-hidden />} title={texts.begin}>
          {texts.beginNote}
        </EmptyState>
      )}
    </Page>
  )
}

function Group({ title, records }: { title: string; records: FoundRecord[] }) {
  if (records.length === 0) return null
  return (
    <Card className="overflow-hidden">
      <CardHeader title={title} />
      <ul className="pb-2">
        {records.map((record) => (
          <li key={record.id}>
            <Link
              to={record.kind === 'leads' ? '/leads/$id' : '/projects/$id'}
              params={{ id: record.id }}
              className="block px-5 py-2 hover:bg-sunken"
            >
              <FoundLine record={record} />
            </Link>
          </li>
        ))}
      </ul>
    </Card>
  )
}
