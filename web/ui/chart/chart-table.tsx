import { type ReactNode, useState } from 'react'
import { Table, Td, Th } from '../table.tsx'
import type { ChartPoint } from './scale.ts'

interface ChartTableProps {
  label: string
  /** What opens it. */
  summary: string
  columns: readonly string[]
  points: readonly ChartPoint[]
  cells: (point: ChartPoint) => readonly ReactNode[]
  /** Said where there are more rows than are listed. */
  cut: (count: number) => string
}

const maxRows = 800

/** A chart for those who would rather read it, made only when it is asked for. */
export function ChartTable({ label, summary, columns, points, cells, cut }: ChartTableProps) {
  const [open, setOpen] = useState(false)
  return (
    <details className="pt-3" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="w-fit text-[0.87rem] text-ink-soft">{summary}</summary>
      {open && (
        <div className="max-h-80 overflow-y-auto pt-2">
          {points.length > maxRows && <p className="pb-2 text-ink-soft">{cut(maxRows)}</p>}
          <Table label={label}>
            <thead>
              <tr>
                {columns.map((column, i) => (
                  <Th key={column} className={i > 0 ? 'text-right' : ''}>
                    {column}
                  </Th>
                ))}
              </tr>
            </thead>
            <tbody>
              {points
                .slice(-maxRows)
                .toReversed()
                .map((point) => (
                  <tr key={point.at}>
                    {cells(point).map((cell, i) => (
                      <Td key={columns[i]} className={i > 0 ? 'text-right' : ''}>
                        {cell}
                      </Td>
                    ))}
                  </tr>
                ))}
            </tbody>
          </Table>
        </div>
      )}
    </details>
  )
}
