const fields = [
  'deliveryId',
  'endDate',
  'installationId',
  'lineItems',
  'paidAs',
  'panelId',
  'periodEnd',
  'periodStart',
  'startDate',
  'unitPrice',
]
const named = new RegExp(`\\b(?:${fields.join('|')})\\b`, 'g')

/** A refusal of the domain with its fields as this interface calls them: `periodEnd` is `period_end` here. */
export function inFieldNames(message: string): string {
  return message.replace(named, (name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`))
}
