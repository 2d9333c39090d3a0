import { account as texts } from '../../texts/en/account.ts'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'

/** The codes for when the phone is not at hand, this one time. */
export function BackupCodes({ codes, onClose }: { codes: string[]; onClose: () => void }) {
  return (
    <Dialog open locked onClose={onClose} title={texts.backupTitle} description={texts.backupNote}>
      <ul
        aria-label={texts.backupList}
        className="grid grid-cols-2 gap-x-6 gap-y-1 rounded-lg bg-sunken p-4 font-mono select-all"
      >
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <DialogActions>
        <CopyButton text={codes.join('\n')} label={texts.copy} done={texts.copied} small={false} />
        <Button kind="primary" onClick={onClose}>
          {texts.done}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
