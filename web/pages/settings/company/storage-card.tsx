import type { CompanyResponse } from '../../../../src/api/console/company.ts'
import { sizeText } from '../../../../src/domain/deals/storage/usage.ts'
import { company as texts } from '../../../texts/en/company.ts'
import { classes } from '../../../ui/classes.ts'
import { Card, CardHeader } from '../../../ui/surface.tsx'

const nearlyFull = 0.9

/** How much the company keeps, and how much it may. */
export function StorageCard({ company: { storage } }: { company: CompanyResponse }) {
  const { usedBytes, limitBytes } = storage
  const share = limitBytes === null ? 0 : limitBytes === 0 ? 1 : Math.min(1, usedBytes / limitBytes)
  const full = share >= nearlyFull
  return (
    <Card>
      <CardHeader title={texts.storage}>
        <p>{texts.storageNote}</p>
      </CardHeader>
      <div className="flex flex-col gap-2 px-5 pb-5">
        <p className="tabular-nums">
          {limitBytes === null
            ? texts.storageUnlimited(sizeText(usedBytes))
            : texts.storageUsed(sizeText(usedBytes), sizeText(limitBytes))}
        </p>
        {limitBytes !== null && (
          // biome-ignore lint/a11y/useSemanticElements: browsers draw a meter each in their own colours
          <div
            role="meter"
            aria-label={texts.storage}
            aria-valuemin={0}
            aria-valuemax={100}
            aria-valuenow={Math.round(share * 100)}
            className="h-2 overflow-hidden rounded-full bg-sunken"
          >
            <div
              className={classes('h-full rounded-full', full ? 'bg-bad' : 'bg-action')}
              style={{ width: `${share * 100}%` }}
            />
          </div>
        )}
        {full && <p className="text-bad">{texts.storageFull}</p>}
      </div>
    </Card>
  )
}
