import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import { distance } from 'fastest-levenshtein'
import type { FastifySchemaCompiler, FastifySchemaValidationError } from 'fastify'
import { DomainError, type FieldProblem } from '../../domain/kernel/domain-error.ts'
import { isEmail } from '../../domain/kernel/email.ts'
import { parseInstant } from '../../platform/iso-8601.ts'
import { cleanText } from './json-body.ts'

const ajv = new Ajv({ allErrors: true, allowUnionTypes: true, verbose: true, keywords: ['x-message'] })
ajv.addFormat('email', isEmail)
ajv.addFormat('date', isDay)
ajv.addFormat('date-time', isInstant)

export function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text) || text < '0001') return false
  const date = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text)
}

/** An ISO 8601 timestamp with an offset. */
export function isInstant(text: string): boolean {
  return parseInstant(text) !== null && !text.startsWith('0000')
}

interface ObjectSchema {
  properties?: Record<string, { type?: string }>
}

/**
 * Queries arrive as text: whole numbers are read as such, where they are written as such. Bodies are
 * taken as they are: a number in quotes is no number. A schema is compiled by the first call it is for: a start would
 * have to wait for hundreds of them.
 */
export const compileSchema: FastifySchemaCompiler<object> = ({ schema, httpPart }) => {
  let validate: ValidateFunction | undefined
  const properties = (schema as ObjectSchema).properties ?? {}
  // Headers are texts: only a form that one must have is worth looking at.
  if (httpPart === 'headers' && !Object.values(properties).some((one) => 'pattern' in one))
    return (data: unknown) => ({ value: data })
  return (data: unknown) => {
    if (httpPart === 'querystring') {
      const query = data as Record<string, unknown>
      for (const [name, value] of Object.entries(query)) {
        if (typeof value !== 'string') continue
        const whole = properties[name]?.type === 'integer' && /^\d{1,9}$/.test(value)
        query[name] = whole ? Number(value) : cleanText(value, name)
      }
    }
    validate ??= ajv.compile(schema)
    if (validate(data)) return { value: data }
    return { error: validate.errors as unknown as FastifySchemaValidationError[] }
  }
}

/** Holds what is no part of a call of its own against a schema: it throws what is wrong with it. */
export function createCheck(schema: object, part: string): (value: unknown) => void {
  let validate: ValidateFunction | undefined
  return (value) => {
    validate ??= ajv.compile(schema)
    if (!validate(value)) throw validationError(validate.errors!, part)
  }
}

/** So many problems are put into words. */
export const maxWorded = 30

/**
 * One message that names every field that is wrong and says what it must be. Only what is shown is put into words:
 * finding the field that was meant takes a thousand times as long as finding that one is wrong.
 */
export function validationError(errors: readonly ErrorObject[], part: string): DomainError {
  const problems = new Map<string, FieldProblem>()
  const wrong = errors.filter((error) => error.keyword !== 'if')
  let looked = 0
  while (looked < wrong.length && problems.size < maxWorded) {
    const found = problem(wrong[looked++]!, part)
    problems.set(`${found.path || `the ${part}`} ${found.message}`, found)
  }
  const more = looked < wrong.length ? `; and ${wrong.length - looked} more` : ''
  // What is about the whole is about no field.
  const fields = [...problems.values()].filter(({ path }) => path !== '')
  return new DomainError('invalid', `${[...problems.keys()].join('; ')}${more}.`, fields)
}

function problem(error: ErrorObject, part: string): FieldProblem {
  const path = error.instancePath
    .slice(1)
    .replace(/\/(\d+)/g, '[$1]')
    .replaceAll('/', '.')
  const inside = (name: string) => (path ? `${path}.${name}` : name)
  const { params } = error
  if (error.keyword === 'required') return { path: inside(params.missingProperty), message: 'is required' }
  if (error.keyword === 'additionalProperties') {
    const known = Object.keys((error.parentSchema as ObjectSchema).properties ?? {})
    return unknownField(inside(params.additionalProperty), params.additionalProperty, known)
  }
  return { path, message: `${demandOf(error)}${lostPlus(error, part)}` }
}

function unknownField(path: string, name: string, known: string[]): FieldProblem {
  const shown = path.length > 100 ? `${path.slice(0, 100)}…` : path
  const meant = nearest(name.slice(0, 100).toLowerCase(), known)
  const instead = meant ? `: did you mean ${meant}` : ` (there are: ${known.join(', ') || 'none'})`
  return { path: shown, message: `is not a field here${instead}` }
}

/** The field that was probably meant: a few letters off, or begun and not ended. */
function nearest(name: string, known: string[]): string | undefined {
  const [near] = known
    .map((field) => ({ field, far: distance(field.toLowerCase(), name) }))
    .sort((a, b) => a.far - b.far)
  if (near && near.far <= Math.max(2, Math.floor(near.field.length / 3))) return near.field
  return name.length < 3 ? undefined : known.find((field) => field.toLowerCase().startsWith(name))
}

const typeNames: Record<string, string> = {
  string: 'a text',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  object: 'an object',
  array: 'a list',
  null: 'null',
}

/** What a field must be, after its name. */
export function demandOf({ keyword, params, parentSchema }: ErrorObject): string {
  const schema = parentSchema as { minimum?: number; maximum?: number; type?: string | string[] }
  switch (keyword) {
    case 'type':
      return `must be ${[params.type]
        .flat()
        .map((type) => typeNames[type] ?? type)
        .join(' or ')}${range(schema)}`
    case 'enum':
      return `must be one of ${params.allowedValues.join(', ')}`
    case 'exclusiveMaximum':
      return (parentSchema as { 'x-message'?: string })['x-message'] ?? `must be below ${params.limit}`
    case 'minimum':
    case 'maximum':
      return `must be ${[schema.type].flat().includes('integer') ? 'a whole number' : 'a number'}${range(schema)}`
    case 'minLength':
    case 'minProperties':
      return 'must not be empty'
    case 'maxLength':
      return `must have at most ${params.limit} characters`
    case 'minItems':
      return `must have at least ${params.limit} item`
    case 'maxItems':
      return `must have at most ${params.limit} items`
    case 'pattern':
      return (parentSchema as { 'x-message'?: string })['x-message'] ?? `must have the form ${params.pattern}`
    case 'format':
      return formats[params.format] ?? 'has a wrong form'
    default:
      return 'is not valid'
  }
}

/** In an address a plus stands for a space: an offset arrives without its sign. */
function lostPlus({ keyword, params, data }: ErrorObject, part: string): string {
  const lost = keyword === 'format' && params.format === 'date-time' && / \d\d(:?\d\d)?$/.test(String(data))
  return part === 'query' && lost ? '; in an address write the + of its offset as %2B' : ''
}

const formats: Record<string, string> = {
  email: 'must be an email address',
  date: 'must be a day as YYYY-MM-DD',
  'date-time': 'must be an ISO 8601 timestamp with offset, such as 2026-01-31T08:00:00Z',
}

function range({ minimum, maximum }: { minimum?: number; maximum?: number }): string {
  return minimum !== undefined && maximum !== undefined ? ` from ${minimum} to ${maximum}` : ''
}
