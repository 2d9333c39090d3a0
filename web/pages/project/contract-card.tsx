import { Pencil } from 'lucide-react'
import { useState } from 'react'
import { common } from '../../texts/en/common.ts'
import { project as texts } from '../../texts/en/project.ts'
import { Button } from '../../ui/button.tsx'
import { formatDay, formatMoney, formatNumber } from '../../ui/format.ts'
import { Card, CardHeader } from '../../ui/surface.tsx'
import { ContractDialog } from './contract-dialog.tsx'
import { Fact, Facts } from './facts.tsx'
import type { AgreedProject } from './use-project.ts'

/** What was agreed, and how it is paid. */
export function ContractCard({ project }: { project: AgreedProject }) {
  const [editing, setEditing] = useState(false)
  const { contract, financing, can } = project
  const { type } = financing
  const more: [string, string | null | undefined | false][] = [
    [texts.lender, financing.lender],
    [texts.amount, financing.amount && formatMoney(financing.amount)],
    [texts.apr, financing.aprPercent && formatNumber(financing.aprPercent)],
    [texts.term, financing.termMonths !== null && formatNumber(financing.termMonths)],
    [texts.monthlyPayment, financing.monthlyPayment && formatMoney(financing.monthlyPayment)],
    [texts.dealerFee, financing.dealerFeePercent && formatNumber(financing.dealerFeePercent)],
    [type === 'lease' ? texts.rate.lease : texts.rate.ppa, financing.rate && `$${financing.rate}`],
    [texts.escalator, financing.escalatorPercent && formatNumber(financing.escalatorPercent)],
  ]
  return (
    <Card>
      <CardHeader
        title={texts.contract}
        actions={
          can.write && (
            <Button small kind="quiet" aria-label={texts.editContract} onClick={() => setEditing(true)}>
              <Pencil className="size-4" aria-hidden />
              {common.edit}
            </Button>
          )
        }
      />
      <Facts>
        <Fact label={texts.price}>
          <strong className="text-lg font-semibold whitespace-nowrap tabular-nums">
            {contract.price ? formatMoney(contract.price) : common.unknown}
          </strong>
        </Fact>
        <Fact label={texts.signedOn}>
          {contract.signedOn ? formatDay(contract.signedOn) : common.unknown}
        </Fact>
        <Fact label={texts.financing}>{texts.financingTypes[type]}</Fact>
        {more.map(
          ([label, value]) =>
            value && (
              <Fact key={label} label={label}>
                {value}
              </Fact>
            ),
        )}
      </Facts>
      {editing && <ContractDialog project={project} onClose={() => setEditing(false)} />}
    </Card>
  )
}
