import { useSession } from '../../../session/session.tsx'
import { common } from '../../../texts/en/common.ts'
import { Field, Select } from '../../../ui/field.tsx'

interface ColleagueSelectProps {
  label: string
  /** Of whom it is another that is chosen. */
  personId: string
  companyId: string
  value: string
  onChange: (id: string) => void
  /** What stands first: that nobody is chosen. */
  nobody: string
}

/** Who is active in a company besides somebody, by id. */
export function useColleagues(personId: string, companyId: string) {
  return useSession().members.filter(
    (member) => member.companyId === companyId && member.active && member.id !== personId,
  )
}

export function ColleagueSelect({
  label,
  personId,
  companyId,
  value,
  onChange,
  nobody,
}: ColleagueSelectProps) {
  const colleagues = useColleagues(personId, companyId)
  return (
    <Field label={label}>
      <Select value={value} onChange={(event) => onChange(event.target.value)}>
        <option value="">{nobody}</option>
        {colleagues.map(({ id, name, role }) => (
          <option key={id} value={id}>
            {name} ({common.roles[role]})
          </option>
        ))}
      </Select>
    </Field>
  )
}
