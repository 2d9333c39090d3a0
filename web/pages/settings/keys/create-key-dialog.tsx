import { useState } from 'react'
import type { KeyMade } from '../../../../src/api/console/keys.ts'
import { api } from '../../../api/client.ts'
import { useSubmit } from '../../../api/use-submit.ts'
import { useSession } from '../../../session/session.tsx'
import { keys as texts } from '../../../texts/en/keys.ts'
import { Checkbox, SelectField, TextField } from '../../../ui/field.tsx'
import { FormDialog } from '../../../ui/form-dialog.tsx'

interface CreateKeyDialogProps {
  /** The one that the list shows just now. */
  company: string | undefined
  onClose: () => void
  onMade: (made: KeyMade) => void
}

const dayMs = 86_400_000

export function CreateKeyDialog({ company, onClose, onMade }: CreateKeyDialogProps) {
  const session = useSession()
  const [key, setKey] = useState({
    name: '',
    access: 'full',
    interface: '',
    days: 'never',
    forAgent: false,
    agentName: '',
    proposes: true,
    company: company ?? session.company.id,
  })
  const set = (change: Partial<typeof key>) => setKey({ ...key, ...change })
  const make = useSubmit({
    // Answers nothing: what it answers is kept for a while, and the key must not be.
    mutationFn: async (_, submission) => {
      const { days, interface: only, forAgent, agentName, proposes, ...body } = key
      onMade(
        await api.post<KeyMade>(
          '/keys',
          {
            ...body,
            ...(only ? { interface: only } : {}),
            ...(forAgent ? { agentName, proposes: proposes && body.access === 'full' } : {}),
            ...(days === 'never' ? {} : { expiresAt: inDays(Number(days)) }),
          },
          submission,
        ),
      )
    },
  })

  return (
    <FormDialog
      title={texts.make}
      description={texts.makeNote}
      sending={make}
      error={null}
      confirm={texts.make}
      onClose={onClose}
    >
      <TextField
        label={texts.name}
        hint={texts.nameHint}
        error={make.error?.message}
        value={key.name}
        onChange={(name) => set({ name })}
        autoComplete="off"
        maxLength={100}
        autoFocus
        required
      />
      {session.companies.length > 1 && (
        <SelectField
          label={texts.forCompany}
          value={key.company}
          options={session.companies.map(({ id, name }) => [id, name])}
          onChange={(id) => set({ company: id })}
        />
      )}
      <SelectField
        label={texts.access}
        value={key.access}
        options={texts.accesses}
        onChange={(access) => set({ access })}
      />
      <SelectField
        label={texts.works}
        value={key.interface}
        options={[['', texts.everyInterface], ...Object.entries(texts.interfaces)]}
        onChange={(only) => set({ interface: only })}
      />
      <SelectField
        label={texts.expiry}
        value={key.days}
        options={[
          ['never', texts.expiries.never],
          ...Object.entries(texts.expiries).filter(([days]) => days !== 'never'),
        ]}
        onChange={(days) => set({ days })}
      />
      <Checkbox
        label={texts.forAgent}
        checked={key.forAgent}
        onChange={(event) => set({ forAgent: event.target.checked })}
      />
      {key.forAgent && (
        <>
          <TextField
            label={texts.agentName}
            hint={texts.agentNameHint}
            value={key.agentName}
            onChange={(agentName) => set({ agentName })}
            autoComplete="off"
            maxLength={60}
            required
          />
          {key.access === 'full' && (
            <Checkbox
              className="items-start [&>input]:mt-0.75"
              label={
                <>
                  {texts.proposes}
                  <span className="block text-[0.87rem] text-ink-soft">{texts.proposesNote}</span>
                </>
              }
              checked={key.proposes}
              onChange={(event) => set({ proposes: event.target.checked })}
            />
          )}
        </>
      )}
    </FormDialog>
  )
}

const inDays = (days: number) => new Date(Date.now() + days * dayMs).toISOString()
