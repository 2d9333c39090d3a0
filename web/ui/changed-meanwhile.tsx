import { editing as texts } from '../texts/en/editing.ts'
import { Button } from './button.tsx'
import { UnbrokenText } from './unbroken-text.tsx'

export interface ChangedMeanwhileProps {
  /** What it is now, by name, where that can be shown here. */
  theirs?: readonly (readonly [name: string, value: string])[]
  onKeep: () => void
  onDiscard: () => void
}

/** Two people edit the same: the later one is told, and says which holds. */
export function ChangedMeanwhile({ theirs = [], onKeep, onDiscard }: ChangedMeanwhileProps) {
  return (
    <div role="alert" className="flex flex-wrap items-center justify-between gap-3">
      <div className="min-w-0 basis-60 grow">
        <p className="text-warn">{texts.changedMeanwhile}</p>
        {theirs.length > 0 && (
          <ul className="max-h-40 overflow-y-auto">
            {theirs.map(([name, value]) => (
              <li key={name} className="whitespace-pre-wrap">
                <UnbrokenText>{texts.now(name, value)}</UnbrokenText>
              </li>
            ))}
          </ul>
        )}
      </div>
      <div className="flex flex-wrap gap-2">
        <Button small onClick={onDiscard}>
          {texts.takeTheirs}
        </Button>
        <Button small kind="primary" onClick={onKeep}>
          {texts.keepMine}
        </Button>
      </div>
    </div>
  )
}
