import type { FastifyRequest } from 'fastify'
import { NotFound } from '../../domain/kernel/domain-error.ts'
import { type ApiErrorCode, apiError, errorCodes, retryAfterOf } from '../http/errors.ts'

/** As a tool's answer has it. */
export interface ToolResult {
  content: { type: 'text'; text: string }[]
  structuredContent?: object
  isError?: boolean
}

const whatToDo: Partial<Record<ApiErrorCode, string>> = {
  forbidden:
    'Do not try this again with this key. Tell the person what it is for, or call who_am_i to see what it may do.',
  not_found: 'Check the id: tools that list or find records answer it.',
  invalid: 'Change what is named, then call the tool again.',
}

/** The tool that finds a record of each kind. */
const finders: Record<string, string> = {
  lead: 'search',
  project: 'search',
  installation: 'list_installations',
  alert: 'list_alerts',
  invoice: 'list_invoices',
}

/** What the domain calls fields that have other names here. */
const fields: Record<string, string> = {
  'Idempotency-Key': 'idempotency_key',
  installDateFrom: 'install_from',
  installDateTo: 'install_to',
}
for (const name of [
  'dueDate',
  'endDate',
  'externalId',
  'firstName',
  'installDate',
  'installationId',
  'lastName',
  'lineItems',
  'ntpGranted',
  'postalCode',
  'productLine',
  'projectManager',
  'replyTo',
  'salesRep',
  'siteSurveyor',
  'startDate',
  'surveyDate',
  'unitPrice',
])
  fields[name] = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
const named = new RegExp(`\\b(?:${Object.keys(fields).join('|')})\\b`, 'g')

/** What went wrong, for a model: what it was, and what to do next. */
export function toolError(error: unknown, request: FastifyRequest): ToolResult {
  const { code, message } = apiError(error, request)
  const wait = retryAfterOf(error, code)
  const finder = error instanceof NotFound ? finders[error.what] : undefined
  const then =
    wait !== null
      ? `Wait ${wait} seconds, then call it again.`
      : finder
        ? `Look it up with ${finder}, and send its id.`
        : (whatToDo[code] ?? errorCodes[code].whatToDo)
  return {
    content: [{ type: 'text', text: `${code}: ${message.replace(named, (name) => fields[name]!)} ${then}` }],
    isError: true,
  }
}
