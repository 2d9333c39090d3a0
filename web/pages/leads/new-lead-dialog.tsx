import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { NewLeadBody } from '../../../src/api/console/lead-requests.ts'
import { api } from '../../api/client.ts'
import { useSubmit } from '../../api/use-submit.ts'
import { useSession } from '../../session/session.tsx'
import { common } from '../../texts/en/common.ts'
import { leads as texts } from '../../texts/en/leads.ts'
import { Button } from '../../ui/button.tsx'
import { useDraft } from '../../ui/draft.ts'
import { Field, SelectField, TextArea, TextField } from '../../ui/field.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { Segments } from '../../ui/tabs.tsx'
import { useToasts } from '../../ui/toast.tsx'
import { emptyLead, newLeadBody, type TypedLead } from './typed-lead.ts'

export function NewLeadDialog({ onClose }: { onClose: () => void }) {
  const { role } = useSession()
  const client = useQueryClient()
  const navigate = useNavigate()
  const { say } = useToasts()
  const draft = useDraft<TypedLead>('new-lead', emptyLead)
  const typed = { ...emptyLead, ...draft.value }
  const [partner, setPartner] = useState(
    Boolean(typed.coFirstName || typed.coLastName || typed.coEmail || typed.coPhone),
  )
  const make = useSubmit({
    mutationFn: (body: NewLeadBody, submission) => api.post<{ leadId: string }>('/leads', body, submission),
    onSuccess: async ({ leadId }) => {
      draft.discard()
      for (const queryKey of [['leads'], ['home']]) client.invalidateQueries({ queryKey })
      say(texts.made)
      onClose()
      await navigate({ to: '/leads/$id', params: { id: leadId } })
    },
  })
  const set = (name: keyof TypedLead, value: string) => draft.write({ ...typed, [name]: value })
  const text = (
    name: keyof TypedLead,
    label: string,
    more: Partial<React.ComponentProps<typeof TextField>> = {},
  ) => (
    <TextField
      label={label}
      maxLength={200}
      autoComplete="off"
      value={typed[name]}
      onChange={(value) => set(name, value)}
      {...more}
    />
  )

  return (
    <FormDialog
      wide
      title={texts.make}
      description={texts.makeNote}
      sending={make}
      onSubmit={() => make.mutate(newLeadBody(typed))}
      confirm={texts.making}
      onClose={onClose}
    >
      <div>
        <Segments
          label={texts.line}
          options={[
            { value: 'solar', label: common.lines.solar },
            { value: 'hi', label: common.lines.hi },
          ]}
          value={typed.productLine}
          onChange={(line) => set('productLine', line)}
        />
      </div>
      <Part title={texts.customer}>
        {text('firstName', texts.firstName, { required: true, autoFocus: true })}
        {text('lastName', texts.lastName, { required: true })}
        {text('phone', texts.phone, { type: 'tel', maxLength: 40 })}
        {text('email', texts.email, { type: 'email', maxLength: 320 })}
      </Part>
      {partner ? (
        <Part title={texts.coBorrower}>
          {text('coFirstName', texts.firstName, { autoFocus: true })}
          {text('coLastName', texts.lastName)}
          {text('coPhone', texts.phone, { type: 'tel', maxLength: 40 })}
          {text('coEmail', texts.email, { type: 'email', maxLength: 320 })}
        </Part>
      ) : (
        <Button small kind="quiet" className="-mt-3 self-start" onClick={() => setPartner(true)}>
          {texts.addCoBorrower}
        </Button>
      )}
      <Part title={texts.address}>
        {text('line1', texts.line1, { required: true })}
        {text('line2', texts.line2)}
        {text('city', texts.city, { required: true })}
        <div className="grid grid-cols-2 gap-3">
          {text('state', texts.state, { required: true })}
          {text('postalCode', texts.postalCode, { required: true })}
        </div>
      </Part>
      <Part title={texts.details}>
        {text('utility', texts.utility)}
        {text('monthlyBill', texts.monthlyBill, {
          inputMode: 'decimal',
          pattern: '\\d{1,10}([.]\\d{1,2})?',
          title: '182.50',
        })}
        {text('source', texts.source)}
        {text('subSource', texts.subSource)}
        {role !== 'rep' && (
          <MemberField label={texts.rep} value={typed.salesRepId} onChange={(id) => set('salesRepId', id)} />
        )}
        {role !== 'setter' && (
          <MemberField label={texts.setter} value={typed.setterId} onChange={(id) => set('setterId', id)} />
        )}
        <Field label={texts.notes} className="sm:col-span-2">
          <TextArea
            rows={3}
            maxLength={20_000}
            placeholder={texts.notesHint}
            value={typed.notes}
            onChange={(event) => set('notes', event.target.value)}
          />
        </Field>
      </Part>
    </FormDialog>
  )
}

function Part({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <fieldset>
      <legend className="pb-2 font-semibold">{title}</legend>
      <div className="grid gap-3 sm:grid-cols-2">{children}</div>
    </fieldset>
  )
}

interface MemberFieldProps {
  label: string
  value: string
  onChange: (memberId: string) => void
}

function MemberField({ label, value, onChange }: MemberFieldProps) {
  const { members, company } = useSession()
  const staff = members.filter(
    ({ companyId, active, role }) =>
      companyId === company.id && active && role !== 'surveyor' && role !== 'subcontractor',
  )
  return (
    <SelectField
      label={label}
      value={value}
      options={[['', common.nobody], ...staff.map(({ id, name }) => [id, name] as const)]}
      onChange={onChange}
    />
  )
}
