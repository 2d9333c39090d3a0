import { webhooks as texts } from '../../../texts/en/webhooks.ts'
import { Checkbox } from '../../../ui/field.tsx'

interface EventChoiceProps {
  events: readonly string[]
  problem: string | null
  onChange: (events: string[]) => void
}

const names = Object.keys(texts.names).filter((name) => name !== 'webhook.test')
const groups = Object.entries(texts.groups).map(
  ([group, label]) => [label, names.filter((name) => name.startsWith(`${group}.`))] as const,
)

/** What an endpoint is told: everything, or some of it. */
export function EventChoice({ events, problem, onChange }: EventChoiceProps) {
  const everything = events.includes('*')
  const toggle = (name: string, on: boolean) =>
    onChange(on ? [...events, name] : events.filter((one) => one !== name))
  return (
    <fieldset>
      <legend className="text-[0.87rem] font-medium">{texts.events}</legend>
      <Checkbox
        label={texts.everything}
        checked={everything}
        onChange={(event) => onChange(event.target.checked ? ['*'] : [])}
      />
      {!everything && (
        <div className="flex flex-col gap-3 pt-1">
          {groups.map(([label, some]) => (
            <div key={label}>
              <p className="text-[0.8rem] font-medium text-ink-soft">{label}</p>
              <div className="grid gap-x-4 sm:grid-cols-2">
                {some.map((name) => (
                  <Checkbox
                    key={name}
                    label={texts.names[name]}
                    checked={events.includes(name)}
                    onChange={(event) => toggle(name, event.target.checked)}
                  />
                ))}
              </div>
            </div>
          ))}
        </div>
      )}
      {problem && (
        <p role="alert" className="pt-1 text-[0.87rem] text-bad">
          {problem}
        </p>
      )}
    </fieldset>
  )
}
