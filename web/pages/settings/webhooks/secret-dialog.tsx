import { webhooks as texts } from '../../../texts/en/webhooks.ts'
import { Button } from '../../../ui/button.tsx'
import { CopyButton } from '../../../ui/copy-button.tsx'
import { Dialog, DialogActions } from '../../../ui/dialog.tsx'
import { formatTime } from '../../../ui/format.ts'
import type { SecretResponse } from './use-webhooks.ts'

interface SecretDialogProps {
  made: SecretResponse
  onClose: () => void
}

/** The one time that a secret is shown. It is not closed by a slip: only by saying that the secret is kept. */
export function SecretDialog({ made: { secret, previousExpiresAt }, onClose }: SecretDialogProps) {
  return (
    <Dialog open onClose={onClose} title={texts.secretTitle} description={texts.secretNote} locked>
      <code className="block rounded-lg border border-line bg-sunken px-3 py-2.5 text-[0.87rem] break-all select-all">
        {secret}
      </code>
      <div className="pt-3">
        <CopyButton text={secret} label={texts.copySecret} done={texts.copied} />
      </div>
      {previousExpiresAt && (
        <p className="pt-3 text-ink-soft">{texts.bothUntil(formatTime(previousExpiresAt))}</p>
      )}
      <DialogActions>
        <Button kind="primary" onClick={onClose}>
          {texts.kept}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
