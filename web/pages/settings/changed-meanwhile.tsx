import { editing as texts } from '../../texts/en/editing.ts'
import { Button } from '../../ui/button.tsx'

interface ChangedMeanwhileProps {
  onKeep: () => void
  onDiscard: () => void
}

/** Two people edit the same: the later one is told, and says which holds. */
export function ChangedMeanwhile({ onKeep, onDiscard }: ChangedMeanwhileProps) {
  return (
    <div role="alert" className="flex flex-wrap items-center justify-between gap-3">
      <p className="text-warn">{texts.changedMeanwhile}</p>
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
