import { Download } from 'lucide-react'
import type { ImportResponse } from '../../../../src/api/console/import-responses.ts'
import { imports as texts } from '../../../texts/en/imports.ts'
import { buttonClass } from '../../../ui/button.tsx'
import { formatNumber } from '../../../ui/format.ts'
import { Badge, Card, CardHeader } from '../../../ui/surface.tsx'
import { Table, Td, Th } from '../../../ui/table.tsx'

/** What is wrong with the rows, the first of it here and all of it as a file. */
export function ProblemsCard({ shown: { id, problems, firstProblems } }: { shown: ImportResponse }) {
  if (problems === 0) return null
  return (
    <Card>
      <CardHeader
        title={texts.problems}
        actions={
          <a href={`/console/api/imports/${id}/problems.csv`} download className={buttonClass('plain', true)}>
            <Download className="size-4" aria-hidden />
            {texts.download}
          </a>
        }
      >
        {texts.problemsNote(firstProblems.length, problems)}
      </CardHeader>
      <Table label={texts.problems}>
        <thead>
          <tr>
            <Th>{texts.row}</Th>
            <Th>{texts.column}</Th>
            <Th>{texts.message}</Th>
          </tr>
        </thead>
        <tbody>
          {firstProblems.map(({ row, column, message, refused }) => (
            <tr key={`${row} ${column} ${message}`}>
              <Td className="tabular-nums">{formatNumber(row)}</Td>
              <Td>{column ?? <span className="text-ink-soft">{texts.wholeRow}</span>}</Td>
              <Td className="min-w-56">
                {message} {!refused && <Badge>{texts.takenAnyway}</Badge>}
              </Td>
            </tr>
          ))}
        </tbody>
      </Table>
    </Card>
  )
}
