import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useMemo } from 'react'
import { api } from '../../../api/client.ts'
import { company as texts } from '../../../texts/en/company.ts'
import { Button } from '../../../ui/button.tsx'
import { useDraft } from '../../../ui/draft.ts'
import { Field, Select, TextInput } from '../../../ui/field.tsx'
import { Card, CardHeader } from '../../../ui/surface.tsx'
import { useToasts } from '../../../ui/toast.tsx'
import { countries } from './places.ts'
import { TimezoneSelect } from './timezone-select.tsx'
import { type CompanyShown, useCompanyChanged } from './use-company.ts'

/** What a company is called and where it works. */
export function DetailsCard({ company }: { company: CompanyShown }) {
  const { say } = useToasts()
  const changed = useCompanyChanged()
  const { name, timezone, country } = company
  const draft = useDraft(`company-${company.id}`, { name, timezone, country })
  const set = (change: Partial<typeof draft.value>) => draft.write({ ...draft.value, ...change })
  const choices = useMemo(countries, [])
  const save = useMutation({
    mutationFn: () => api.patch(`/companies/${company.id}`, draft.value),
    onSuccess: async () => {
      await changed()
      draft.discard()
      say(texts.saved)
    },
  })

  function submit(event: FormEvent) {
    event.preventDefault()
    save.mutate()
  }

  return (
    <Card>
      <CardHeader title={texts.details} />
      <form onSubmit={submit} className="flex flex-col gap-4 px-5 pt-1 pb-5">
        <Field label={texts.name} error={save.error?.message}>
          <TextInput
            value={draft.value.name}
            onChange={(event) => set({ name: event.target.value })}
            maxLength={200}
            autoComplete="organization"
            required
          />
        </Field>
        <div className="grid gap-4 sm:grid-cols-2">
          <TimezoneSelect value={draft.value.timezone} onChange={(zone) => set({ timezone: zone })} />
          <Field label={texts.country} hint={texts.countryNote}>
            <Select value={draft.value.country} onChange={(event) => set({ country: event.target.value })}>
              {choices.map(([code, word]) => (
                <option key={code} value={code}>
                  {word}
                </option>
              ))}
            </Select>
          </Field>
        </div>
        <Button
          kind="primary"
          type="submit"
          className="self-start"
          busy={save.isPending}
          disabled={!draft.begun}
        >
          {texts.save}
        </Button>
      </form>
    </Card>
  )
}
