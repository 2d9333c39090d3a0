import { useState } from 'react'
import type { BilledMonthResponse } from '../../../src/api/console/billing-responses.ts'
import { api } from '../../api/client.ts'
import { billing as texts } from '../../texts/en/billing.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from './confirm-dialog.tsx'
import { formatMonth } from './money.ts'

type As = 'measured' | 'estimate'

/** Bills a month that is held, as it was measured or with an estimate. */
export function HeldActions({ installationId, month }: { installationId: string; month: string }) {
  const [asked, setAsked] = useState<As | null>(null)
  const name = formatMonth(month)
  return (
    <span className="flex flex-wrap gap-2">
      <Button small onClick={() => setAsked('measured')}>
        {texts.billMeasured}
      </Button>
      <Button small onClick={() => setAsked('estimate')}>
        {texts.billEstimate}
      </Button>
      {asked && (
        <ConfirmDialog<BilledMonthResponse>
          title={(asked === 'measured' ? texts.billMeasuredTitle : texts.billEstimateTitle)(name)}
          note={asked === 'measured' ? texts.billMeasuredNote : texts.billEstimateNote}
          confirm={asked === 'measured' ? texts.billMeasured : texts.billEstimate}
          kind="primary"
          work={() =>
            api.post<BilledMonthResponse>(`/billing/plans/${installationId}/release`, {
              month: month.slice(0, 7),
              as: asked,
            })
          }
          done={({ invoiceId, detail }) =>
            invoiceId ? texts.monthBilled : texts.monthNotBilled(detail ?? '')
          }
          onClose={() => setAsked(null)}
        />
      )}
    </span>
  )
}
