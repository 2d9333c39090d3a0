import type { ErrorObject } from 'ajv'
import type { FastifyError } from 'fastify'
import { dayInWords } from '../../domain/kernel/days.ts'
import { DomainError } from '../../domain/kernel/domain-error.ts'
import { demandOf, maxWorded } from '../http/validation.ts'
import { entryWords, fieldLabels, plainNames } from './field-labels.ts'

/**
 * What a person is told of an error: the fields as their form labels them, and nothing that only a program could change.
 * Use cases and schemas name fields as the APIs do; all of it goes through here.
 */
export function describeToPerson(error: unknown, message: string): string {
  const { validation } = error as FastifyError
  if (validation) return validationInWords(validation as unknown as ErrorObject[])
  return error instanceof DomainError ? domainInWords(message) : message
}

const outdated = 'This page is out of date. Reload it, then try again.'

function validationInWords(errors: readonly ErrorObject[]): string {
  const problems = new Set<string>()
  for (const error of errors.filter(({ keyword }) => keyword !== 'if').slice(0, maxWorded))
    problems.add(problemOf(error))
  // What no form sends comes from a page of an older build: what else is wrong is of no use then.
  return problems.has(outdated) ? outdated : `${[...problems].join('; ')}.`
}

function problemOf(error: ErrorObject): string {
  const path = error.instancePath
    .slice(1)
    .replace(/\/(\d+)/g, '[$1]')
    .replaceAll('/', '.')
  const { keyword, params } = error
  if (keyword === 'additionalProperties') return outdated
  if (keyword === 'required')
    return `${labelOf(path ? `${path}.${params.missingProperty}` : params.missingProperty)} is required`
  if (path === '') return 'Nothing was entered'
  if (keyword === 'enum') return `${labelOf(path)} is not one of the choices`
  return `${labelOf(path)} ${demandOf(error)
    .replace(/, as a text$/, '')
    .replace(/ or null\b/, '')
    .replace('a text', 'text')}`
}

const notThere = /^There is no (.+) with this id among your records\.$/
const aboutField = /^([a-z][A-Za-z0-9_]*(?:\[\d+\]|\.[A-Za-z0-9_]+)*)(:?) (.+)$/s

/** Not one that shows how to write a day. */
const dayMeant = /(?<!such as |like )\b\d{4}-\d\d-\d\d\b/g

/** Messages of use cases begin with a capital letter, or with the fields that they are about. */
function domainInWords(message: string): string {
  const missing = notThere.exec(message)
  if (missing) return `This ${missing[1]} isn’t here anymore, or you can’t see it.`
  return message
    .replace(dayMeant, (day) => (Number.isNaN(Date.parse(day)) ? day : dayInWords(day)))
    .split('; ')
    .map(clauseInWords)
    .join('; ')
}

function clauseInWords(clause: string): string {
  const [, path, colon, rest] = aboutField.exec(clause) ?? []
  if (!path || !isField(path)) return clause
  if (!colon || /^(must|is|has|needs) /.test(rest!)) return `${labelOf(path)} ${rest}`
  return `${labelOf(path)}: ${rest}`
}

const camel = (name: string) => name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
const partsOf = (path: string) => path.split('.').map((part) => camel(part.replace(/\[\d+\]/g, '')))

const known = new Set([
  ...plainNames,
  ...Object.keys(entryWords),
  ...Object.keys(fieldLabels).flatMap((path) => path.split('.')),
])
const fileName = /\.csv$/
/** Not every word is a field: files that are refused are named as they are called. */
const isField = (path: string) => !fileName.test(path) && partsOf(path).every((part) => known.has(part))

/** As the form labels the field: `financing.aprPercent` is the APR, `lineItems[2].quantity` the quantity of line 3. */
function labelOf(path: string): string {
  const parts = partsOf(path)
  const entry = /([A-Za-z_]+)\[(\d+)\](?!.*\[)/.exec(path)
  const entryName = entry && `${entryWords[camel(entry[1]!)] ?? 'entry'} ${Number(entry[2]) + 1}`
  if (entryName && path.endsWith(']')) return capital(entryName)
  const label =
    parts.map((_, from) => fieldLabels[parts.slice(from).join('.')]).find(Boolean) ?? inWords(parts.at(-1)!)
  return entryName ? `${label} of ${entryName}` : label
}

/** `siteSurveyorId` is the site surveyor. */
const inWords = (name: string) =>
  capital(
    name
      .replace(/(?<=[a-z])Ids?$/, '')
      .replace(/([A-Z])/g, (letter) => ` ${letter.toLowerCase()}`)
      .trim(),
  )
const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
