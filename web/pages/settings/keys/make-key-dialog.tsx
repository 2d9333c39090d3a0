import { type FormEvent, useState } from 'react'
import type { KeyMade } from '../../../../src/api/console/keys.ts'
import { api } from '../../../api/client.ts'
import { useSubmit } from '../../../api/use-submit.ts'
import { useSession } from '../../../session/session.tsx'
import { common } from '../../../texts/en/common.ts'
import { keys as texts } from '../../../texts/en/keys.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog, DialogActions } from '../../../ui/dialog.tsx'
import { Field, Select, TextInput } from '../../../ui/field.tsx'

interface MakeKeyDialogProps {
  /** The one that the list shows just now. */
  company: string | undefined
  onClose: () => void
  onMade: (made: KeyMade) => void
}

const dayMs = 86_400_000

export function MakeKeyDialog({ company, onClose, onMade }: MakeKeyDialogProps) {
  const session = useSession()
  const [key, setKey] = useState({
    name: '',
    access: 'full',
    interface: '',
    days: 'never',
    company: company ?? session.company.id,
  })
  const set = (change: Partial<typeof key>) => setKey({ ...key, ...change })
  const make = useSubmit({
    // Answers nothing: what it answers is kept for a while, and the key must not be.
    mutationFn: async (_, once) => {
      const { days, interface: only, ...body } = key
      onMade(
        await api.post<KeyMade>(
          '/keys',
          {
            ...body,
            ...(only ? { interface: only } : {}),
            ...(days === 'never' ? {} : { expiresAt: inDays(Number(days)) }),
          },
          once,
        ),
      )
    },
  })

  function submit(event: FormEvent) {
    event.preventDefault()
    make.mutate()
  }

  return (
    <Dialog open onClose={onClose} title={texts.make} description={texts.makeNote}>
      <form onSubmit={submit} className="flex flex-col gap-4">
        <Field label={texts.name} hint={texts.nameHint} error={make.error?.message}>
          <TextInput
            value={key.name}
            onChange={(event) => set({ name: event.target.value })}
            autoComplete="off"
            maxLength={100}
            autoFocus
            required
          />
        </Field>
        {session.companies.length > 1 && (
          <Choice
            label={texts.forCompany}
            value={key.company}
            options={session.companies.map(({ id, name }) => [id, name])}
            onChange={(value) => set({ company: value })}
          />
        )}
        <Choice
          label={texts.access}
          value={key.access}
          options={Object.entries(texts.accesses)}
          onChange={(access) => set({ access })}
        />
        <Choice
          label={texts.works}
          value={key.interface}
          options={[['', texts.everyInterface], ...Object.entries(texts.interfaces)]}
          onChange={(only) => set({ interface: only })}
        />
        <Choice
          label={texts.expiry}
          value={key.days}
          options={[
            ['never', texts.expiries.never],
            ...Object.entries(texts.expiries).filter(([days]) => days !== 'never'),
          ]}
          onChange={(days) => set({ days })}
        />
        <DialogActions>
          <Button onClick={onClose}>{common.cancel}</Button>
          <Button kind="primary" type="submit" busy={make.isPending}>
            {texts.make}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

const inDays = (days: number) => new Date(Date.now() + days * dayMs).toISOString()

interface ChoiceProps {
  label: string
  value: string
  options: readonly (readonly [string, string])[]
  onChange: (value: string) => void
}

function Choice({ label, value, options, onChange }: ChoiceProps) {
  return (
    <Field label={label}>
      <Select value={value} onChange={(event) => onChange(event.target.value)}>
        {options.map(([option, text]) => (
          <option key={option} value={option}>
            {text}
          </option>
        ))}
      </Select>
    </Field>
  )
}
