import { errorCodes } from '../src/api/http/errors.ts'
import { codeBlock } from './code.ts'
import { heading, inline } from './markdown.ts'
import type { Page } from './page.ts'

const shape = {
  error: {
    code: 'invalid',
    message: 'address.line1 is required.',
    docs: 'http://127.0.0.1:8080/docs/errors#invalid',
    fields: [{ path: 'address.line1', message: 'is required' }],
  },
}
const legacyShape = {
  success: false,
  message: shape.error.message,
  code: 'invalid',
  fields: shape.error.fields,
}

/** Every error answers with an address of this page: `docs/errors#code`. */
export function errorPage(): Page {
  const sections = Object.entries(errorCodes).map(
    ([code, { status, meaning, whatToDo }]) =>
      `${heading(2, code, `<code>${code}</code> · ${status}`)}<p>${inline(meaning)}</p><p>${inline(whatToDo)}</p>`,
  )
  return {
    path: '/docs/errors',
    title: 'Error codes',
    description: 'Every error code: its status, what it means and what to do.',
    html: `<h1>Error codes</h1><p class="lead">Every error answers its HTTP status with one shape. The message says what to change; <code>fields</code> is there where fields are at fault. <a href="/docs/guides/errors-and-retries">Errors and retries</a> shows how to handle them.</p>${codeBlock(JSON.stringify(shape, null, 2), 'json', 'Company-key and catalogue API')}${codeBlock(JSON.stringify(legacyShape, null, 2), 'json', 'Legacy API')}${sections.join('')}`,
  }
}
