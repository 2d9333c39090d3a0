// Writes clients of each description by each generator into a folder: `generate-clients.js <folder> <description>…`
import { writeFile } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { createClient } from '@hey-api/openapi-ts'
import openapiTypescript, { astToString } from 'openapi-typescript'
import { generate } from 'orval'

const [folder, ...files] = process.argv.slice(2)
for (const file of files) {
  const name = basename(file, '.json')
  const types = astToString(await openapiTypescript(pathToFileURL(resolve(file))))
  await writeFile(join(folder, `openapi-typescript-${name}.ts`), types)
  await createClient({
    input: file,
    output: { path: join(folder, `hey-api-${name}`) },
    plugins: ['@hey-api/typescript', '@hey-api/sdk', '@hey-api/client-fetch'],
    logs: { level: 'silent', file: false },
  })
  await generate({
    input: { target: file },
    output: { target: join(folder, `orval-${name}.ts`), client: 'fetch', mode: 'single', mock: false },
  })
}
