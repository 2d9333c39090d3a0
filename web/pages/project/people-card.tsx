import { Mail, Pencil, Phone } from 'lucide-react'
import type { ProjectPerson } from '../../../src/api/console/project-responses.ts'
import { useSession } from '../../session/session.tsx'
import { common } from '../../texts/en/common.ts'
import { privacy } from '../../texts/en/privacy.ts'
import { project as texts } from '../../texts/en/project.ts'
import { IconButton } from '../../ui/button.tsx'
import { Menu, MenuItem, MenuLabel, MenuLine } from '../../ui/menu.tsx'
import { Avatar, Card, CardHeader } from '../../ui/surface.tsx'
import { useProjectField } from './use-field.ts'
import type { ProjectResponse } from './use-project.ts'

type Slot = keyof ProjectResponse['people']
const slots: Slot[] = ['projectManager', 'siteSurveyor', 'subcontractor', 'salesRep', 'setter']

/** The slots that are the project's own, with who usually takes them. The others are the lead's. */
const own = {
  projectManager: { field: 'projectManagerId', roles: ['manager', 'admin', 'owner'] },
  siteSurveyor: { field: 'siteSurveyorId', roles: ['surveyor'] },
  subcontractor: { field: 'subcontractorId', roles: ['subcontractor'] },
} as const

export function PeopleCard({ project }: { project: ProjectResponse }) {
  const { customer, coBorrower, people, can } = project
  const nameless = project.erasedAt ? privacy.erasedCustomer : texts.nameless
  const homeowners = [
    [texts.customer, customer],
    [texts.coBorrower, coBorrower],
  ] as const
  return (
    <Card>
      <CardHeader title={texts.people} />
      <ul className="divide-y divide-line/70 px-5 pb-3">
        {homeowners.map(
          ([label, contact]) =>
            contact && (
              <Person
                key={label}
                label={label}
                name={[contact.firstName, contact.lastName].filter(Boolean).join(' ') || nameless}
                email={contact.email}
                phone={contact.phone}
              />
            ),
        )}
        {slots.map((slot) => {
          const person = people[slot]
          return (
            <Person
              key={slot}
              label={texts.slots[slot]}
              name={person?.name ?? null}
              email={person?.email ?? null}
              phone={person?.phone ?? null}
            >
              {can.run && slot in own && <Choose project={project} slot={slot as keyof typeof own} />}
            </Person>
          )
        })}
      </ul>
    </Card>
  )
}

interface PersonProps {
  label: string
  name: string | null
  email: string | null
  phone: string | null
  children?: React.ReactNode
}

function Person({ label, name, email, phone, children }: PersonProps) {
  return (
    <li className="flex min-h-13 items-center gap-3 py-1.5">
      {name ? (
        <Avatar name={name} small />
      ) : (
        <span aria-hidden className="size-6 rounded-full border border-dashed border-line-strong" />
      )}
      <span className="min-w-0 flex-1 leading-tight">
        <span className="block text-[0.8rem] text-ink-soft">{label}</span>
        <span className={name ? 'block truncate' : 'block text-ink-soft'}>{name ?? common.nobody}</span>
      </span>
      {name && phone && (
        <a href={`tel:${phone}`} aria-label={texts.call(name)} title={phone} className={quietIcon}>
          <Phone className="size-4" aria-hidden />
        </a>
      )}
      {name && email && (
        <a href={`mailto:${email}`} aria-label={texts.write(name)} title={email} className={quietIcon}>
          <Mail className="size-4" aria-hidden />
        </a>
      )}
      {children}
    </li>
  )
}

const quietIcon =
  'inline-flex size-8 shrink-0 items-center justify-center rounded-lg text-ink-soft hover:bg-sunken hover:text-ink'

function Choose({ project, slot }: { project: ProjectResponse; slot: keyof typeof own }) {
  const { members, company } = useSession()
  const setField = useProjectField(project)
  const { field, roles } = own[slot]
  const current = project.people[slot]
  const staff = members.filter(({ companyId, active }) => active && companyId === company.installerId)
  const fits = (role: string) => (roles as readonly string[]).includes(role)
  const choose = (person: ProjectPerson | null) =>
    setField({
      field,
      seen: current?.id ?? null,
      label: texts.slots[slot],
      words: (id) => members.find((member) => member.id === id)?.name ?? id,
      body: { [field]: person?.id ?? null },
      expect: (shown) => ({ ...shown, people: { ...shown.people, [slot]: person } }),
    })
  const item = ({ id, name }: (typeof staff)[number]) => (
    <MenuItem
      key={id}
      current={id === current?.id}
      onSelect={() => choose({ id, name, email: '', phone: null })}
    >
      <Avatar name={name} small />
      {name}
    </MenuItem>
  )
  const others = staff.filter(({ role }) => !fits(role))
  return (
    <Menu
      trigger={
        <IconButton label={texts.change(texts.slots[slot])} className="size-8!">
          <Pencil className="size-4" aria-hidden />
        </IconButton>
      }
    >
      <MenuLabel>{texts.slots[slot]}</MenuLabel>
      {staff.filter(({ role }) => fits(role)).map(item)}
      <MenuItem current={!current} onSelect={() => choose(null)}>
        {common.nobody}
      </MenuItem>
      {others.length > 0 && <MenuLine />}
      {others.map(item)}
    </Menu>
  )
}
