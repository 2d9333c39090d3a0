import type { ImportRowResponse } from '../../../../src/api/console/import-responses.ts'
import { imports as texts } from '../../../texts/en/imports.ts'
import { Badge, type Tone } from '../../../ui/surface.tsx'

const tones: Partial<Record<ImportRowResponse['state'], Tone>> = {
  checking: 'info',
  running: 'info',
  undoing: 'info',
  stopped: 'warn',
  done: 'good',
  failed: 'bad',
}

export function StateBadge({ state }: Pick<ImportRowResponse, 'state'>) {
  return <Badge tone={tones[state] ?? 'plain'}>{texts.states[state]}</Badge>
}
