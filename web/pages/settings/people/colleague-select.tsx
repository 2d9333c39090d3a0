import { useSession } from '../../../session/session.tsx'
import { common } from '../../../texts/en/common.ts'
import { SelectField } from '../../../ui/field.tsx'

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

export function ColleagueSelect({ personId, companyId, nobody, ...field }: ColleagueSelectProps) {
  const colleagues = useColleagues(personId, companyId).map(
    ({ id, name, role }) => [id, `${name} (${common.roles[role]})`] as const,
  )
  return <SelectField options={[['', nobody], ...colleagues]} {...field} />
}
