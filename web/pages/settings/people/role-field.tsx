import { useSession } from '../../../session/session.tsx'
import { common } from '../../../texts/en/common.ts'
import { people as texts } from '../../../texts/en/people.ts'
import { SelectField } from '../../../ui/field.tsx'
import { type Role, roles } from './use-people.ts'

/** Only owners make owners. */
export function RoleField({ value, onChange }: { value: Role; onChange: (role: Role) => void }) {
  const session = useSession()
  const options = roles
    .filter((role) => role !== 'owner' || session.role === 'owner')
    .map((role) => [role, common.roles[role]] as const)
  return <SelectField label={texts.personRole} value={value} options={options} onChange={onChange} />
}
