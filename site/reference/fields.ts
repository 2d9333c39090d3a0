import { escapeHtml } from '../../src/api/http/page.ts'
import { inline } from '../markdown.ts'
import { type Interface, refName, resolved, type Schema } from '../openapi.ts'

interface Field {
  path: string
  schema: Schema
  required: boolean
}

/** Where a schema by this name is explained; null where it is not (bodies are, where they are sent). */
export type LinkTo = (name: string) => string | null

/** The fields of a schema one below the other; those of an object without a name of its own by their path. */
function fieldsOf(schema: Schema, prefix = ''): Field[] {
  if (schema.items && !schema.items.$ref) {
    const below = fieldsOf(schema.items, `${prefix}[]`)
    if (below.length > 0) return below
  }
  const parts = [schema, ...(schema.allOf ?? []), ...(schema.anyOf ?? [])]
  return parts.flatMap(({ properties = {}, required = [], additionalProperties }) => [
    ...Object.entries(properties).flatMap(([name, one]) => {
      const path = prefix ? `${prefix}.${name}` : name
      return [{ path, schema: one, required: required.includes(name) }, ...fieldsOf(one, path)]
    }),
    ...(typeof additionalProperties === 'object' ? fieldsOf(additionalProperties, `${prefix}.*`) : []),
  ])
}

/** What a value is, in words. */
export function typeOf(schema: Schema, linkTo: LinkTo): string {
  if (schema.$ref) {
    const name = refName(schema.$ref)
    const href = linkTo(name)
    return href ? `<a href="${href}">${name}</a>` : name
  }
  const choices = schema.anyOf ?? schema.oneOf
  if (choices) return [...new Set(choices.map((one) => typeOf(one, linkTo)))].join(' or ')
  if (schema.allOf) return schema.allOf.map((one) => typeOf(one, linkTo)).join(' with ')
  const types = [schema.type ?? []].flat()
  if (types.length > 1) {
    return types.map((type) => (type === 'null' ? 'null' : typeOf({ ...schema, type }, linkTo))).join(' or ')
  }
  const [type = 'any'] = types
  if (type === 'array') return `array of ${schema.items ? typeOf(schema.items, linkTo) : 'any'}`
  if (schema.contentMediaType) return 'file'
  if (type === 'object' && typeof schema.additionalProperties === 'object' && !schema.properties)
    return `map of ${typeOf(schema.additionalProperties, linkTo)}`
  if (schema.format === 'date-time') return 'timestamp'
  if (schema.format === 'date') return 'date'
  return type
}

/** What it must hold to, in words. */
function limitsOf(schema: Schema): string[] {
  const one = schema.items && !schema.items.$ref && schema.items.enum ? schema.items : schema
  const { minimum: from, maximum: to, minLength, maxLength, minItems, maxItems } = schema
  const values = one.enum?.filter((value) => value !== null)
  return [
    values ? `One of ${values.map((value) => `<code>${escapeHtml(String(value))}</code>`).join(' ')}` : '',
    from !== undefined && to !== undefined ? `${from} to ${to}` : '',
    from !== undefined && to === undefined ? `At least ${from}` : '',
    from === undefined && to !== undefined ? `At most ${to}` : '',
    schema['x-message'] ? inline(capital(schema['x-message'])) : '',
    maxLength !== undefined ? `At most ${maxLength} characters` : '',
    minLength !== undefined && minLength > 1 ? `At least ${minLength} characters` : '',
    minLength === 1 ? 'Not empty' : '',
    maxItems !== undefined ? `${minItems ?? 0} to ${maxItems} items` : '',
    schema.default !== undefined ? `<code>${escapeHtml(String(schema.default))}</code> when absent` : '',
  ].filter(Boolean)
}

const capital = (text: string) => `${text[0]!.toUpperCase()}${text.slice(1)}`

/** One field: its name, what it is, and what it means. */
export function fieldRow(
  name: string,
  { schema, required, id }: { schema: Schema; required: boolean; id?: string },
  linkTo: LinkTo,
): string {
  const marks = `<span class="type">${typeOf(schema, linkTo)}</span>${required ? ' <span class="required">required</span>' : ''}`
  const limits = limitsOf(schema)
  return `<div${id ? ` id="${id}"` : ''}><dt><code>${escapeHtml(name)}</code> ${marks}</dt><dd>${schema.description ? `<p>${inline(schema.description)}</p>` : ''}${limits.length > 0 ? `<p class="limits">${limits.join('. ')}.</p>` : ''}</dd></div>`
}

/** All fields of a schema. Which of an answer's are always there is said once, by the page; of a body's it is said at each. */
export function fieldList(api: Interface, schema: Schema, linkTo: LinkTo, ofBody: boolean): string {
  const fields = fieldsOf(resolved(api, schema))
  if (fields.length === 0) return ''
  return `<dl class="fields">${fields
    .map(({ path, schema: one, required }) =>
      fieldRow(path, { schema: one, required: ofBody && required }, linkTo),
    )
    .join('')}</dl>`
}
