import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  fieldLabels,
  financingLabels,
  lineLabels,
  statusLabels,
} from '../../src/domain/data/imports/field-labels.ts'
import { type ImportField, importFields } from '../../src/domain/data/imports/fields.ts'
import { guessMapping } from '../../src/domain/data/imports/guess-mapping.ts'
import { common } from '../../web/texts/en/common.ts'
import { leads } from '../../web/texts/en/leads.ts'
import { sell } from '../../web/texts/en/sell.ts'

test('messages call the values of a field what the console calls them', () => {
  assert.deepEqual(statusLabels, leads.statuses)
  assert.deepEqual(lineLabels, common.lines)
  assert.deepEqual(financingLabels, sell.types)
})

test('our own labels are guessed, in any case, with or without punctuation, and so are the names of our exports', () => {
  const guessed = (text: string): ImportField | null => guessMapping([text], [])[0]!
  for (const field of importFields) {
    const label = fieldLabels[field]
    for (const text of [label, label.toUpperCase(), label.replaceAll('’', "'"), ` ${label}: `, field])
      assert.equal(guessed(text), field, text)
  }
})

test('headers of other systems are guessed', () => {
  const headers: Record<string, ImportField> = {
    'Lead Owner': 'salesRepEmail',
    'Create Date': 'createdOn',
    'Created At': 'createdOn',
    'Last Stage Change Date': 'stageSince',
    'E-Mail': 'email',
    'ZIP Code': 'postalCode',
    'Postal Code': 'postalCode',
    kW: 'sizeKw',
    'Avg. Bill': 'monthlyBill',
    'Sales Rep’s Email': 'salesRepEmail',
  }
  for (const [text, field] of Object.entries(headers)) assert.equal(guessMapping([text], [])[0], field, text)
})

test('"Panels" is their number or what they are, as the values say; each field is filled once', () => {
  assert.deepEqual(guessMapping(['Panels', 'Panel model'], [['20', 'HX-410']]), ['panelCount', 'panelModel'])
  assert.deepEqual(guessMapping(['Panels', 'Panel count'], [['HX-410', '20']]), ['panelModel', 'panelCount'])
  assert.deepEqual(guessMapping(['Email', 'E-mail'], []), ['email', null])
})
