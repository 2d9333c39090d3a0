import { useQuery } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { useState } from 'react'
import { archiveAddress, privacyQuery } from '../../privacy/use-privacy.ts'
import { common } from '../../texts/en/common.ts'
import { privacy as texts } from '../../texts/en/privacy.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { Checkbox } from '../../ui/field.tsx'
import { Loaded } from '../../ui/states.tsx'

interface ExportDialogProps {
  leadId: string
  onClose: () => void
}

/** Everything about a customer in one file, and what else may be theirs. */
export function ExportDialog({ leadId, onClose }: ExportDialogProps) {
  const query = useQuery(privacyQuery(leadId))
  const [others, setOthers] = useState(false)
  return (
    <Dialog open onClose={onClose} title={texts.exportTitle} description={texts.exportNote}>
      <Loaded query={query}>
        {(kept) => (
          <>
            {kept.others.length > 0 && (
              <Checkbox
                label={texts.others(kept.others.length)}
                checked={others}
                onChange={(event) => setOthers(event.target.checked)}
              />
            )}
            <DialogActions>
              <Button onClick={onClose}>{common.cancel}</Button>
              <a
                href={archiveAddress(leadId, others)}
                download
                onClick={onClose}
                className={buttonClass('primary')}
              >
                <Download className="size-4" aria-hidden />
                {texts.download}
              </a>
            </DialogActions>
          </>
        )}
      </Loaded>
    </Dialog>
  )
}
