import { most, type Result } from './report.ts'
import { routeOf } from './routes.ts'

/** The result for docs/performance.md: of each route or job the call that grows most, those that grow first. */
export function markdownTable({ sizes, lines }: Result): string {
  const byRoute = Map.groupBy(lines, (line) => (line.kind === 'job' ? `job: ${line.name}` : routeOf(line)))
  const rows = [...byRoute].map(([route, calls]) => {
    const worst = calls.toSorted((a, b) => b.growth - a.growth)[0]!
    const within = calls.filter(({ growth }) => growth <= most).length
    const cells = [
      route,
      `${within} of ${calls.length}`,
      worst.name.replace(/^console /, '').replaceAll('|', '\\|'),
      worst.buffers.join(' → '),
      worst.ms.map((ms) => ms.toFixed(1)).join(' → '),
      worst.growth > most ? `**${worst.growth.toFixed(1)}**` : worst.growth.toFixed(2),
      worst.plan.join(', ') || 'none',
    ]
    return { growth: worst.growth, text: `| ${cells.join(' | ')} |` }
  })
  const at = sizes.map((size) => size.toLocaleString('en')).join(' → ')
  return [
    `| route or job | calls within ${most} | the call that grows most | pages at ${at} | ms | grows by | its largest statement |`,
    '|---|---|---|---|---|---|---|',
    ...rows.toSorted((a, b) => b.growth - a.growth).map(({ text }) => text),
  ].join('\n')
}
