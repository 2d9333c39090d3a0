import { Link } from '@tanstack/react-router'
import { ArrowRight, Cog, KeyRound } from 'lucide-react'
import { useSession } from '../../../session/session.tsx'
import { audit as texts } from '../../../texts/en/audit.ts'
import { formatAgo, formatTime } from '../../../ui/format.ts'
import { Avatar } from '../../../ui/surface.tsx'
import type { EntryShown } from './use-audit.ts'
import { fieldName, typeName, valueText } from './words.ts'

/** What happened, the newest first. */
export function EntryList({ entries }: { entries: EntryShown[] }) {
  return (
    <ol aria-label={texts.list} className="divide-y divide-line/70">
      {entries.map((entry) => (
        <Entry key={entry.id} entry={entry} />
      ))}
    </ol>
  )
}

function Entry({ entry }: { entry: EntryShown }) {
  const { at, actor, type, changes } = entry
  const silent = changes.length === 0 && type.endsWith('.updated') && actor.kind === 'job'
  return (
    <li className="flex gap-3 px-4 py-3.5 sm:px-5">
      <ActorPicture actor={actor} />
      <div className="min-w-0 flex-1">
        <div className="flex flex-wrap items-baseline gap-x-3">
          <p className="min-w-0 flex-1 basis-56">
            <span className="font-medium">{actorName(actor)}</span> {typeName(type)} <Subject entry={entry} />
          </p>
          <time dateTime={at} title={formatTime(at)} className="text-[0.87rem] text-ink-soft">
            {formatAgo(at)}
          </time>
        </div>
        {silent && <p className="text-[0.93rem] text-ink-soft">{texts.renamed}</p>}
        {changes.length > 0 && (
          <dl className="mt-1.5 flex flex-col gap-1 text-[0.93rem]">
            {changes.map((change) => (
              <Change key={change.field} {...change} />
            ))}
          </dl>
        )}
      </div>
    </li>
  )
}

const actorName = ({ kind, name }: EntryShown['actor']) =>
  kind === 'key' ? texts.byKey(name ?? '') : (name ?? texts.system)

function ActorPicture({ actor: { kind, name } }: { actor: EntryShown['actor'] }) {
  if (kind === 'member' && name) return <Avatar name={name} />
  const Icon = kind === 'key' ? KeyRound : Cog
  return (
    <span className="inline-flex size-9 shrink-0 items-center justify-center rounded-full bg-sunken text-ink-soft">
      <Icon className="size-4" aria-hidden />
    </span>
  )
}

/** What it was done to, with a way there. */
function Subject({ entry }: { entry: EntryShown }) {
  const { companies, company } = useSession()
  const { leadId, projectId, name, customer, companyId } = entry
  const dealer = companyId !== company.id && companies.find(({ id }) => id === companyId)?.name
  const called = leadId ? (customer ?? name) : name
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
        <span>{called}</span>
      )}
      {dealer && dealer !== called && <span className="text-ink-soft"> · {dealer}</span>}
    </>
  )
}

function Change({ field, from, to }: EntryShown['changes'][number]) {
  return (
    <div className="grid gap-x-4 sm:grid-cols-[10rem_1fr]">
      <dt className="text-ink-soft">{fieldName(field)}</dt>
      <dd className="flex min-w-0 flex-wrap items-center gap-x-2">
        <span className="sr-only">{texts.changedFrom}</span>
        <Value value={from} before />
        <ArrowRight className="size-3.5 shrink-0 text-ink-soft" aria-hidden />
        <span className="sr-only">{texts.changedTo}</span>
        <Value value={to} />
      </dd>
    </div>
  )
}

function Value({ value, before }: { value: unknown; before?: boolean }) {
  const text = valueText(value)
  if (text === null) return <span className="text-ink-soft italic">{texts.nothing}</span>
  return (
    <span className={`line-clamp-4 min-w-0 wrap-anywhere ${before ? 'text-ink-soft' : 'font-medium'}`}>
      {text}
    </span>
  )
}
