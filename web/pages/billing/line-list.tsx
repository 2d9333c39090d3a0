import { billing as texts } from '../../texts/en/billing.ts'
import { Table, Td, Th } from '../../ui/table.tsx'
import { UnbrokenText } from '../../ui/unbroken-text.tsx'
import { formatAmount, formatPrice, formatQuantity } from './money.ts'
import type { InvoiceRead } from './use-billing.ts'

type Lines = Pick<InvoiceRead, 'lineItems' | 'currency'>

/** The lines where there is room for a table. */
export function LineTable({ lineItems, currency }: Lines) {
  return (
    <Table label={texts.lines}>
      <thead>
        <tr>
          <Th>{texts.description}</Th>
          <Th className="text-right">{texts.quantity}</Th>
          <Th className="text-right">{texts.unitPrice}</Th>
          <Th className="text-right">{texts.lineAmount}</Th>
        </tr>
      </thead>
      <tbody>
        {lineItems.map((line, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other name, and are not moved here
          <tr key={i}>
            <Td className="min-w-40">
              <UnbrokenText>{line.description}</UnbrokenText>
            </Td>
            <Td className="text-right whitespace-nowrap tabular-nums">
              {formatQuantity(line.quantity, line.unit)} {line.unit}
            </Td>
            <Td className="text-right whitespace-nowrap tabular-nums">
              {formatPrice(line.unitPrice, currency)}
            </Td>
            <Td className="text-right whitespace-nowrap tabular-nums">
              {formatAmount(line.amount, currency)}
            </Td>
          </tr>
        ))}
      </tbody>
    </Table>
  )
}

/** The lines on a phone. */
export function LineCards({ lineItems, currency }: Lines) {
  return (
    <ul aria-label={texts.lines} className="divide-y divide-line/70 border-b border-line/70">
      {lineItems.map((line, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other name, and are not moved here
        <li key={i} className="px-5 py-2.5">
          <span className="block">
            <UnbrokenText>{line.description}</UnbrokenText>
          </span>
          <span className="flex justify-between gap-3 text-ink-soft tabular-nums">
            <span className="min-w-0">
              {formatQuantity(line.quantity, line.unit)} {line.unit} × {formatPrice(line.unitPrice, currency)}
            </span>
            <span className="whitespace-nowrap text-ink">{formatAmount(line.amount, currency)}</span>
          </span>
        </li>
      ))}
    </ul>
  )
}
