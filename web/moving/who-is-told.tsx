import type { WhoIsTold } from '../../src/api/console/projects.ts'
import { moving as texts } from '../texts/en/moving.ts'
import { Checkbox } from '../ui/field.tsx'

/** Whom of those who would be told somebody wants to be told. */
export interface Telling {
  tellCustomer: boolean
  tellTeam: boolean
}

export const tellEverybody: Telling = { tellCustomer: true, tellTeam: true }

export const tellsAnybody = ({ customer, people }: WhoIsTold) => customer !== null || people.length > 0

interface WhoIsToldProps {
  told: WhoIsTold
  /** Of the customer, where they have not told theirs. */
  name: string
  telling: Telling
  onChange: (telling: Telling) => void
}

/** Who will be told, each to be left out. */
export function WhoIsToldFields({ told: { customer, people }, name, telling, onChange }: WhoIsToldProps) {
  return (
    <>
      {customer && (
        <div>
          <Checkbox
            label={texts.customer(customer.name || name, customer.email)}
            checked={telling.tellCustomer}
            onChange={(event) => onChange({ ...telling, tellCustomer: event.target.checked })}
          />
          <ul className="pl-6.5 text-[0.87rem] text-ink-soft">
            {[...new Set(customer.subjects)].map((subject) => (
              <li key={subject}>“{subject}”</li>
            ))}
          </ul>
        </div>
      )}
      {people.length > 0 && (
        <div className="mt-2">
          <Checkbox
            label={texts.team(people)}
            checked={telling.tellTeam}
            onChange={(event) => onChange({ ...telling, tellTeam: event.target.checked })}
          />
          <p className="pl-6.5 text-[0.87rem] text-ink-soft">{texts.teamHow}</p>
        </div>
      )}
    </>
  )
}
