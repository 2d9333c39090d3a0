import { Link } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import type { CalendarEntryResponse } from '../../../src/api/console/calendar.ts'
import { useSession } from '../../session/session.tsx'
import { calendar as texts } from '../../texts/en/calendar.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { Field, TextInput } from '../../ui/field.tsx'
import { formatDay } from '../../ui/format.ts'
import { KindIcon } from './kinds.tsx'

interface EntryDialogProps {
  entry: CalendarEntryResponse
  onClose: () => void
  onMove: (day: string | null) => void
}

/** What is known of an entry, and its day to be changed without a mouse. */
export function EntryDialog({ entry, onClose, onMove }: EntryDialogProps) {
  const { can } = useSession()
  const [day, setDay] = useState(entry.day)
  const { kind, customer, city, stage, people, projectId } = entry

  function submit(event: FormEvent) {
    event.preventDefault()
    onMove(day)
  }

  return (
    <Dialog
      open
      onClose={onClose}
      title={customer}
      description={
        <span className="flex items-center gap-2">
          <KindIcon kind={kind} />
          {texts.kinds[kind]}, {formatDay(entry.day)}
        </span>
      }
    >
      <dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-1.5">
        <Fact name={texts.stage} value={stage} />
        {city && <Fact name={texts.city} value={city} />}
        {people.map(({ role, name }) => (
          <Fact key={role} name={texts.people[role]} value={name} />
        ))}
      </dl>
      <form onSubmit={submit}>
        {can.runProjects && (
          <Field label={texts.day} className="mt-5">
            <TextInput type="date" value={day} onChange={(event) => setDay(event.target.value)} required />
          </Field>
        )}
        <DialogActions>
          {can.runProjects && (
            <Button kind="danger" className="mr-auto" onClick={() => onMove(null)}>
              {texts.takeOff}
            </Button>
          )}
          <Link to="/projects/$id" params={{ id: projectId }} className={buttonClass('plain')}>
            {texts.openProject}
          </Link>
          {can.runProjects && (
            <Button kind="primary" type="submit">
              {texts.move}
            </Button>
          )}
        </DialogActions>
      </form>
    </Dialog>
  )
}

function Fact({ name, value }: { name: string; value: string }) {
  return (
    <>
      <dt className="text-ink-soft">{name}</dt>
      <dd className="min-w-0">{value}</dd>
    </>
  )
}
