// Writes sdk/src/generated/ from openapi/*.json; with --check, fails where the committed files differ.
import { readFile, writeFile } from 'node:fs/promises'
import { apiText } from './sdk/api-text.ts'
import { type Described, interfaces, operationsOf } from './sdk/operations.ts'
import { queryText, schemasText } from './sdk/types.ts'

const at = (path: string) => new URL(`../${path}`, import.meta.url)
const check = process.argv.includes('--check')

for (const described of interfaces) {
  const document = JSON.parse(await readFile(at(`openapi/${described.document}.json`), 'utf8')) as Described
  const operations = operationsOf(described, document)
  const text = [
    `// Written by "npm run sdk" from openapi/${described.document}.json.\n`,
    apiText(described, operations),
    operations.map((operation) => queryText(described, operation)).join(''),
    schemasText(document),
  ].join('\n')
  const path = `sdk/src/generated/${described.name}.ts`
  if (!check) await writeFile(at(path), text)
  else if ((await readFile(at(path), 'utf8').catch(() => '')) !== text) {
    console.error(`${path} is not what the API description says. Run "npm run sdk" and commit it.`)
    process.exitCode = 1
  }
}
