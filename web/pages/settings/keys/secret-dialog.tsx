import type { KeyMade } from '../../../../src/api/console/keys.ts'
import { keys as texts } from '../../../texts/en/keys.ts'
import { Button } from '../../../ui/button.tsx'
import { CopyButton } from '../../../ui/copy-button.tsx'
import { Dialog, DialogActions } from '../../../ui/dialog.tsx'

interface SecretDialogProps {
  made: KeyMade
  onClose: () => void
}

/** The one time that a key is shown. It is not closed by a slip: only by saying that the key is kept. */
export function SecretDialog({ made: { secret, tryAddress }, onClose }: SecretDialogProps) {
  const curl = `curl -H "Authorization: Bearer ${secret}" \\\n  "${tryAddress}"`
  return (
    <Dialog open onClose={onClose} title={texts.secretTitle} description={texts.secretNote} locked>
      <div className="flex flex-col gap-5">
        <Copied label={texts.secret} text={secret} copy={texts.copySecret} />
        <Copied label={texts.tryIt} text={curl} copy={texts.copyCurl} />
      </div>
      <DialogActions>
        <Button kind="primary" onClick={onClose}>
          {texts.kept}
        </Button>
      </DialogActions>
    </Dialog>
  )
}

function Copied({ label, text, copy }: { label: string; text: string; copy: string }) {
  return (
    <div className="flex flex-col gap-1.5">
      <div className="flex min-h-8 items-end justify-between gap-3">
        <p className="text-[0.87rem] font-medium">{label}</p>
        <CopyButton text={text} label={copy} done={texts.copied} />
      </div>
      <code className="block rounded-lg border border-line bg-sunken px-3 py-2.5 text-[0.87rem] break-all whitespace-pre-wrap select-all">
        {text}
      </code>
    </div>
  )
}
