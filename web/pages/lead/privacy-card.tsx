import { Download, Eraser } from 'lucide-react'
import { useState } from 'react'
import { privacy as texts } from '../../texts/en/privacy.ts'
import { Button } from '../../ui/button.tsx'
import { Card, CardHeader } from '../../ui/surface.tsx'
import { EraseDialog } from './erase-dialog.tsx'
import { ExportDialog } from './export-dialog.tsx'
import type { LeadResponse } from './use-lead.ts'

/** What a customer may ask for: what is kept of them, and that it goes. Nothing for those who do not see to it. */
export function PrivacyCard({ lead: { id, can } }: { lead: LeadResponse }) {
  const [open, setOpen] = useState<'export' | 'erase' | null>(null)
  const close = () => setOpen(null)
  if (!can.export) return null
  return (
    <Card>
      <CardHeader title={texts.card}>{texts.cardNote}</CardHeader>
      <div className="flex flex-wrap gap-2 px-5 pt-1 pb-5">
        <Button onClick={() => setOpen('export')}>
          <Download className="size-4" aria-hidden />
          {texts.export}
        </Button>
        {can.erase ? (
          <Button kind="danger" onClick={() => setOpen('erase')}>
            <Eraser className="size-4" aria-hidden />
            {texts.erase}
          </Button>
        ) : (
          <p className="basis-full text-[0.87rem] text-ink-soft">{texts.installerErases}</p>
        )}
      </div>
      {open === 'export' && <ExportDialog leadId={id} onClose={close} />}
      {open === 'erase' && <EraseDialog leadId={id} onClose={close} />}
    </Card>
  )
}
