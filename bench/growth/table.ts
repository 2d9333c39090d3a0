import { joined, type Result, most as usual, verdictOf } from './report.ts'
import { routeOf } from './routes.ts'

/** The result for docs/performance.md: of each route or job the call that grows most, those that grow first. */
export function markdownTable({ sizes, lines }: Result): string {
  const byRoute = Map.groupBy(lines, (line) => (line.kind === 'job' ? `job: ${line.name}` : routeOf(line)))
  const rows = [...byRoute].map(([route, calls]) => {
    const worst = calls.toSorted((a, b) => b.byPages.all - a.byPages.all)[0]!
    const growth = worst.byPages.all
    const within = calls.filter(({ byPages, most }) => byPages.all <= most).length
    const cells = [
      route,
      `${within} of ${calls.length}`,
      worst.name.replace(/^console /, '').replaceAll('|', '\\|'),
      joined(worst.buffers, 0),
      joined(worst.ms, 1),
      growth > worst.most
        ? `**${growth.toFixed(1)}** (${verdictOf(worst, worst.byPages)})`
        : growth.toFixed(2),
      worst.plan.join(', ') || 'none',
    ]
    return { growth, text: `| ${cells.join(' | ')} |` }
  })
  const at = sizes.map((size) => size.toLocaleString('en')).join(' → ')
  return [
    `| route or job | calls within ${usual} | the call that grows most | pages at ${at} | ms | grows by | its largest statement |`,
    '|---|---|---|---|---|---|---|',
    ...rows.toSorted((a, b) => b.growth - a.growth).map(({ text }) => text),
  ].join('\n')
}
