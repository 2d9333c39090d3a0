/** The methods of an interface as TypeScript: how they are called, and the table that they are made from. */
import type { Interface, Operation } from './operations.ts'
import { pascal } from './schema.ts'
import { comment, queryName } from './types.ts'

const camel = (name: string) => name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())

export function apiText(described: Interface, operations: readonly Operation[]): string {
  const used = ['ApiCall', 'CallOptions', 'Download', 'FileUpload', 'Lines', 'ListCall'].filter((name) =>
    operations.some((operation) => new RegExp(`\\b${name}\\b`).test(signature(operation))),
  )
  const from: Record<string, string> = {
    Download: '../download.ts',
    FileUpload: '../body.ts',
    Lines: '../body.ts',
  }
  const imports = [...new Set(used.map((name) => from[name] ?? '../call.ts'))].sort().map((file) => {
    const names = used.filter((name) => (from[name] ?? '../call.ts') === file)
    return `import type { ${names.join(', ')} } from '${file}'\n`
  })
  return [
    [...imports, `import type { Operation } from '../operation.ts'\n`].join(''),
    interfaceText(described, operations),
    tableText(described, operations),
  ].join('\n')
}

function interfaceText({ name, grouped }: Interface, operations: readonly Operation[]): string {
  const title = `export interface ${pascal(name)}Api {\n`
  if (!grouped) return `${title}${operations.map((one) => methodText(one, '  ')).join('\n')}}\n`
  const groups = Map.groupBy(operations, (operation) => operation.name.split('.')[0]!)
  const texts = [...groups].map(
    ([group, methods]) => `  ${group}: {\n${methods.map((one) => methodText(one, '    ')).join('\n')}  }\n`,
  )
  return `${title}${texts.join('\n')}}\n`
}

function methodText(operation: Operation, indent: string): string {
  const { method, path, summary, description } = operation
  const about = [`${summary}: \`${method} ${path}\`.`, ...(description ? [description] : [])].join('\n\n')
  return `${comment(about, indent)}${indent}${signature(operation)}\n`
}

function signature(operation: Operation): string {
  const { name, pathParameters, query, body } = operation
  const optional = query.every(({ required }) => !required)
  const input =
    query.length > 0
      ? [`query${optional ? '?' : ''}: ${queryName(operation)}`]
      : body
        ? [`body${body.required ? '' : '?'}: ${bodyType(body)}`]
        : []
  const parameters = [
    ...pathParameters.map((one) => `${camel(one)}: string`),
    ...input,
    'options?: CallOptions',
  ]
  return `${name.split('.').at(-1)}(${parameters.join(', ')}): ${answerType(operation)}`
}

function bodyType({ schema, also }: NonNullable<Operation['body']>): string {
  if (also === 'files') return `${schema} | FileUpload<${schema}['folder']>`
  return also === 'lines' ? `${schema} | Lines<${schema}['readings'][number]>` : schema
}

function answerType({ answer, pages }: Operation): string {
  if (answer.kind === 'none') return 'ApiCall<void>'
  if (answer.kind === 'file') return 'ApiCall<Download>'
  return pages ? `ListCall<${answer.schema}>` : `ApiCall<${answer.schema}>`
}

function tableText({ name }: Interface, operations: readonly Operation[]): string {
  const rows = operations.map((operation) => {
    const { query, body, pages } = operation
    const row = {
      id: operation.id,
      name: operation.name,
      method: operation.method,
      path: operation.path,
      takes: query.length > 0 ? 'query' : body ? (body.also ?? 'json') : null,
      answers: operation.answer.kind,
      pages,
      repeat: operation.repeat,
    }
    const fields = Object.entries(row).map(
      ([key, value]) => `${key}: ${value === null ? null : `'${value}'`}`,
    )
    return `  { ${fields.join(', ')} },\n`
  })
  return `export const ${name}Operations: readonly Operation[] = [\n${rows.join('')}]\n`
}
