import { useSession } from '../../../session/session.tsx'
import { common } from '../../../texts/en/common.ts'
import { people as texts } from '../../../texts/en/people.ts'
import { Field, Select } from '../../../ui/field.tsx'
import { type Role, roles } from './use-people.ts'

/** Only owners make owners. */
export function RoleField({ value, onChange }: { value: Role; onChange: (role: Role) => void }) {
  const session = useSession()
  return (
    <Field label={texts.personRole}>
      <Select value={value} onChange={(event) => onChange(event.target.value as Role)}>
        {roles
          .filter((role) => role !== 'owner' || session.role === 'owner')
          .map((role) => (
            <option key={role} value={role}>
              {common.roles[role]}
            </option>
          ))}
      </Select>
    </Field>
  )
}
