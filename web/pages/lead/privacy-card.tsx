import { Download, Eraser } from 'lucide-react'
import { useState } from 'react'
import { privacy as texts } from '../../texts/en/privacy.ts'
import { Button } from '../../ui/button.tsx'
import { formatTime } from '../../ui/format.ts'
import { Badge, Card, CardHeader } from '../../ui/surface.tsx'
import { EraseDialog } from './erase-dialog.tsx'
import { HandOutDialog } from './hand-out-dialog.tsx'
import type { LeadShown } from './use-lead.ts'

/** What a customer may ask for: what is kept of them, and that it goes. */
export function PrivacyCard({ lead }: { lead: LeadShown }) {
  const [open, setOpen] = useState<'hand out' | 'erase' | null>(null)
  const close = () => setOpen(null)
  if (lead.erasedAt)
    return (
      <Card>
        <CardHeader title={texts.card} actions={<Badge tone="warn">{texts.erased}</Badge>} />
        <p className="px-5 pb-5 text-ink-soft">{texts.erasedNote(formatTime(lead.erasedAt))}</p>
      </Card>
    )
  return (
    <Card>
      <CardHeader title={texts.card}>{texts.cardNote}</CardHeader>
      <div className="flex flex-wrap gap-2 px-5 pt-1 pb-5">
        <Button onClick={() => setOpen('hand out')}>
          <Download className="size-4" aria-hidden />
          {texts.handOut}
        </Button>
        <Button kind="danger" onClick={() => setOpen('erase')}>
          <Eraser className="size-4" aria-hidden />
          {texts.erase}
        </Button>
      </div>
      {open === 'hand out' && <HandOutDialog leadId={lead.id} onClose={close} />}
      {open === 'erase' && <EraseDialog leadId={lead.id} onClose={close} />}
    </Card>
  )
}
