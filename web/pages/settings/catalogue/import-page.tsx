import { getRouteApi } from '@tanstack/react-router'
import { FileSpreadsheet } from 'lucide-react'
import { useState } from 'react'
import type { TablePlanResponse } from '../../../../src/api/console/catalogue.ts'
import { api } from '../../../api/client.ts'
import { useSubmit } from '../../../api/use-submit.ts'
import { catalogue as texts } from '../../../texts/en/catalogue.ts'
import { BackLink } from '../../../ui/back-link.tsx'
import { ChooseFiles } from '../../../ui/choose-files.tsx'
import { DropZone } from '../../../ui/drop-zone.tsx'
import { Problem } from '../../../ui/problem.tsx'
import { Segments } from '../../../ui/tabs.tsx'
import { useToasts } from '../../../ui/toast.tsx'
import { SettingsHeader } from '../settings-header.tsx'
import { PlanCard } from './plan-card.tsx'
import { type SectionName, useCatalogueChange } from './use-catalogue.ts'

const route = getRouteApi('/inside/settings/catalogue/import')
const sections = Object.entries(texts.sections).map(([value, label]) => ({
  value: value as SectionName,
  label,
}))
const maxBytes = 1_000_000

interface TableFile {
  name: string
  csv: string
}

interface Checked extends TableFile {
  plan: TablePlanResponse
}

/** A table of the catalogue: seen first, then applied. */
export function CatalogueImportPage() {
  const section: SectionName = route.useSearch().section === 'equipment' ? 'equipment' : 'adders'
  const navigate = route.useNavigate()
  const { say } = useToasts()
  const [checked, setChecked] = useState<Checked | null>(null)
  const check = useSubmit({
    mutationFn: async (source: File | TableFile, submission): Promise<Checked> => {
      const { name, csv } = source instanceof File ? await tableOf(source) : source
      return { name, csv, plan: await api.post<TablePlanResponse>(`/${section}/check`, { csv }, submission) }
    },
    onSuccess: setChecked,
  })
  const apply = useCatalogueChange(({ csv, plan: { stamp } }: Checked, submission) =>
    api.post<TablePlanResponse>(`/${section}/import`, { csv, stamp }, submission),
  )
  const take = ([file]: File[]) => file && check.mutate(file)

  return (
    <>
      <BackLink to="/settings/catalogue" search={section === 'equipment' ? { part: 'panel' } : {}}>
        {texts.back}
      </BackLink>
      <SettingsHeader title={texts.importTitle} note={texts.importNote} />
      {checked ? (
        <PlanCard
          name={checked.name}
          plan={checked.plan}
          busy={apply.isPending}
          error={apply.error?.message ?? null}
          onApply={() =>
            apply.mutate(checked, {
              onSuccess: ({ counts }) => {
                say(texts.applied(counts.made, counts.changed))
                void navigate({
                  to: '/settings/catalogue',
                  search: section === 'equipment' ? { part: 'panel' } : {},
                })
              },
              // What it would do now is shown beside what went wrong.
              onError: () => check.mutate(checked),
            })
          }
          onLeave={() => {
            setChecked(null)
            apply.reset()
          }}
        />
      ) : (
        <>
          <div className="pb-4">
            <Segments
              label={texts.which}
              options={sections}
              value={section}
              onChange={(value) => navigate({ search: { section: value }, replace: true })}
            />
          </div>
          <DropZone
            onFiles={check.isPending ? null : take}
            className="rounded-xl border-2 border-dashed border-line-strong/50 bg-surface"
          >
            {() => (
              <div className="flex flex-col items-center gap-2 px-6 py-10 text-center">
                <FileSpreadsheet className="size-9 text-ink-soft" aria-hidden />
                <p className="font-semibold">{texts.drop}</p>
                <p className="text-ink-soft">{texts.dropNote}</p>
                <ChooseFiles kind="primary" className="mt-2" busy={check.isPending} onFiles={take}>
                  {texts.chooseFile}
                </ChooseFiles>
                <Problem className="mt-2">{check.error?.message}</Problem>
              </div>
            )}
          </DropZone>
        </>
      )}
    </>
  )
}

/** Spreadsheets write UTF-8, or the encoding of Windows. */
async function tableOf(file: File): Promise<TableFile> {
  if (file.size > maxBytes) throw new Error(texts.tooLarge(file.name))
  const bytes = await file.arrayBuffer()
  const decoded = (encoding: string, fatal: boolean) => new TextDecoder(encoding, { fatal }).decode(bytes)
  try {
    return { name: file.name, csv: decoded('utf-8', true) }
  } catch {
    return { name: file.name, csv: decoded('windows-1252', false) }
  }
}
