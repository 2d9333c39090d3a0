import { type FormEvent, useMemo } from 'react'
import { api } from '../../../api/client.ts'
import { useSubmit } from '../../../api/use-submit.ts'
import { company as texts } from '../../../texts/en/company.ts'
import { Button } from '../../../ui/button.tsx'
import { ChangedMeanwhile } from '../../../ui/changed-meanwhile.tsx'
import { Field, Select, TextInput } from '../../../ui/field.tsx'
import { useRecordForm } from '../../../ui/record-form.ts'
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
  const saved = { name, timezone, country }
  const { form, seen, begun, theirs, set, keepMine, discard } = useRecordForm(
    `company-details-${company.id}`,
    saved,
  )
  const choices = useMemo(countries, [])
  const save = useSubmit({
    mutationFn: (_, once) => api.patch(`/companies/${company.id}`, { ...form, seen }, once),
    onSuccess: async () => {
      await changed()
      discard()
      say(texts.saved)
    },
  })

  function submit(event: FormEvent) {
    event.preventDefault()
    if (theirs.length === 0) save.mutate()
  }

  return (
    <Card>
      <CardHeader title={texts.details} />
      <form onSubmit={submit} className="flex flex-col gap-4 px-5 pt-1 pb-5">
        <Field label={texts.name} error={save.error?.message}>
          <TextInput
            value={form.name}
            onChange={(event) => set({ name: event.target.value })}
            maxLength={200}
            autoComplete="organization"
            required
          />
        </Field>
        <div className="grid gap-4 sm:grid-cols-2">
          <TimezoneSelect value={form.timezone} onChange={(zone) => set({ timezone: zone })} />
          <Field label={texts.country} hint={texts.countryNote}>
            <Select value={form.country} onChange={(event) => set({ country: event.target.value })}>
              {choices.map(([code, word]) => (
                <option key={code} value={code}>
                  {word}
                </option>
              ))}
            </Select>
          </Field>
        </div>
        {theirs.length > 0 && !save.isPending && (
          <ChangedMeanwhile
            theirs={theirs.map((field) => [texts[field], saved[field]])}
            onKeep={keepMine}
            onDiscard={discard}
          />
        )}
        <Button kind="primary" type="submit" className="self-start" busy={save.isPending} disabled={!begun}>
          {texts.save}
        </Button>
      </form>
    </Card>
  )
}
