import type { DemoFound } from './ensure-demo.ts'

/** What is printed at start: who can be tried out; with what, the first time only, as such lines are often kept. */
export function demoLines({ demo: { companies }, isNew }: DemoFound): string[] {
  if (!isNew) return ['Demo logins and keys are in demo.json in the data folder.']
  const width = Math.max(...companies.map(({ name }) => name.length))
  return [
    'Demo companies (also in demo.json in the data folder):',
    ...companies.flatMap(({ name, kind, key, owner }) => [
      `  ${name.padEnd(width)}  ${kind.padEnd(9)}  ${key}`,
      `  ${''.padEnd(width)}  ${'owner'.padEnd(9)}  ${owner.email}  ${owner.password}`,
    ]),
  ]
}
