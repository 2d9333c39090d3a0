import { type Financing, financingTypes } from '../../deals/projects/project.ts'
import { amountOf, countOf, dayOf, numberOf, percentOf } from './cell-forms.ts'
import { financingLabels, listed, valueNamed } from './field-labels.ts'
import { type ImportField, projectFieldNames } from './fields.ts'
import { notADay } from './lead-of-row.ts'
import { leftOut, quoted, type RowProblem, type RowValues, refusal } from './row-values.ts'

/** Since when it is in its stage says nothing by itself: other systems have stages for leads too. */
export function saysProject(values: RowValues): boolean {
  return projectFieldNames.some((field) => field !== 'stageSince' && values[field] !== undefined)
}

/** A row's contract, each value in the form it is kept in. */
export interface RowSale {
  texts: RowValues
  financing: Financing
  soldOn: string | null
  stageSince: string | null
  installDate: string | null
}

const amounts = ['contractPrice', 'monthlyPayment'] as const
const numbers = ['sizeKw', 'annualProductionKwh', 'annualConsumptionKwh'] as const
const counts = ['panelCount', 'inverterCount', 'batteryCount', 'termMonths', 'termYears'] as const
const days = ['soldOn', 'stageSince', 'installDate'] as const
const longest = { lender: 200, stage: 200, projectNotes: 20_000, products: 20_000, adders: 20_000 } as const

/** What a row says about its project. What of it cannot be read is left out and said, but for the price. */
export function readSale(values: RowValues): { sale: RowSale; problems: RowProblem[] } {
  const texts = { ...values }
  const problems: RowProblem[] = []
  const leave = (field: ImportField, reason: string) => {
    problems.push(leftOut(field, reason))
    delete texts[field]
  }
  const read = (
    fields: readonly ImportField[],
    form: (text: string) => string | number | null,
    wrong: (text: string) => string,
  ) => {
    for (const field of fields) {
      const text = texts[field]
      if (text === undefined) continue
      const value = form(text)
      if (value !== null) texts[field] = String(value)
      else if (field === 'contractPrice') problems.push(refusal(field, wrong(text)))
      else leave(field, wrong(text))
    }
  }
  read(
    amounts,
    (text) => amountOf(text),
    (text) => `${quoted(text)} is not an amount such as 28500.00`,
  )
  read(numbers, numberOf, (text) => `${quoted(text)} is not a number such as 8.4`)
  read(counts, countOf, (text) => `${quoted(text)} is not a whole number below 1,000,000`)
  read(['aprPercent'], percentOf, (text) => `${quoted(text)} is not a percentage such as 5.99`)
  read(days, dayOf, notADay)
  read(
    ['financingType'],
    (text) => valueNamed(financingLabels, text),
    (text) => `${quoted(text)} is not one of ${listed(financingLabels)}`,
  )
  for (const [field, most] of Object.entries(longest) as [keyof typeof longest, number][]) {
    const { length } = texts[field] ?? ''
    if (length > most) leave(field, `it has ${length} characters, and at most ${most} are kept`)
  }
  if (!texts.contractPrice) problems.push(refusal('contractPrice', 'is required for a project'))
  if (texts.batteryModel && !texts.batteryCount) texts.batteryCount = '1'
  const sale = {
    texts,
    financing: financingOf(texts),
    soldOn: texts.soldOn ?? null,
    stageSince: texts.stageSince ?? null,
    installDate: texts.installDate ?? null,
  }
  return { sale, problems }
}

function financingOf(texts: RowValues): Financing {
  const termMonths = texts.termMonths
    ? Number(texts.termMonths)
    : texts.termYears
      ? Number(texts.termYears) * 12
      : null
  const guessed = texts.aprPercent || termMonths !== null ? 'loan' : 'cash'
  return {
    type: financingTypes.find((type) => type === texts.financingType) ?? guessed,
    lender: texts.lender ?? null,
    amount: null,
    aprPercent: texts.aprPercent ?? null,
    termMonths,
    monthlyPayment: texts.monthlyPayment ?? null,
    dealerFeePercent: null,
  }
}
