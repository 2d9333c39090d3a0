import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { auth } from '../../api/client.ts'
import { account as texts } from '../../texts/en/account.ts'
import { Button } from '../../ui/button.tsx'
import { Loaded, LoadingRows } from '../../ui/states.tsx'
import { Badge, Card, CardHeader } from '../../ui/surface.tsx'
import { useToasts } from '../../ui/toast.tsx'
import { accountQuery } from './account-query.ts'
import { BackupCodes } from './backup-codes.tsx'
import { ConfirmDialog } from './confirm-dialog.tsx'
import { type NewCodes, ScanDialog } from './scan-dialog.tsx'

type Step =
  | { name: 'confirm'; what: 'turnOn' | 'turnOff' | 'newBackupCodes' }
  | { name: 'scan'; codes: NewCodes }
  | { name: 'keep'; backupCodes: string[] }

/** Codes of an authenticator app after the password: turned on, off, and the backup codes made again. */
export function CodesCard() {
  const query = useQuery(accountQuery)
  const client = useQueryClient()
  const { say } = useToasts()
  const [step, setStep] = useState<Step | null>(null)
  const refresh = () => client.invalidateQueries({ queryKey: accountQuery.queryKey })

  async function confirmed(what: 'turnOn' | 'turnOff' | 'newBackupCodes', password: string) {
    if (what === 'turnOn') {
      setStep({ name: 'scan', codes: await auth<NewCodes>('/two-factor/enable', { password }) })
    } else if (what === 'newBackupCodes') {
      const { backupCodes } = await auth<{ backupCodes: string[] }>('/two-factor/generate-backup-codes', {
        password,
      })
      setStep({ name: 'keep', backupCodes })
    } else {
      await auth('/two-factor/disable', { password })
      setStep(null)
      say(texts.codesTurnedOff)
      await refresh()
    }
  }

  return (
    <Card className="pb-5">
      <Loaded query={query} loading={<LoadingRows rows={1} />}>
        {({ asksForCodes }) => (
          <>
            <CardHeader
              title={texts.codes}
              actions={
                <Badge tone={asksForCodes ? 'good' : 'plain'}>
                  {asksForCodes ? texts.codesOn : texts.codesOff}
                </Badge>
              }
            >
              {texts.codesNote}
            </CardHeader>
            <div className="flex flex-wrap gap-2 px-5 pt-2">
              {asksForCodes ? (
                <>
                  <Button onClick={() => setStep({ name: 'confirm', what: 'newBackupCodes' })}>
                    {texts.newBackupCodes}
                  </Button>
                  <Button kind="danger" onClick={() => setStep({ name: 'confirm', what: 'turnOff' })}>
                    {texts.turnOff}
                  </Button>
                </>
              ) : (
                <Button onClick={() => setStep({ name: 'confirm', what: 'turnOn' })}>{texts.turnOn}</Button>
              )}
            </div>
          </>
        )}
      </Loaded>
      {step?.name === 'confirm' && (
        <ConfirmDialog
          onClose={() => setStep(null)}
          onConfirm={(password) => confirmed(step.what, password)}
        />
      )}
      {step?.name === 'scan' && (
        <ScanDialog
          codes={step.codes}
          onClose={() => setStep(null)}
          onDone={() => {
            setStep({ name: 'keep', backupCodes: step.codes.backupCodes })
            say(texts.codesTurnedOn)
            void refresh()
          }}
        />
      )}
      {step?.name === 'keep' && <BackupCodes codes={step.backupCodes} onClose={() => setStep(null)} />}
    </Card>
  )
}
