/** TypeScript of what JSON Schema describes. */
import type { Described, Interface, Operation, Parameter } from './operations.ts'
import { pascal, type Schema } from './schema.ts'

/** A comment on one line, or none. */
export function comment(text: string | undefined, indent = ''): string {
  if (!text) return ''
  const lines = text.replaceAll('*/', '*\\/').split('\n')
  if (lines.length === 1) return `${indent}/** ${lines[0]} */\n`
  return `${indent}/**\n${lines.map((line) => `${indent} * ${line}`.trimEnd()).join('\n')}\n${indent} */\n`
}

const quoted = (name: string) => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : `'${name}'`)

function typeOf(schema: Schema, indent: string): string {
  if (schema.$ref) return pascal(schema.$ref.split('/').at(-1)!)
  if (schema.enum) return schema.enum.map((value) => literal(value)).join(' | ')
  const parts = schema.anyOf ?? schema.oneOf
  if (parts) return [...new Set(parts.map((part) => typeOf(part, indent)))].join(' | ')
  if (schema.allOf) return schema.allOf.map((part) => typeOf(part, indent)).join(' & ')
  const types = [schema.type ?? []].flat().map((type) => ofType(schema, type, indent))
  return types.length === 0 ? 'unknown' : [...new Set(types)].join(' | ')
}

const literal = (value: unknown) => (typeof value === 'string' ? `'${value}'` : String(value))

function ofType(schema: Schema, type: string, indent: string): string {
  switch (type) {
    case 'integer':
      return 'number'
    case 'array':
      return arrayOf(typeOf(schema.items ?? {}, indent))
    case 'object':
      return objectOf(schema, indent)
    default:
      return type
  }
}

const arrayOf = (item: string) => (/^\w+$/.test(item) ? `${item}[]` : `(${item})[]`)

function objectOf({ properties, required = [], additionalProperties }: Schema, indent: string): string {
  const more =
    typeof additionalProperties === 'object' ? typeOf(additionalProperties, indent) : ('unknown' as const)
  if (!properties) return `Record<string, ${more}>`
  const within = `${indent}  `
  const fields = Object.entries(properties).map(([name, schema]) => {
    const isRequired = required.includes(name)
    const type = typeOf(schema, within)
    const said = isRequired ? `: ${type}` : `?: ${type} | undefined`
    return `${comment(schema.description, within)}${within}${quoted(name)}${said}\n`
  })
  const open = additionalProperties === true ? `${within}[name: string]: unknown\n` : ''
  return `{\n${fields.join('')}${open}${indent}}`
}

/** Every schema by its name, and what endpoints may be sent. */
export function schemasText({ components, webhooks = {} }: Described): string {
  const schemas = Object.entries(components.schemas).map(
    ([name, schema]) => `${comment(schema.description)}export type ${pascal(name)} = ${typeOf(schema, '')}\n`,
  )
  const sent = Object.values(webhooks).map(({ post }) =>
    typeOf(post.requestBody.content['application/json']!.schema, ''),
  )
  const union =
    sent.length > 0
      ? `/** What endpoints are sent. */\nexport type WebhookEvent =\n  | ${sent.join('\n  | ')}\n`
      : ''
  return [...schemas, union].join('\n')
}

export const queryName = ({ id }: Operation): string => `${pascal(id)}Query`

/** The type of an operation's query; none where it takes none. */
export function queryText({ name }: Interface, operation: Operation): string {
  if (operation.query.length === 0) return ''
  const fields = operation.query.map((parameter) => {
    const type = queryType(parameter, name === 'legacy')
    const said = parameter.required ? `: ${type}` : `?: ${type} | undefined`
    return `${comment(parameter.description, '  ')}  ${quoted(parameter.name)}${said}\n`
  })
  return `${comment(operation.summary)}export interface ${queryName(operation)} {\n${fields.join('')}}\n\n`
}

/** In an address all is text: a time may be a Date, and the legacy API's numbers may be numbers. */
function queryType({ schema }: Parameter, takesNumbers: boolean): string {
  const type = typeOf(schema, '  ')
  if (type !== 'string') return type
  if (schema.format === 'date-time') return 'string | Date'
  return takesNumbers ? 'string | number' : type
}
