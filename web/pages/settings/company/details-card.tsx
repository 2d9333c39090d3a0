import { type FormEvent, useMemo } from 'react'
import { api } from '../../../api/client.ts'
import { useSubmit } from '../../../api/use-submit.ts'
import { company as texts } from '../../../texts/en/company.ts'
import { Button } from '../../../ui/button.tsx'
import { SelectField, TextField } from '../../../ui/field.tsx'
import { FormNotice } from '../../../ui/form-dialog.tsx'
import { countries } from '../../../ui/places.ts'
import { useRecordForm } from '../../../ui/record-form.ts'
import { Card, CardHeader } from '../../../ui/surface.tsx'
import { TimezoneSelect } from '../../../ui/timezone-select.tsx'
import { useToasts } from '../../../ui/toast.tsx'
import { type CompanyResponse, useCompanyChanged } from './use-company.ts'

/** What a company is called and where it works. */
export function DetailsCard({ company }: { company: CompanyResponse }) {
  const { say } = useToasts()
  const changed = useCompanyChanged()
  const { name, timezone, country } = company
  const saved = { name, timezone, country }
  const record = useRecordForm(`company-details-${company.id}`, saved, (field) => [
    texts[field],
    saved[field],
  ])
  const { form, seen, begun, input, discard, meanwhile } = record
  const choices = useMemo(countries, [])
  const save = useSubmit({
    mutationFn: (_, submission) => api.patch(`/companies/${company.id}`, { ...form, seen }, submission),
    onSuccess: async () => {
      await changed()
      discard()
      say(texts.saved)
    },
  })

  function submit(event: FormEvent) {
    event.preventDefault()
    if (meanwhile.theirs.length === 0) save.mutate()
  }

  return (
    <Card>
      <CardHeader title={texts.details} />
      <form onSubmit={submit} className="flex flex-col gap-4 px-5 pt-1 pb-5">
        <TextField
          label={texts.name}
          error={save.error?.message}
          maxLength={200}
          autoComplete="organization"
          required
          {...input('name')}
        />
        <div className="grid gap-4 sm:grid-cols-2">
          <TimezoneSelect {...input('timezone')} />
          <SelectField
            label={texts.country}
            hint={texts.countryNote}
            options={choices}
            {...input('country')}
          />
        </div>
        <FormNotice sending={save} error={null} meanwhile={meanwhile} />
        <Button kind="primary" type="submit" className="self-start" busy={save.isPending} disabled={!begun}>
          {texts.save}
        </Button>
      </form>
    </Card>
  )
}
