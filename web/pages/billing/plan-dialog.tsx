import { useQueryClient } from '@tanstack/react-query'
import { api } from '../../api/client.ts'
import { useSubmit } from '../../api/use-submit.ts'
import { useSession } from '../../session/session.tsx'
import { billing as texts } from '../../texts/en/billing.ts'
import { SelectField, TextField } from '../../ui/field.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { formatDay } from '../../ui/format.ts'
import { useRecordForm } from '../../ui/record-form.ts'
import { useToasts } from '../../ui/toast.tsx'
import { todayIn } from './money.ts'
import { billingKey, type InstallationPlanResponse } from './use-billing.ts'

interface PlanDialogProps {
  installation: InstallationPlanResponse
  onClose: () => void
}

type State = keyof typeof texts.planIs

/** What the form begins with: the plan as it is, or what a new one usually is. */
function typedOf({ name, address, plan }: InstallationPlanResponse, timezone: string) {
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

function wordsOf(field: keyof Typed, typed: Typed): string {
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
  const record = useRecordForm<Typed>(`plan-of-${id}`, saved, (field) => [
    labels[field],
    wordsOf(field, saved),
  ])
  const { form: typed, seen, input, discard, meanwhile } = record
  const save = useSubmit({
    mutationFn: (_, submission) => {
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
        submission,
      )
    },
    onSuccess: () => {
      say(texts.planSaved(name))
      void client.invalidateQueries({ queryKey: billingKey })
      close()
    },
  })

  function close() {
    discard()
    onClose()
  }

  const isRunning = plan !== null && plan.endedAt === null
  return (
    <FormDialog
      wide
      title={isRunning ? texts.changePlanFor(name) : texts.setPlanFor(name)}
      description={texts.planNote}
      sending={save}
      meanwhile={meanwhile}
      confirm={texts.savePlan}
      onClose={close}
    >
      <div className="grid gap-4 sm:grid-cols-2">
        <SelectField label={texts.kind} options={texts.kinds} {...input('kind')} />
        <TextField
          label={typed.kind === 'ppa' ? texts.rateKwh : texts.rateMonth}
          hint={texts.rateHint}
          required
          inputMode="decimal"
          maxLength={14}
          {...input('rate')}
        />
        <TextField label={texts.escalator} inputMode="decimal" maxLength={8} {...input('escalatorPercent')} />
        <TextField label={texts.startDate} type="date" required {...input('startDate')} />
        <TextField label={texts.currency} required minLength={3} maxLength={3} {...input('currency')} />
        <TextField
          label={texts.term}
          type="number"
          required
          min={0}
          max={365}
          {...input('paymentTermDays')}
        />
        {typed.kind === 'ppa' && (
          <TextField
            label={texts.completeness}
            hint={texts.completenessHint}
            inputMode="decimal"
            maxLength={6}
            {...input('completenessPercent')}
          />
        )}
      </div>
      <fieldset className="mt-1 grid gap-4 border-t border-line pt-4 sm:grid-cols-2">
        <legend className="sr-only">{texts.customer}</legend>
        <p aria-hidden className="font-semibold sm:col-span-2">
          {texts.customer}
        </p>
        <TextField label={texts.name} required maxLength={200} {...input('customerName')} />
        <TextField label={texts.email} type="email" maxLength={320} {...input('email')} />
        <TextField label={texts.address} className="sm:col-span-2" maxLength={500} {...input('address')} />
      </fieldset>
    </FormDialog>
  )
}
