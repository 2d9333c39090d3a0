import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { HardHat, Info } from 'lucide-react'
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import type { CatalogueResponse } from '../../../src/api/console/sales.ts'
import { api } from '../../api/client.ts'
import { priceQuery, useItemsPrice } from '../../items/items-price.ts'
import { ProductFields } from '../../items/product-fields.tsx'
import { SystemFields } from '../../items/system-fields.tsx'
import { common } from '../../texts/en/common.ts'
import { items as texts } from '../../texts/en/items.ts'
import { sell } from '../../texts/en/sell.ts'
import { Button } from '../../ui/button.tsx'
import { ChangedMeanwhile } from '../../ui/changed-meanwhile.tsx'
import { useDraft } from '../../ui/draft.ts'
import { Field, TextInput } from '../../ui/field.tsx'
import { Card } from '../../ui/surface.tsx'
import { useToasts } from '../../ui/toast.tsx'
import { type ProjectResponse, useProjectChange } from '../project/use-project.ts'
import { catalogueWithSold } from './catalogue-with-sold.ts'
import { type Draft, draftOf, fitting, itemsBody, problemsOf } from './draft.ts'
import { PriceCard } from './price-card.tsx'

interface ItemsFormProps {
  project: ProjectResponse
  offered: CatalogueResponse
}

/** What was sold, changed: priced by the server as it is filled in. */
export function ItemsForm({ project, offered }: ItemsFormProps) {
  const { id, productLine: line } = project
  const path = `/projects/${id}/items`
  const client = useQueryClient()
  const navigate = useNavigate()
  const { say } = useToasts()
  const saving = useProjectChange(project)
  const kept = useDraft<Draft>(`project-items-${id}`, draftOf(project, offered))
  // What was there when the first of it was changed.
  const seen = useDraft(`project-items-seen-${id}`, project.itemsVersion)
  const [checked, setChecked] = useState(0)
  const [refusal, setRefusal] = useState<string | null>(null)
  const form = useRef<HTMLFormElement>(null)

  const catalogue = catalogueWithSold(offered, project)
  const draft = fitting(kept.value, catalogue)
  const body = itemsBody(draft, project, catalogue)
  const { priced, error, behind } = useItemsPrice(`${path}/price`, body)
  const problems = problemsOf(draft, project, catalogue)
  const change = (patch: Partial<Draft>) => {
    if (!seen.begun) seen.write(project.itemsVersion)
    kept.write({ ...draft, ...patch })
  }
  const changedMeanwhile = kept.begun && seen.value !== project.itemsVersion && !saving.isPending

  useEffect(() => {
    if (checked > 0) form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()
  }, [checked])

  function discard() {
    kept.discard()
    seen.discard()
  }

  async function leave() {
    discard()
    await navigate({ to: '/projects/$id', params: { id } })
  }

  function save(event: FormEvent) {
    event.preventDefault()
    if (changedMeanwhile) return
    setRefusal(null)
    if (Object.keys(problems).length > 0) return setChecked(checked + 1)
    let changed = false
    saving.mutate({
      send: async () => {
        const { computed } = await client.ensureQueryData(priceQuery(`${path}/price`, body!))
        const newPrice = draft.takesPrice ? computed : null
        const answer = await api.put<{ changed: boolean }>(path, {
          ...body,
          newPrice,
          ...(seen.value ? { seen: seen.value } : {}),
        })
        changed = answer.changed
      },
      onDone: () => {
        say(changed ? texts.saved : texts.nothingNew)
        void leave()
      },
      onRefused: ({ message }) => {
        setRefusal(message)
        // The catalogue may have changed meanwhile: what it says now is shown.
        void client.invalidateQueries({ queryKey: ['items-price', `${path}/price`] })
      },
    })
  }

  const props = { line, catalogue, draft, change, priced, problems: checked > 0 ? problems : {} }
  return (
    <form
      ref={form}
      onSubmit={save}
      noValidate
      className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_21rem]"
    >
      <div className="flex flex-col gap-4">
        {project.installationId && (
          <Note icon={<HardHat className="size-5" aria-hidden />}>{texts.built}</Note>
        )}
        <Card className="p-5 sm:p-6">
          {line === 'solar' ? (
            <SystemFields {...props} productionHint={texts.productionHint} />
          ) : (
            <ProductFields {...props} />
          )}
        </Card>
      </div>
      <div className="flex flex-col gap-4 lg:sticky lg:top-6">
        {line === 'solar' && (
          <Card className="p-5">
            <Field label={sell.perWatt} hint={sell.perWattHint} error={props.problems['perWatt']}>
              <TextInput
                value={draft.perWatt}
                onChange={(event) => change({ perWatt: event.target.value })}
                inputMode="decimal"
                autoComplete="off"
              />
            </Field>
          </Card>
        )}
        <PriceCard
          solar={line === 'solar'}
          priced={priced}
          behind={behind}
          error={error}
          contractPrice={project.contract?.price ?? null}
          takes={draft.takesPrice}
          onTake={(takesPrice) => change({ takesPrice })}
        />
        {project.financing && project.financing.type !== 'cash' && (
          <Note icon={<Info className="size-5" aria-hidden />}>{texts.financed}</Note>
        )}
        {changedMeanwhile ? (
          <ChangedMeanwhile onKeep={() => seen.write(project.itemsVersion)} onDiscard={discard} />
        ) : (
          refusal && (
            <p role="alert" className="text-bad">
              {refusal}
            </p>
          )
        )}
        <div className="flex flex-wrap justify-end gap-2">
          <Button onClick={leave}>{common.cancel}</Button>
          <Button kind="primary" type="submit" busy={saving.isPending}>
            {texts.save}
          </Button>
        </div>
      </div>
    </form>
  )
}

function Note({ icon, children }: { icon: ReactNode; children: string }) {
  return (
    <p className="flex gap-3 rounded-xl bg-info-soft px-4 py-3 text-[0.93rem] text-info">
      <span className="shrink-0">{icon}</span>
      {children}
    </p>
  )
}
