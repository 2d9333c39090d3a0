import { chapters, interfaceOf, type Written } from './chapters.ts'
import { interfaces, type Rule } from './rule.ts'
import type { Result } from './run.ts'
import type { Target } from './target.ts'

export type Counts = Record<Result['result'], number>

export function countsOf(results: Result[]): Counts {
  const counts: Counts = { passed: 0, failed: 0, 'not applicable': 0 }
  for (const { result } of results) counts[result]++
  return counts
}

const labels: Record<Result['result'], string> = {
  passed: 'passed',
  failed: 'FAILED',
  'not applicable': 'n/a',
}

/** One line for each rule, and below it why it did not pass. */
export function tableLines(results: Result[]): string[] {
  const width = Math.max(...results.map(({ id }) => id.length))
  const indent = ' '.repeat(6 + 2 + width + 2)
  const lines = results.flatMap(({ id, source, says, result, why }) => [
    `${labels[result].padEnd(6)}  ${id.padEnd(width)}  ${says}${source === 'decision' ? ' (decision)' : ''}`,
    ...(why === null ? [] : [`${indent}${oneLine(why)}`]),
  ])
  const { passed, failed, 'not applicable': not } = countsOf(results)
  return [...lines, '', `${results.length} rules: ${passed} passed, ${failed} failed, ${not} not applicable`]
}

/** What a server answers must not steer the terminal that shows it. */
export const oneLine = (text: string) => text.replace(/[\u0000-\u001f\u007f-\u009f]+/g, ' ')

/** What these rules will write, said before it is. */
export function plan(target: Target, rules: Rule[], readOnly: boolean): string[] {
  if (readOnly) return ['Only what writes nothing is run (--read-only).']
  const { baseUrl, legacyBaseUrl, catalogBaseUrl, orgId, fileUrl, hiProject } = target
  const chosen = new Set(rules)
  const ran = chapters.filter((chapter) => chapter.rules.some((rule) => chosen.has(rule)))
  const written = new Set(ran.flatMap(({ writes }) => writes))
  // Without what the operator did not tell, the rules that need it are not run.
  if (orgId === null) written.delete('projects')
  if (fileUrl === null) written.delete('files')
  if (hiProject === null) written.delete('hi project')
  if (written.size === 0) return ['These rules write nothing, unless the server takes what it must refuse.']
  const writing = ran.filter(({ writes }) => writes.some((kind) => written.has(kind)))
  const faces = new Set(writing.map((chapter) => interfaceOf(chapter.rules[0]!)))
  // No other interface creates one.
  if (written.has('projects')) faces.add('legacy')
  const addresses = { v1: baseUrl, legacy: legacyBaseUrl, catalogue: catalogBaseUrl }
  const places = interfaces.filter((face) => faces.has(face)).map((face) => addresses[face])
  const lines: Record<Written, string> = {
    leads: 'leads called "Conformance …", some fifty in a whole run, which stay;',
    projects: 'up to two solar projects called "Conformance …", with their leads, which stay;',
    installations: 'up to two installations called "Conformance …", which stay;',
    panels: 'panels, which are removed at the end;',
    webhooks: 'webhook endpoints, which are removed at the end;',
    files: `copies of ${fileUrl} in the folders of projects;`,
    'hi project': `notes, files and a stage move there and back on the HI project ${hiProject};`,
  }
  return [
    `This writes to ${places.join(', ')}:`,
    ...Object.entries(lines).flatMap(([kind, line]) => (written.has(kind as Written) ? [`- ${line}`] : [])),
    "- nothing else: records that others made are only read, or asked to be changed by a dealer's key that must not.",
    '--read-only sends nothing but GET.',
  ]
}
