import type { ImportRowShown } from '../../../../src/api/console/import-shown.ts'
import { imports as texts } from '../../../texts/en/imports.ts'
import { Badge, type Tone } from '../../../ui/surface.tsx'

const tones: Partial<Record<ImportRowShown['state'], Tone>> = {
  checking: 'info',
  running: 'info',
  undoing: 'info',
  stopped: 'warn',
  done: 'good',
  failed: 'bad',
}

export function StateBadge({ state }: Pick<ImportRowShown, 'state'>) {
  return <Badge tone={tones[state] ?? 'plain'}>{texts.states[state]}</Badge>
}
