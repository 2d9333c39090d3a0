import type { ImportRowResponse } from '../../../../src/api/console/import-responses.ts'
import { imports as texts } from '../../../texts/en/imports.ts'
import { classes } from '../../../ui/classes.ts'
import { formatNumber } from '../../../ui/format.ts'

const outcomes = ['made', 'updated', 'unchanged', 'refused'] as const
type Counts = Pick<ImportRowResponse, (typeof outcomes)[number]>

/** What became of the rows, in one line; nothing where none was looked at. */
export function countsInWords(counts: Counts): string {
  return outcomes
    .filter((outcome) => counts[outcome] > 0)
    .map((outcome) => `${formatNumber(counts[outcome])} ${texts[outcome]}`)
    .join(', ')
}

/** What became of the rows, or would. */
export function CountList({ counts }: { counts: Counts }) {
  return (
    <dl className="grid grid-cols-2 gap-3 sm:grid-cols-4">
      {outcomes.map((outcome) => (
        <div key={outcome} className="flex flex-col-reverse rounded-lg bg-sunken px-4 py-3">
          <dt className="text-[0.87rem] text-ink-soft">{texts[outcome]}</dt>
          <dd
            className={classes(
              'text-xl font-semibold tabular-nums',
              outcome === 'refused' && counts.refused > 0 && 'text-bad',
            )}
          >
            {formatNumber(counts[outcome])}
          </dd>
        </div>
      ))}
    </dl>
  )
}
