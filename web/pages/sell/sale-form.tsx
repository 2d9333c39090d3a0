import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import type { CatalogueResponse, SaleDone, SaleStart } from '../../../src/api/console/sales.ts'
import { api } from '../../api/client.ts'
import { useSubmit } from '../../api/use-submit.ts'
import { priceQuery, useItemsPrice } from '../../items/items-price.ts'
import { ProductFields } from '../../items/product-fields.tsx'
import { SystemFields } from '../../items/system-fields.tsx'
import { undoMs } from '../../moving/move-project.tsx'
import { notifyEverybody } from '../../moving/recipients.tsx'
import { common } from '../../texts/en/common.ts'
import { moving } from '../../texts/en/moving.ts'
import { sell as texts } from '../../texts/en/sell.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/surface.tsx'
import { useToasts } from '../../ui/toast.tsx'
import { ContractStep } from './contract-step.tsx'
import { type Draft, forgetDraft, keepDraft, keptDraft, newDraft, type Step, stepsOf } from './draft.ts'
import { FinancingStep } from './financing-step.tsx'
import { PriceStep } from './price-step.tsx'
import { problemsOf } from './problems.ts'
import { ReviewStep } from './review-step.tsx'
import { StepList } from './step-list.tsx'
import { Summary } from './summary.tsx'
import { priceBody, saleBody } from './terms.ts'

interface SaleFormProps {
  start: SaleStart
  catalogue: CatalogueResponse
}

/** The sale step by step: each is checked, here and by the server, before the next. */
export function SaleForm({ start, catalogue }: SaleFormProps) {
  const { leadId } = start
  const salePath = `/leads/${encodeURIComponent(leadId)}/sale`
  const pricePath = `${salePath}/price`
  const client = useQueryClient()
  const navigate = useNavigate()
  const { say, complain } = useToasts()
  const [draft, setDraft] = useState(() => keptDraft(start, catalogue) ?? newDraft(start, catalogue))
  const [checked, setChecked] = useState(0)
  const [refusal, setRefusal] = useState<string | null>(null)
  const [notify, setNotify] = useState(notifyEverybody)
  const heading = useRef<HTMLHeadingElement>(null)
  const form = useRef<HTMLFormElement>(null)
  const arrived = useRef<Step>(draft.step)

  const steps = stepsOf(start)
  const { step } = draft
  const body = priceBody(draft, start, catalogue)
  const { priced, error, behind } = useItemsPrice(pricePath, body)
  const problems = checked > 0 ? problemsOf(step, draft, start, catalogue) : {}

  useEffect(() => {
    if (arrived.current !== step) heading.current?.focus()
    arrived.current = step
  }, [step])
  useEffect(() => {
    if (checked > 0) form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()
  }, [checked])

  const keep = (next: Draft) => {
    setDraft(next)
    keepDraft(leadId, next)
  }
  const go = (to: Step) => {
    setChecked(0)
    setRefusal(null)
    keep({ ...draft, step: to })
  }

  function lookAgain() {
    for (const key of ['lead', 'leads', 'activities', 'board', 'home', 'sale', 'search', 'notifications'])
      void client.invalidateQueries({ queryKey: [key] })
  }

  async function undoSale(moveId: string) {
    try {
      await api.post(`${salePath}/undo`, { moveId })
      // Before the project is asked for once more, which is not there now.
      await navigate({ to: '/leads/$id', params: { id: leadId }, replace: true })
      lookAgain()
      say(texts.undone)
    } catch (problem) {
      complain(problem)
    }
  }

  const selling = useSubmit({
    mutationFn: async (_, submission) => {
      const { price } = await client.ensureQueryData(priceQuery(pricePath, body!))
      return api.post<SaleDone>(salePath, saleBody(draft, body!, price!, notify), submission)
    },
    onSuccess: async ({ projectId, before, undo }) => {
      forgetDraft(leadId)
      lookAgain()
      const back = undo && { label: moving.undo, forMs: undoMs, run: () => undoSale(undo.moveId) }
      say(before ? texts.soldBefore : texts.sold, back ?? undefined)
      await navigate({ to: '/projects/$id', params: { id: projectId }, replace: true })
    },
    onError: (problem) => {
      setRefusal(problem.message)
      // The catalogue may have changed meanwhile: what it says now is shown.
      void client.invalidateQueries({ queryKey: ['items-price', pricePath] })
    },
  })

  async function submit(event: FormEvent) {
    event.preventDefault()
    setRefusal(null)
    if (Object.keys(problemsOf(step, draft, start, catalogue)).length > 0) return setChecked(checked + 1)
    if (step === 'review') return selling.mutate()
    try {
      const { annualProductionKwh } = await client.ensureQueryData(priceQuery(pricePath, body!))
      if (step === 'system' && annualProductionKwh === null) return setRefusal(texts.productionUnknown)
      go(steps[steps.indexOf(step) + 1]!)
    } catch (problem) {
      setRefusal((problem as Error).message)
    }
  }

  function startOver() {
    const given = draft
    setChecked(0)
    setRefusal(null)
    keep(newDraft(start, catalogue))
    say(texts.startedOver, { label: texts.undo, run: () => keep(given) })
  }

  const props = {
    start,
    line: start.productLine,
    catalogue,
    draft,
    problems,
    priced,
    change: (patch: Partial<Draft>) => keep({ ...draft, ...patch }),
  }
  const before = steps[steps.indexOf(step) - 1]
  return (
    <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_19rem]">
      <div>
        <StepList steps={steps} current={step} onGo={go} />
        <Card className="p-5 sm:p-6">
          <form ref={form} onSubmit={submit} noValidate>
            <h2 ref={heading} tabIndex={-1} className="pb-4 text-lg font-semibold outline-none">
              {texts.steps[step]}
            </h2>
            {step === 'system' && <SystemFields {...props} />}
            {step === 'products' && <ProductFields {...props} />}
            {step === 'price' && <PriceStep {...props} />}
            {step === 'financing' && <FinancingStep {...props} />}
            {step === 'contract' && <ContractStep {...props} />}
            {step === 'review' && <ReviewStep {...props} onGo={go} notify={notify} onNotify={setNotify} />}
            {refusal && (
              <p role="alert" className="pt-4 text-bad">
                {refusal}
              </p>
            )}
            <div className="mt-6 flex flex-wrap justify-between gap-2 border-t border-line pt-5">
              {before ? <Button onClick={() => go(before)}>{common.back}</Button> : <span />}
              <Button kind="primary" type="submit" busy={selling.isPending}>
                {step === 'review' ? texts.submit : common.next}
              </Button>
            </div>
          </form>
        </Card>
        <p className="flex flex-wrap items-center justify-between gap-2 pt-3 text-[0.87rem] text-ink-soft">
          {texts.draftKept}
          <Button kind="quiet" small onClick={startOver}>
            {texts.startOver}
          </Button>
        </p>
      </div>
      <Summary solar={start.productLine === 'solar'} priced={priced} behind={behind} error={error} />
    </div>
  )
}
