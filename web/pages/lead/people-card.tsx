import { Mail, Pencil, Phone } from 'lucide-react'
import { useSession } from '../../session/session.tsx'
import { common } from '../../texts/en/common.ts'
import { lead as texts } from '../../texts/en/lead.ts'
import { leads } from '../../texts/en/leads.ts'
import { IconButton } from '../../ui/button.tsx'
import { Menu } from '../../ui/menu.tsx'
import { Avatar, Card, CardHeader } from '../../ui/surface.tsx'
import { MemberChoices } from '../leads/member-choices.tsx'
import { type LeadResponse, useLeadField } from './use-lead.ts'

const slots = [
  { person: 'salesRep', field: 'salesRepId', label: leads.rep },
  { person: 'setter', field: 'setterId', label: leads.setter },
] as const

export function PeopleCard({ lead }: { lead: LeadResponse }) {
  return (
    <Card>
      <CardHeader title={leads.people} />
      <ul className="px-5 pb-3">
        {slots.map((slot) => (
          <Person key={slot.field} lead={lead} {...slot} />
        ))}
      </ul>
    </Card>
  )
}

const quietIcon =
  'inline-flex size-8 shrink-0 items-center justify-center rounded-lg text-ink-soft hover:bg-sunken hover:text-ink'

function Person({ lead, person, field, label }: { lead: LeadResponse } & (typeof slots)[number]) {
  const { members } = useSession()
  const change = useLeadField(lead)
  const who = lead[person]
  const choose = (id: string | null) =>
    change.set({
      ...{ field, to: id, label },
      words: (member) => members.find((one) => one.id === member)?.name ?? common.nobody,
    })
  return (
    <li className="flex min-h-13 items-center gap-3 py-1.5">
      {who ? (
        <Avatar name={who.name} small />
      ) : (
        <span aria-hidden className="size-6 rounded-full border border-dashed border-line-strong" />
      )}
      <span className="min-w-0 flex-1 leading-tight">
        <span className="block text-[0.8rem] text-ink-soft">{label}</span>
        <span className={who ? 'block truncate' : 'block text-ink-soft'}>{who?.name ?? common.nobody}</span>
      </span>
      {who?.phone && (
        <a
          href={`tel:${who.phone}`}
          aria-label={texts.call(who.name)}
          title={who.phone}
          className={quietIcon}
        >
          <Phone className="size-4" aria-hidden />
        </a>
      )}
      {who && (
        <a
          href={`mailto:${who.email}`}
          aria-label={texts.write(who.name)}
          title={who.email}
          className={quietIcon}
        >
          <Mail className="size-4" aria-hidden />
        </a>
      )}
      {lead.can.edit && (
        <Menu
          trigger={
            <IconButton label={texts.change(label)} disabled={change.isPending} className="size-8!">
              <Pencil className="size-4" aria-hidden />
            </IconButton>
          }
        >
          <MemberChoices label={label} current={lead[field]} companyId={lead.company.id} onChoose={choose} />
        </Menu>
      )}
    </li>
  )
}
