import type { Demo } from './demo-json.ts'

/** What is printed at start: who can be tried out, and with what. */
export function demoLines({ companies }: Demo): string[] {
  const width = Math.max(...companies.map(({ name }) => name.length))
  return [
    'Demo companies (also in demo.json in the data folder):',
    ...companies.flatMap(({ name, kind, key, owner }) => [
      `  ${name.padEnd(width)}  ${kind.padEnd(9)}  ${key}`,
      `  ${''.padEnd(width)}  ${'owner'.padEnd(9)}  ${owner.email}  ${owner.password}`,
    ]),
  ]
}
