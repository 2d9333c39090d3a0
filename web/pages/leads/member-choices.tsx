import { useSession } from '../../session/session.tsx'
import { common } from '../../texts/en/common.ts'
import { MenuItem, MenuLabel, MenuLine } from '../../ui/menu.tsx'
import { Avatar } from '../../ui/surface.tsx'

interface MemberChoicesProps {
  label: string
  current?: string | null
  /** The company of the lead, where there is one lead: only its people and one's own can be on it. */
  companyId?: string
  onChoose: (memberId: string | null) => void
}

/** In a menu: who may be put on a lead, one's own people first. */
export function MemberChoices({ label, current, companyId, onChoose }: MemberChoicesProps) {
  const { members, company, companies } = useSession()
  const others = (of: string) => Number(of !== company.id)
  const choices = members
    .filter(
      (member) =>
        member.active &&
        member.role !== 'surveyor' &&
        member.role !== 'subcontractor' &&
        (companyId === undefined || [companyId, company.id].includes(member.companyId)),
    )
    .sort((a, b) => others(a.companyId) - others(b.companyId))
  return (
    <>
      <MenuLabel>{label}</MenuLabel>
      {choices.map(({ id, name, companyId: of }) => (
        <MenuItem key={id} current={id === current} onSelect={() => onChoose(id)}>
          <Avatar name={name} small />
          <span className="min-w-0">
            {name}
            {of !== company.id && (
              <span className="block text-[0.8rem] text-ink-soft">
                {companies.find((one) => one.id === of)?.name}
              </span>
            )}
          </span>
        </MenuItem>
      ))}
      <MenuLine />
      <MenuItem current={current === null} onSelect={() => onChoose(null)}>
        {common.nobody}
      </MenuItem>
    </>
  )
}
