import { type FormEvent, useState } from 'react'
import { useSearch } from '../../../search/use-search.ts'
import { audit as texts } from '../../../texts/en/audit.ts'
import { common } from '../../../texts/en/common.ts'
import { Field, TextInput } from '../../../ui/field.tsx'

interface RecordSearchProps {
  onChoose: (id: string) => void
}

const shown = 6

/** Finds a record by its customer's name; an id or a reference is taken as it is. */
export function RecordSearch({ onChoose }: RecordSearchProps) {
  const [typed, setTyped] = useState('')
  const { q, found: search } = useSearch(typed)
  // Not what was found for something typed before: Enter takes the only one.
  const isMeant = q.length >= 2 && q === typed.trim() && !search.isPlaceholderData
  const data = isMeant ? search.data : undefined
  const found = data ? [...data.projects, ...data.leads].slice(0, shown) : []

  function choose(id: string) {
    setTyped('')
    onChoose(id)
  }
  function submit(event: FormEvent) {
    event.preventDefault()
    const [only] = found
    if (only && found.length === 1) choose(only.id)
    else if (typed.trim()) choose(typed.trim())
  }

  return (
    <search className="relative min-w-52 flex-2 max-sm:basis-full">
      <form onSubmit={submit}>
        <Field label={texts.record} labelHidden>
          <TextInput
            type="search"
            maxLength={100}
            value={typed}
            placeholder={texts.recordHint}
            autoComplete="off"
            onChange={(event) => setTyped(event.target.value)}
            onKeyDown={(event) => event.key === 'Escape' && setTyped('')}
          />
        </Field>
      </form>
      {data && (
        <div className="absolute inset-x-0 z-30 mt-1 rounded-xl border border-line bg-raised p-1 shadow-high">
          {found.length === 0 && <p className="px-3 py-2 text-ink-soft">{texts.foundNothing}</p>}
          <ul aria-label={texts.found}>
            {found.map(({ id, customer, place }) => (
              <li key={id}>
                <button
                  type="button"
                  onClick={() => choose(id)}
                  className="flex min-h-10 w-full flex-col rounded-lg px-3 py-1.5 text-left hover:bg-sunken"
                >
                  <span className="font-medium">{customer ?? common.unknown}</span>
                  {place && <span className="text-[0.87rem] text-ink-soft">{place}</span>}
                </button>
              </li>
            ))}
          </ul>
        </div>
      )}
    </search>
  )
}
