import { useState } from 'react'
import type { ImportResponse } from '../../../../src/api/console/import-responses.ts'
import { imports as texts } from '../../../texts/en/imports.ts'
import { Button } from '../../../ui/button.tsx'
import { Field, Select } from '../../../ui/field.tsx'
import { Card, CardHeader } from '../../../ui/surface.tsx'
import { useImportStep } from './use-import.ts'

type Column = ImportResponse['columns'][number]
type FieldName = NonNullable<Column['field']>

const names = Object.keys(texts.fields) as FieldName[]
const firstOfProject = names.indexOf('stage')
const groups = [
  { label: texts.aboutLead, fields: names.slice(0, firstOfProject) },
  { label: texts.aboutProject, fields: names.slice(firstOfProject) },
]

/** What each column of the file fills, as it was guessed, to be changed. */
export function MappingCard({ shown, onDone }: { shown: ImportResponse; onDone?: () => void }) {
  const [mapping, setMapping] = useState(() => shown.columns.map(({ field }) => field))
  const step = useImportStep(shown.id)
  const choose = (at: number, field: FieldName | null) =>
    // A field is filled by one column: chosen for another, it is left out here.
    setMapping((before) => before.map((old, i) => (i === at ? field : old === field ? null : old)))

  return (
    <Card>
      <CardHeader title={texts.columns}>{texts.columnsNote}</CardHeader>
      <ul className="divide-y divide-line border-t border-line">
        {shown.columns.map((column, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a column is its place, and two may have one name
          <li key={at} className="grid gap-x-6 gap-y-2 px-5 py-3 sm:grid-cols-2 sm:items-center">
            <ColumnHead column={column} place={at + 1} />
            <Field label={texts.fieldOf(column.name || texts.unnamed(at + 1))} labelHidden>
              <Select
                value={mapping[at] ?? ''}
                onChange={(event) => choose(at, (event.target.value || null) as FieldName | null)}
              >
                <option value="">{texts.leftOut}</option>
                {groups.map(({ label, fields }) => (
                  <optgroup key={label} label={label}>
                    {fields.map((field) => (
                      <option key={field} value={field}>
                        {texts.fields[field]}
                      </option>
                    ))}
                  </optgroup>
                ))}
              </Select>
            </Field>
          </li>
        ))}
      </ul>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2 border-t border-line px-5 py-4">
        <Button
          kind="primary"
          busy={step.isPending}
          disabled={mapping.every((field) => field === null)}
          onClick={() =>
            step.mutate({ step: 'check', body: { mapping } }, onDone ? { onSuccess: onDone } : {})
          }
        >
          {texts.check}
        </Button>
        <p className="min-w-0 flex-1 basis-60 text-ink-soft">{texts.checkNote}</p>
      </div>
    </Card>
  )
}

function ColumnHead({ column: { name, samples }, place }: { column: Column; place: number }) {
  return (
    <div className="min-w-0">
      <p className="truncate font-medium">{name || texts.unnamed(place)}</p>
      <p className="truncate text-[0.87rem] text-ink-soft">{samples.join(' · ') || '—'}</p>
    </div>
  )
}
