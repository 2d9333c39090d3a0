import { MoreVertical } from 'lucide-react'
import { useState } from 'react'
import { api } from '../../../api/client.ts'
import { useSubmit } from '../../../api/use-submit.ts'
import { useSession } from '../../../session/session.tsx'
import { common } from '../../../texts/en/common.ts'
import { people as texts } from '../../../texts/en/people.ts'
import { Button, IconButton } from '../../../ui/button.tsx'
import { formatDay } from '../../../ui/format.ts'
import { Menu, MenuItem } from '../../../ui/menu.tsx'
import { Avatar, Badge, type Tone } from '../../../ui/surface.tsx'
import { useToasts } from '../../../ui/toast.tsx'
import { DeactivateDialog } from './deactivate-dialog.tsx'
import { EditPersonDialog } from './edit-person-dialog.tsx'
import { ReassignDialog } from './reassign-dialog.tsx'
import { ResetFactorDialog } from './reset-factor-dialog.tsx'
import { type PersonResponse, usePeopleChanged } from './use-people.ts'

type Asked = 'edit' | 'reassign' | 'reset factor' | 'deactivate'

interface PersonRowProps {
  person: PersonResponse
  companyId: string
}

/** One of the people, with what may be done about them. */
export function PersonRow({ person, companyId }: PersonRowProps) {
  const { memberId } = useSession()
  const [asking, setAsking] = useState<Asked | null>(null)
  const { id, name, email, role, active, secondFactor } = person
  const close = () => setAsking(null)
  return (
    <li className="flex min-h-14 items-center gap-3 py-2">
      <Avatar name={name} />
      <div className="flex min-w-0 flex-1 flex-wrap items-center gap-x-3 gap-y-1">
        <div className="min-w-0 flex-1 basis-48">
          <p className="truncate font-medium">
            {name}
            {id === memberId && <span className="font-normal text-ink-soft"> · {texts.you}</span>}
          </p>
          <p className="truncate text-[0.87rem] text-ink-soft">{email}</p>
        </div>
        <span className="text-ink-soft">{common.roles[role]}</span>
        {active ? <Invitation person={person} /> : <Badge>{texts.deactivated}</Badge>}
        {active && secondFactor === 'lost' && <LostFactor person={person} onAsk={setAsking} />}
      </div>
      <Actions person={person} onAsk={setAsking} />
      {asking === 'edit' && <EditPersonDialog person={person} onClose={close} />}
      {asking === 'reassign' && <ReassignDialog person={person} companyId={companyId} onClose={close} />}
      {asking === 'reset factor' && <ResetFactorDialog person={person} onClose={close} />}
      {asking === 'deactivate' && <DeactivateDialog person={person} companyId={companyId} onClose={close} />}
    </li>
  )
}

const tones: Record<Exclude<PersonResponse['joining'], 'joined'>, Tone> = {
  invited: 'info',
  expired: 'warn',
  declined: 'bad',
  withdrawn: 'plain',
  none: 'plain',
}

/** Of somebody who has not come yet. */
function Invitation({
  person: { id, name, email, role, joining, invitedUntil },
}: {
  person: PersonResponse
}) {
  const session = useSession()
  const { say, complain } = useToasts()
  const changed = usePeopleChanged()
  const again = useSubmit({
    mutationFn: (_, submission) => api.post(`/people/${id}/invitation`, {}, submission),
    onSuccess: async () => {
      await changed()
      say(texts.invited(email))
    },
    onError: complain,
  })
  if (joining === 'joined') return null
  return (
    <>
      <Badge tone={tones[joining]}>
        {joining === 'invited' && invitedUntil
          ? texts.invitedUntil(formatDay(invitedUntil.slice(0, 10)))
          : texts.joining[joining]}
      </Badge>
      {(role !== 'owner' || session.role === 'owner') && (
        <Button
          small
          aria-label={texts.inviteAgainOf(name)}
          busy={again.isPending}
          onClick={() => again.mutate()}
        >
          {joining === 'none' ? texts.inviteNow : texts.inviteAgain}
        </Button>
      )}
    </>
  )
}

interface ActionsProps {
  person: PersonResponse
  onAsk: (what: Asked) => void
}

/** Only owners decide about owners, and nobody about themselves. */
function useResetsFactor({ id, role }: PersonResponse): boolean {
  const session = useSession()
  return id !== session.memberId && (role !== 'owner' || session.role === 'owner')
}

/** Of somebody who waits to be let in again. */
function LostFactor({ person, onAsk }: ActionsProps) {
  const resets = useResetsFactor(person)
  return (
    <>
      <Badge tone="warn">{texts.factorLost}</Badge>
      {resets && (
        <Button small aria-label={texts.factorLostOf(person.name)} onClick={() => onAsk('reset factor')}>
          {texts.letSetUp}
        </Button>
      )}
    </>
  )
}

function Actions({ person, onAsk }: ActionsProps) {
  const { id, name, role, active, joining, secondFactor } = person
  const resets = useResetsFactor(person)
  const session = useSession()
  const { say, complain } = useToasts()
  const changed = usePeopleChanged()
  const reactivate = useSubmit({
    mutationFn: (_, submission) => api.post(`/people/${id}/reactivate`, {}, submission),
    onSuccess: async () => {
      await changed()
      say(texts.reactivated(name))
    },
    onError: complain,
  })
  const withdraw = useSubmit({
    mutationFn: (_, submission) => api.post(`/people/${id}/invitation/withdraw`, {}, submission),
    onSuccess: async () => {
      await changed()
      say(texts.withdrawn(name))
    },
    onError: complain,
  })
  // Only owners change owners.
  const locked = role === 'owner' && session.role !== 'owner'
  return (
    <Menu
      trigger={
        <IconButton label={texts.actionsOf(name)}>
          <MoreVertical className="size-5" aria-hidden />
        </IconButton>
      }
    >
      <MenuItem disabled={locked} onSelect={() => onAsk('edit')}>
        {texts.edit}
      </MenuItem>
      <MenuItem onSelect={() => onAsk('reassign')}>{texts.reassign}</MenuItem>
      {active && joining === 'invited' && (
        <MenuItem disabled={locked} onSelect={() => withdraw.mutate()}>
          {texts.withdraw}
        </MenuItem>
      )}
      {active && joining === 'joined' && secondFactor !== 'none' && (
        <MenuItem disabled={!resets} onSelect={() => onAsk('reset factor')}>
          {texts.resetFactor}
        </MenuItem>
      )}
      {active ? (
        <MenuItem danger disabled={locked || id === session.memberId} onSelect={() => onAsk('deactivate')}>
          {texts.deactivate}
        </MenuItem>
      ) : (
        <MenuItem disabled={locked} onSelect={() => reactivate.mutate()}>
          {texts.reactivate}
        </MenuItem>
      )}
    </Menu>
  )
}
