import { useQueryClient } from '@tanstack/react-query'
import type { FormEvent } from 'react'
import { api } from '../../api/client.ts'
import { useSubmit } from '../../api/use-submit.ts'
import { useSession } from '../../session/session.tsx'
import { billing as texts } from '../../texts/en/billing.ts'
import { common } from '../../texts/en/common.ts'
import { Button } from '../../ui/button.tsx'
import { ChangedMeanwhile } from '../../ui/changed-meanwhile.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { Field, Select, TextInput } from '../../ui/field.tsx'
import { formatDay } from '../../ui/format.ts'
import { useRecordForm } from '../../ui/record-form.ts'
import { useToasts } from '../../ui/toast.tsx'
import { todayIn } from './money.ts'
import { billingKey, type InstallationPlanShown } from './use-billing.ts'

interface PlanDialogProps {
  installation: InstallationPlanShown
  onClose: () => void
}

type State = keyof typeof texts.planIs

/** What the form begins with: the plan as it is, or what a new one usually is. */
function typedOf({ name, address, plan }: InstallationPlanShown, timezone: string) {
  return {
    state: (plan === null ? 'none' : plan.endedAt === null ? 'running' : 'ended') as State,
    kind: plan?.kind ?? ('ppa' as const),
    rate: plan?.rate ?? '',
    escalatorPercent: plan?.escalatorPercent ?? '0',
    startDate: plan?.startDate ?? `${todayIn(timezone).slice(0, 7)}-01`,
    currency: plan?.currency ?? 'USD',
    paymentTermDays: String(plan?.paymentTermDays ?? 30),
    completenessPercent: plan?.completenessPercent ?? '95',
    customerName: plan?.customer.name ?? name,
    email: plan?.customer.email ?? '',
    address: plan ? (plan.customer.address ?? '') : address,
  }
}
type Typed = ReturnType<typeof typedOf>

const labels: Record<keyof Typed, string> = {
  state: texts.planState,
  kind: texts.kind,
  rate: texts.rateKwh,
  escalatorPercent: texts.escalator,
  startDate: texts.startDate,
  currency: texts.currency,
  paymentTermDays: texts.term,
  completenessPercent: texts.completeness,
  customerName: texts.name,
  email: texts.email,
  address: texts.address,
}

function shownOf(field: keyof Typed, typed: Typed): string {
  if (field === 'state') return texts.planIs[typed.state]
  if (field === 'kind') return texts.kinds[typed.kind]
  return field === 'startDate' ? formatDay(typed.startDate) : typed[field]
}

/** The fields as changes of them are told. Where there was no plan, nothing was there. */
function seenOf({ state, customerName, email, address, ...same }: Typed) {
  const seen = {
    ...same,
    'customer.name': customerName,
    'customer.email': email,
    'customer.address': address,
  }
  const isThere = state !== 'none'
  return {
    ...Object.fromEntries(Object.entries(seen).map(([name, text]) => [name, (isThere && text) || null])),
    running: isThere ? state === 'running' : null,
  }
}

/** Sets what an installation's customer pays, in place of what it was. */
export function PlanDialog({ installation, onClose }: PlanDialogProps) {
  const { id, name, plan } = installation
  const { company } = useSession()
  const { say } = useToasts()
  const client = useQueryClient()
  const saved = typedOf(installation, company.timezone)
  const { form: typed, seen, theirs, set, keepMine, discard } = useRecordForm<Typed>(`plan-of-${id}`, saved)
  const save = useSubmit({
    mutationFn: (_, once) => {
      const { state: _state, customerName, email, address: billedAt, paymentTermDays, ...same } = typed
      return api.put(
        `/billing/plans/${id}`,
        {
          ...same,
          rate: same.rate.trim(),
          escalatorPercent: same.escalatorPercent.trim() || '0',
          paymentTermDays: Number(paymentTermDays),
          completenessPercent: same.completenessPercent.trim() || '95',
          customer: { name: customerName, email: email || null, address: billedAt || null },
          seen: seenOf(seen),
        },
        once,
      )
    },
    onSuccess: () => {
      say(texts.planSaved(name))
      void client.invalidateQueries({ queryKey: billingKey })
      close()
    },
  })
  const input = (field: keyof Typed) => ({
    value: typed[field],
    onChange: ({ target }: { target: { value: string } }) => set({ [field]: target.value }),
  })

  function close() {
    discard()
    onClose()
  }

  function submit(event: FormEvent) {
    event.preventDefault()
    if (theirs.length === 0) save.mutate()
  }

  const isRunning = plan !== null && plan.endedAt === null
  return (
    <Dialog
      open
      wide
      onClose={close}
      title={isRunning ? texts.changePlanFor(name) : texts.setPlanFor(name)}
      description={texts.planNote}
    >
      <form onSubmit={submit}>
        <div className="grid gap-4 sm:grid-cols-2">
          <Field label={texts.kind}>
            <Select {...input('kind')}>
              {Object.entries(texts.kinds).map(([kind, text]) => (
                <option key={kind} value={kind}>
                  {text}
                </option>
              ))}
            </Select>
          </Field>
          <Field label={typed.kind === 'ppa' ? texts.rateKwh : texts.rateMonth} hint={texts.rateHint}>
            <TextInput required inputMode="decimal" maxLength={14} {...input('rate')} />
          </Field>
          <Field label={texts.escalator}>
            <TextInput inputMode="decimal" maxLength={8} {...input('escalatorPercent')} />
          </Field>
          <Field label={texts.startDate}>
            <TextInput type="date" required {...input('startDate')} />
          </Field>
          <Field label={texts.currency}>
            <TextInput required minLength={3} maxLength={3} {...input('currency')} />
          </Field>
          <Field label={texts.term}>
            <TextInput type="number" required min={0} max={365} {...input('paymentTermDays')} />
          </Field>
          {typed.kind === 'ppa' && (
            <Field label={texts.completeness} hint={texts.completenessHint}>
              <TextInput inputMode="decimal" maxLength={6} {...input('completenessPercent')} />
            </Field>
          )}
        </div>
        <fieldset className="mt-5 grid gap-4 border-t border-line pt-4 sm:grid-cols-2">
          <legend className="sr-only">{texts.customer}</legend>
          <p aria-hidden className="font-semibold sm:col-span-2">
            {texts.customer}
          </p>
          <Field label={texts.name}>
            <TextInput required maxLength={200} {...input('customerName')} />
          </Field>
          <Field label={texts.email}>
            <TextInput type="email" maxLength={320} {...input('email')} />
          </Field>
          <Field label={texts.address} className="sm:col-span-2">
            <TextInput maxLength={500} {...input('address')} />
          </Field>
        </fieldset>
        {theirs.length > 0 && !save.isPending ? (
          <div className="mt-4">
            <ChangedMeanwhile
              theirs={theirs.map((field) => [labels[field], shownOf(field, saved)])}
              onKeep={keepMine}
              onDiscard={discard}
            />
          </div>
        ) : (
          save.error && (
            <p role="alert" className="mt-4 text-bad">
              {save.error.message}
            </p>
          )
        )}
        <DialogActions>
          <Button onClick={close}>{common.cancel}</Button>
          <Button kind="primary" type="submit" busy={save.isPending}>
            {texts.savePlan}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
