import type { StageRecipients } from '../../src/api/console/projects.ts'
import { moving as texts } from '../texts/en/moving.ts'
import { Checkbox } from '../ui/field.tsx'

/** Who of the recipients is to be notified. */
export interface NotifyChoice {
  notifyCustomer: boolean
  notifyTeam: boolean
}

export const notifyEverybody: NotifyChoice = { notifyCustomer: true, notifyTeam: true }

export const hasRecipients = ({ customer, people }: StageRecipients) => customer !== null || people.length > 0

interface RecipientFieldsProps {
  recipients: StageRecipients
  /** Of the customer, where they have not told theirs. */
  name: string
  notify: NotifyChoice
  onChange: (notify: NotifyChoice) => void
}

/** Who will be notified; each can be left out. */
export function RecipientFields({
  recipients: { customer, people },
  name,
  notify,
  onChange,
}: RecipientFieldsProps) {
  return (
    <>
      {customer && (
        <div>
          <Checkbox
            label={texts.customer(customer.name || name, customer.email)}
            checked={notify.notifyCustomer}
            onChange={(event) => onChange({ ...notify, notifyCustomer: event.target.checked })}
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
            checked={notify.notifyTeam}
            onChange={(event) => onChange({ ...notify, notifyTeam: event.target.checked })}
          />
          <p className="pl-6.5 text-[0.87rem] text-ink-soft">{texts.teamHow}</p>
        </div>
      )}
    </>
  )
}
