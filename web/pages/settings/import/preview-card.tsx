import type { ImportResponse } from '../../../../src/api/console/import-responses.ts'
import { imports as texts } from '../../../texts/en/imports.ts'
import { formatNumber } from '../../../ui/format.ts'
import { Badge, Card, CardHeader, type Tone } from '../../../ui/surface.tsx'
import { Table, Td, Th } from '../../../ui/table.tsx'

const tones: Record<ImportResponse['preview'][number]['outcome'], Tone> = {
  made: 'good',
  updated: 'info',
  unchanged: 'plain',
  refused: 'bad',
}

/** The first rows as they were understood. */
export function PreviewCard({ shown: { preview, columns } }: { shown: ImportResponse }) {
  const fields = columns.flatMap(({ field }) => field ?? [])
  if (preview.length === 0) return null
  return (
    <Card>
      <CardHeader title={texts.firstRows} />
      <Table label={texts.firstRows} anyColumns>
        <thead>
          <tr>
            <Th>{texts.row}</Th>
            <Th>{texts.outcome}</Th>
            {fields.map((field) => (
              <Th key={field}>{texts.fields[field]}</Th>
            ))}
          </tr>
        </thead>
        <tbody>
          {preview.map(({ row, outcome, values }) => (
            <tr key={row}>
              <Td className="tabular-nums">{formatNumber(row)}</Td>
              <Td>
                <Badge tone={tones[outcome]}>{texts.outcomes[outcome]}</Badge>
              </Td>
              {fields.map((field) => (
                <Td key={field} className="max-w-60 truncate whitespace-nowrap">
                  {values[field] ?? <span className="text-ink-soft">—</span>}
                </Td>
              ))}
            </tr>
          ))}
        </tbody>
      </Table>
    </Card>
  )
}
