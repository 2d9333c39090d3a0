import { audit as texts } from '../../../texts/en/audit.ts'
import { billing } from '../../../texts/en/billing.ts'
import { catalogue } from '../../../texts/en/catalogue.ts'
import { common } from '../../../texts/en/common.ts'
import { files } from '../../../texts/en/files.ts'
import { keys } from '../../../texts/en/keys.ts'
import { leads } from '../../../texts/en/leads.ts'
import { monitoring } from '../../../texts/en/monitoring.ts'
import { sell } from '../../../texts/en/sell.ts'
import { formatDay, formatMoney, formatNumber, formatTime } from '../../../ui/format.ts'
import type { EntryResponse } from './use-audit.ts'

/** salesRepId → Sales rep id, milestones.permitReceived → Permit received. */
export function fieldName(field: string): string {
  const known = texts.fields[field]
  if (known) return known
  const words = field
    .replace(/^(milestones|financing|address|coBorrower|files)\./, (_, part) =>
      part === 'coBorrower' ? 'coBorrower ' : part === 'files' ? 'files: ' : '',
    )
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .replace(/[._]/g, ' ')
    .toLowerCase()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

export function typeName(type: string): string {
  return texts.types[type] ?? type.replace(/[._]/g, ' ')
}

export const isSecurity = (type: string) => type.startsWith('security.')

/** What there is to say of it besides: which document, how somebody signed in, what it is called. */
export function securityNote({ type, name, changes }: EntryResponse): string | null {
  const said = (field: string) => changes.find((change) => change.field === field)?.to
  const folder = files.folders[said('folder') as keyof typeof files.folders]
  if (folder) return type === 'security.file_opened' && name ? `${folder}: ${name}` : folder
  return texts.ways[String(said('way'))] ?? valueText(said('called'))
}

const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/
const day = /^\d{4}-\d\d-\d\d$/
const camelCase = /^[a-z]+([A-Z][a-z]+)+$/

/** These hold money, as decimal text or a number. */
const moneyFields =
  /(^|\.)(contractPrice|monthlyBill|amount|amountDue|amountPaid|monthlyPayment|price|total)$/i
const decimal = /^-?\d+\.\d+$/

/** What a field holds of a few things, as the pages say it where it is chosen. */
const choices: Record<string, Record<string, string>> = {
  role: common.roles,
  productLine: common.lines,
  status: { ...leads.statuses, ...billing.statuses },
  severity: monitoring.severities,
  kind: billing.kinds,
  'financing.type': sell.types,
  productKind: catalogue.kinds,
  unit: catalogue.units,
  access: keys.accesses,
  interfaces: keys.interfaces,
  folder: files.folders,
}

/** What a field holds, as people write it. */
export function fieldText(field: string, value: unknown): string | null {
  const named = choices[field]
  if (named && Array.isArray(value)) return value.map((one) => fieldText(field, one)).join(', ') || null
  if (named && Object.hasOwn(named, String(value))) return named[String(value)]!
  const isNumber = typeof value === 'number' || (typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value))
  if (isNumber && moneyFields.test(field)) return formatMoney(value as number | string)
  return valueText(value)
}

/** A value as people write it; null where there is none. */
function valueText(value: unknown): string | null {
  if (value === null || value === undefined || value === '') return null
  if (typeof value === 'boolean') return value ? texts.yes : texts.no
  if (typeof value === 'number') return formatNumber(value)
  if (Array.isArray(value)) return value.map((one) => valueText(one) ?? texts.nothing).join(', ') || null
  if (typeof value === 'object') {
    const parts = Object.entries(value).flatMap(([name, part]) => {
      const text = valueText(part)
      return text === null ? [] : [`${fieldName(name).toLowerCase()} ${text}`]
    })
    return parts.join(', ') || null
  }
  const text = String(value)
  if (instant.test(text)) return formatTime(text)
  if (day.test(text)) return formatDay(text)
  if (decimal.test(text)) return formatNumber(text)
  return camelCase.test(text) ? fieldName(text).toLowerCase() : text
}
