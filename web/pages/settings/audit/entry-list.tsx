import { Link } from '@tanstack/react-router'
import { ArrowRight, Cog, KeyRound, ShieldAlert } from 'lucide-react'
import { useSession } from '../../../session/session.tsx'
import { audit as texts } from '../../../texts/en/audit.ts'
import { common } from '../../../texts/en/common.ts'
import { browserName } from '../../../ui/browser-name.ts'
import { formatAgo, formatNumber, formatTime } from '../../../ui/format.ts'
import { Avatar } from '../../../ui/surface.tsx'
import { UnbrokenText } from '../../../ui/unbroken-text.tsx'
import type { EntryResponse } from './use-audit.ts'
import { fieldName, fieldText, isSecurity, securityNote, typeName } from './words.ts'

/** What happened, the newest first. */
export function EntryList({ entries }: { entries: EntryResponse[] }) {
  return (
    <ol aria-label={texts.list} className="@container divide-y divide-line/70">
      {entries.map((entry) => (
        <Entry key={entry.id} entry={entry} />
      ))}
    </ol>
  )
}

function Entry({ entry }: { entry: EntryResponse }) {
  const { at, actor, type, changes } = entry
  const silent = changes.length === 0 && type.endsWith('.updated') && actor.kind === 'job'
  return (
    <li className="flex gap-3 px-4 py-3.5 sm:px-5">
      <ActorPicture actor={actor} />
      <div className="min-w-0 flex-1">
        <div className="flex flex-wrap items-baseline gap-x-3">
          <p className="min-w-0 flex-1 basis-56">
            <span className="font-medium">{actorName(entry)}</span> {typeName(type)}{' '}
            {!isOfThemselves(entry) && <Subject entry={entry} />}
          </p>
          <time dateTime={at} title={formatTime(at)} className="text-[0.87rem] text-ink-soft">
            {formatAgo(at)}
          </time>
        </div>
        {silent && <p className="text-[0.93rem] text-ink-soft">{texts.renamed}</p>}
        {isSecurity(type) && <SecurityNote entry={entry} />}
        {changes.length > 0 && !isSecurity(type) && (
          <dl className="mt-1.5 flex flex-col gap-1 text-[0.93rem]">
            {changes.map((change) => (
              <Change key={change.field} {...change} />
            ))}
          </dl>
        )}
        <Origin entry={entry} />
      </div>
    </li>
  )
}

function actorName({ actor: { kind, name }, leadId }: EntryResponse): string {
  if (kind === 'visitor') return leadId ? texts.withAddress : texts.somebody
  return kind === 'key' ? texts.byKey(name ?? '') : (name ?? texts.system)
}

/** Where somebody did something to their own account or place, they are named already. */
const isOfThemselves = ({ actor, subjectId, type }: EntryResponse) =>
  (isSecurity(type) || type === 'member.left') && actor.kind === 'member' && actor.id === subjectId

function SecurityNote({ entry }: { entry: EntryResponse }) {
  const note = securityNote(entry)
  return (
    note && (
      <p className="text-[0.93rem] text-ink-soft">
        <UnbrokenText>{note}</UnbrokenText>
      </p>
    )
  )
}

/** Where it was asked for from, with what, and how often. */
function Origin({ entry: { address, device, times, lastAt, type, actor } }: { entry: EntryResponse }) {
  const many = type === 'security.sign_in_failed' && actor.kind === 'visitor' && address === null
  const parts = [
    address ?? (many ? texts.manyPlaces : null),
    device && browserName(device),
    times > 1 && texts.times(formatNumber(times), formatAgo(lastAt)),
  ].filter(Boolean)
  if (parts.length === 0) return null
  return (
    <p className="mt-1 text-[0.87rem] text-ink-soft" title={device ?? undefined}>
      {parts.join(' · ')}
    </p>
  )
}

function ActorPicture({ actor: { kind, name } }: { actor: EntryResponse['actor'] }) {
  if (kind === 'member' && name) return <Avatar name={name} />
  const Icon = kind === 'key' ? KeyRound : kind === 'visitor' ? ShieldAlert : Cog
  return (
    <span className="inline-flex size-9 shrink-0 items-center justify-center rounded-full bg-sunken text-ink-soft">
      <Icon className="size-4" aria-hidden />
    </span>
  )
}

/** What it was done to, with a way there. */
function Subject({ entry }: { entry: EntryResponse }) {
  const { companies, company } = useSession()
  const { type, leadId, projectId, name, customer, companyId } = entry
  const dealer = companyId !== company.id && companies.find(({ id }) => id === companyId)?.name
  const exported = type === 'security.exported' ? texts.exported[name ?? ''] : undefined
  const called = exported ?? (leadId ? (customer ?? name ?? common.unknown) : name)
  const link = 'text-action underline underline-offset-2'
  return (
    <>
      {leadId && projectId ? (
        <Link to="/projects/$id" params={{ id: projectId }} className={link}>
          {called}
        </Link>
      ) : leadId ? (
        <Link to="/leads/$id" params={{ id: leadId }} className={link}>
          {called}
        </Link>
      ) : (
        <span>{called && <UnbrokenText>{called}</UnbrokenText>}</span>
      )}
      {dealer && dealer !== called && <span className="text-ink-soft"> · {dealer}</span>}
    </>
  )
}

function Change({ field, from, to }: EntryResponse['changes'][number]) {
  return (
    <div className="grid gap-x-4 @xl:grid-cols-[10rem_1fr]">
      <dt className="text-ink-soft">{fieldName(field)}</dt>
      <dd className="flex min-w-0 flex-wrap items-center gap-x-2">
        <span className="sr-only">{texts.changedFrom}</span>
        <Value field={field} value={from} before />
        <ArrowRight className="size-3.5 shrink-0 text-ink-soft" aria-hidden />
        <span className="sr-only">{texts.changedTo}</span>
        <Value field={field} value={to} />
      </dd>
    </div>
  )
}

function Value({ field, value, before }: { field: string; value: unknown; before?: boolean }) {
  const text = fieldText(field, value)
  if (text === null) return <span className="text-ink-soft italic">{texts.nothing}</span>
  return (
    <span className={`line-clamp-4 min-w-0 ${before ? 'text-ink-soft' : 'font-medium'}`}>
      <UnbrokenText>{text}</UnbrokenText>
    </span>
  )
}
