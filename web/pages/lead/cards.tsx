import { Mail, Phone, UserRoundPlus } from 'lucide-react'
import { useState } from 'react'
import { lead as record } from '../../texts/en/lead.ts'
import { leads as texts } from '../../texts/en/leads.ts'
import { Button } from '../../ui/button.tsx'
import { Editable } from '../../ui/editable.tsx'
import { formatMoney } from '../../ui/format.ts'
import { Card, CardHeader } from '../../ui/surface.tsx'
import { leadName } from '../leads/use-leads.ts'
import { type LeadPatchBody, type LeadResponse, useLeadChange } from './use-lead.ts'

interface RowProps {
  lead: LeadResponse
  /** The field, as changes of it are told. */
  name: string
  label: string
  value: string | null
  shown?: string | undefined
  patch: (text: string) => LeadPatchBody
  input?: React.ComponentProps<typeof Editable>['input']
  /** What can be done with the value, at the end of its row. */
  children?: React.ReactNode
}

/** A field of the record: its name, and its value, edited where it stands. */
function Row({ lead, name, label, value, shown, patch, input, children }: RowProps) {
  const change = useLeadChange(lead)
  return (
    <div className="grid min-h-11 grid-cols-[6.75rem_minmax(0,1fr)] items-start gap-2 py-1">
      <dt className="pt-1.75 text-[0.93rem] leading-snug text-ink-soft">{label}</dt>
      <dd className="flex items-start gap-3">
        <div className="min-w-0 flex-1">
          <Editable
            label={label}
            value={value}
            shown={shown}
            input={input}
            readOnly={!lead.can.edit}
            draftKey={`lead-${lead.id}-${name}`}
            onSave={(text, seen) => change.mutateAsync({ ...patch(text), seen: { [name]: seen } })}
          />
        </div>
        {children}
      </dd>
    </div>
  )
}

function Rows({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <Card>
      <CardHeader title={title} />
      <dl className="px-5 pb-3">{children}</dl>
    </Card>
  )
}

const quietIcon =
  'inline-flex size-9 shrink-0 items-center justify-center rounded-lg text-ink-soft hover:bg-sunken hover:text-ink'

interface CustomerCardProps {
  lead: LeadResponse
  of: 'customer' | 'coBorrower'
  title: string
}

const contactInputs = {
  firstName: {},
  lastName: {},
  phone: { type: 'tel', maxLength: 40 },
  email: { inputMode: 'email', maxLength: 320 },
} as const

export function CustomerCard({ lead, of, title }: CustomerCardProps) {
  const contact = lead[of]
  const name = contact ? leadName(contact) : ''
  const fields = Object.keys(contactInputs) as (keyof typeof contactInputs)[]
  return (
    <Rows title={title}>
      {fields.map((field) => (
        <Row
          key={field}
          lead={lead}
          name={of === 'customer' ? field : `${of}.${field}`}
          label={texts[field]}
          value={contact?.[field] ?? null}
          patch={(text) => (of === 'customer' ? { [field]: text } : { coBorrower: { [field]: text } })}
          input={contactInputs[field]}
        >
          {field === 'phone' && contact?.phone && (
            <a href={`tel:${contact.phone}`} aria-label={record.call(name)} className={quietIcon}>
              <Phone className="size-4" aria-hidden />
            </a>
          )}
          {field === 'email' && contact?.email && (
            <a href={`mailto:${contact.email}`} aria-label={record.write(name)} className={quietIcon}>
              <Mail className="size-4" aria-hidden />
            </a>
          )}
        </Row>
      ))}
    </Rows>
  )
}

/** Most have none: the fields are there once somebody wants to fill them. */
export function CoBorrowerCard({ lead }: { lead: LeadResponse }) {
  const [open, setOpen] = useState(false)
  if (lead.coBorrower || open) return <CustomerCard lead={lead} of="coBorrower" title={texts.coBorrower} />
  if (!lead.can.edit) return null
  return (
    <Button className="self-start" onClick={() => setOpen(true)}>
      <UserRoundPlus className="size-4" aria-hidden />
      {texts.addCoBorrower}
    </Button>
  )
}

export function AddressCard({ lead }: { lead: LeadResponse }) {
  const fields = ['line1', 'line2', 'city', 'state', 'postalCode', 'country'] as const
  return (
    <Rows title={texts.address}>
      {fields.map((field) => (
        <Row
          key={field}
          lead={lead}
          name={`address.${field}`}
          label={texts[field]}
          value={lead.address[field]}
          patch={(text) => ({ address: { [field]: text } })}
        />
      ))}
    </Rows>
  )
}

export function DetailsCard({ lead }: { lead: LeadResponse }) {
  const { utility, source } = lead
  return (
    <Rows title={texts.details}>
      <Row
        lead={lead}
        name="utility.name"
        label={texts.utility}
        value={utility.name}
        patch={(name) => ({ utility: { name } })}
      />
      <Row
        lead={lead}
        name="utility.monthlyBill"
        label={texts.monthlyBill}
        value={utility.monthlyBill}
        shown={utility.monthlyBill ? formatMoney(utility.monthlyBill) : ''}
        patch={(text) => ({ utility: { monthlyBill: text.replace(/[$,\s]/g, '') } })}
        input={{ inputMode: 'decimal' }}
      />
      <Row
        lead={lead}
        name="source.name"
        label={texts.source}
        value={source.name}
        patch={(name) => ({ source: { name } })}
      />
      <Row
        lead={lead}
        name="source.subSource"
        label={texts.subSource}
        value={source.subSource}
        patch={(subSource) => ({ source: { subSource } })}
      />
    </Rows>
  )
}

export function NotesCard({ lead }: { lead: LeadResponse }) {
  const change = useLeadChange(lead)
  return (
    <Card>
      <CardHeader title={texts.notes} />
      <div className="px-5 pb-4">
        <Editable
          label={texts.notes}
          value={lead.notes}
          multiline
          readOnly={!lead.can.edit}
          draftKey={`lead-${lead.id}-notes`}
          onSave={(notes, seen) => change.mutateAsync({ notes, seen: { notes: seen } })}
        />
      </div>
    </Card>
  )
}
