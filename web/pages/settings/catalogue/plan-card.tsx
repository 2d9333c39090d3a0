import { useState } from 'react'
import type { TablePlanResponse } from '../../../../src/api/console/catalogue.ts'
import { catalogue as texts } from '../../../texts/en/catalogue.ts'
import { common } from '../../../texts/en/common.ts'
import { Button } from '../../../ui/button.tsx'
import { Checkbox } from '../../../ui/field.tsx'
import { formatNumber } from '../../../ui/format.ts'
import { Badge, Card, CardHeader, type Tone } from '../../../ui/surface.tsx'
import { Table, Td, Th } from '../../../ui/table.tsx'

type Row = TablePlanResponse['rows'][number]

interface PlanCardProps {
  name: string
  plan: TablePlanResponse
  busy: boolean
  error: string | null
  onApply: () => void
  onLeave: () => void
}

const tones: Record<Row['outcome'], Tone> = {
  made: 'good',
  changed: 'info',
  unchanged: 'plain',
  refused: 'bad',
}
const outcomes = Object.keys(tones) as Row['outcome'][]
const atOnce = 200

/** What a table would do, row by row. */
export function PlanCard({ name, plan, busy, error, onApply, onLeave }: PlanCardProps) {
  const { counts, unknownColumns } = plan
  const [all, setAll] = useState(false)
  const [shownRows, setShownRows] = useState(atOnce)
  const rows = plan.rows.filter(({ outcome }) => all || outcome !== 'unchanged')
  const does = counts.made + counts.changed > 0
  return (
    <Card>
      <CardHeader title={texts.wouldChange(name)}>
        <div className="flex flex-wrap items-center gap-2 pt-1">
          {outcomes.map((outcome) => (
            <Badge key={outcome} tone={tones[outcome]}>
              {texts.outcomes[outcome]} {formatNumber(counts[outcome])}
            </Badge>
          ))}
          {counts.unchanged > 0 && (
            <Checkbox
              label={texts.showUnchanged}
              checked={all}
              onChange={(event) => setAll(event.target.checked)}
              className="ml-auto"
            />
          )}
        </div>
        {unknownColumns.length > 0 && (
          <p className="pt-2 text-warn">{texts.unknownColumns(unknownColumns.join(', '))}</p>
        )}
      </CardHeader>
      {rows.length > 0 && (
        <Table label={texts.wouldChange(name)}>
          <thead>
            <tr>
              <Th>{texts.row}</Th>
              <Th>{texts.outcome}</Th>
              <Th>{texts.entry}</Th>
              <Th>{texts.details}</Th>
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, shownRows).map((row) => (
              <PlanRow key={row.row} row={row} />
            ))}
          </tbody>
        </Table>
      )}
      {rows.length > shownRows && (
        <div className="flex justify-center p-3">
          <Button small onClick={() => setShownRows(shownRows + atOnce)}>
            {common.showMore}
          </Button>
        </div>
      )}
      <div className="flex flex-wrap items-center justify-end gap-2 px-5 py-4">
        <div className="flex-1 basis-60">
          {error ? (
            <p role="alert" className="text-bad">
              {error}
            </p>
          ) : (
            <p className="text-ink-soft">
              {does ? counts.refused > 0 && texts.refusedStay(counts.refused) : texts.nothingToDo}
            </p>
          )}
        </div>
        <Button onClick={onLeave}>{texts.otherFile}</Button>
        {does && (
          <Button kind="primary" busy={busy} onClick={onApply}>
            {texts.apply(counts.made, counts.changed)}
          </Button>
        )}
      </div>
    </Card>
  )
}

function PlanRow({ row: { row, outcome, name, changes, problems } }: { row: Row }) {
  const shown = (text: string) => text || texts.nothingIn
  const lines =
    outcome === 'made'
      ? [
          Object.entries(changes)
            .map(([column, [, to]]) => `${column}: ${to}`)
            .join(' · '),
        ]
      : Object.entries(changes).map(([column, [from, to]]) => texts.fromTo(column, shown(from), shown(to)))
  return (
    <tr>
      <Td className="align-top tabular-nums">{formatNumber(row)}</Td>
      <Td className="align-top">
        <Badge tone={tones[outcome]}>{texts.outcomes[outcome]}</Badge>
      </Td>
      <Td className="max-w-60 align-top font-medium">{name || '—'}</Td>
      <Td className="min-w-64 align-top">
        <ul className={outcome === 'refused' ? 'text-bad' : 'text-ink-soft'}>
          {[...problems, ...lines].map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      </Td>
    </tr>
  )
}
