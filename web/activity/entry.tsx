import {
  BellRing,
  CalendarCheck,
  CircleCheck,
  FileUp,
  Handshake,
  type LucideIcon,
  MessageSquare,
  Milestone,
  Pencil,
  Reply,
  Send,
  Stamp,
  UserRoundCheck,
  UserRoundPlus,
} from 'lucide-react'
import { useState } from 'react'
import type { ActivityResponse, ReplyResponse } from '../../src/api/console/activities.ts'
import { activity as texts } from '../texts/en/activity.ts'
import { formatAgo, formatTime } from '../ui/format.ts'
import { Avatar, Badge } from '../ui/surface.tsx'
import { UnbrokenText } from '../ui/unbroken-text.tsx'
import { NoteForm } from './note-form.tsx'

const icons: Record<ActivityResponse['type'], LucideIcon> = {
  note: MessageSquare,
  leadCreated: UserRoundPlus,
  leadUpdated: Pencil,
  assigned: UserRoundCheck,
  projectCreated: Handshake,
  stageChanged: Milestone,
  installScheduled: CalendarCheck,
  ntpChanged: Stamp,
  fileAdded: FileUp,
  checklistDone: CircleCheck,
  message: Send,
  alert: BellRing,
}

interface EntryProps {
  entry: ActivityResponse
  leadId: string
  /** It is not replied to. */
  readOnly: boolean
}

/** Something in a feed: what a person wrote stands out, what happened is told in a line. */
export function Entry(props: EntryProps) {
  return props.entry.type === 'note' ? <Note {...props} /> : <Happening entry={props.entry} />
}

function Happening({ entry }: { entry: ActivityResponse }) {
  const Icon = icons[entry.type]
  return (
    <li className="flex gap-3">
      <span className="mt-0.5 inline-flex size-6 shrink-0 items-center justify-center rounded-full bg-sunken text-ink-soft">
        <Icon className="size-3.5" aria-hidden />
      </span>
      <div className="min-w-0 flex-1">
        <p className="whitespace-pre-wrap">
          <span className="sr-only">{texts.entry[entry.type]}: </span>
          <UnbrokenText>{entry.body}</UnbrokenText>
        </p>
        <ByLine entry={entry} />
      </div>
    </li>
  )
}

function ByLine({ entry: { author, createdAt } }: { entry: ReplyResponse }) {
  return (
    <p className="text-[0.8rem] text-ink-soft">
      {author ?? texts.somebody},{' '}
      <time dateTime={createdAt} title={formatTime(createdAt)}>
        {formatAgo(createdAt)}
      </time>
    </p>
  )
}

function Note({ entry, leadId, readOnly }: EntryProps) {
  const [replying, setReplying] = useState(false)
  const author = entry.author ?? texts.somebody
  return (
    <li className="flex gap-3">
      <Avatar name={author} small />
      <div className="min-w-0 flex-1">
        <Written entry={entry} />
        {entry.replies.length > 0 && (
          <ol aria-label={texts.replies} className="mt-2 flex flex-col gap-2 border-l-2 border-line pl-3">
            {entry.replies.map((reply) => (
              <li key={reply.id} className="flex gap-2">
                <Avatar name={reply.author ?? texts.somebody} small />
                <div className="min-w-0 flex-1">
                  <Written entry={reply} />
                </div>
              </li>
            ))}
          </ol>
        )}
        {!readOnly && replying && (
          <div className="pt-2">
            <NoteForm leadId={leadId} replyTo={{ id: entry.id, author }} onClose={() => setReplying(false)} />
          </div>
        )}
        {!readOnly && !replying && (
          <button
            type="button"
            aria-label={texts.replyTo(author)}
            onClick={() => setReplying(true)}
            className="mt-1 inline-flex min-h-7 items-center gap-1.5 rounded px-1 text-[0.87rem] font-medium text-ink-soft hover:text-ink"
          >
            <Reply className="size-3.5" aria-hidden />
            {texts.reply}
          </button>
        )}
      </div>
    </li>
  )
}

function Written({ entry }: { entry: ReplyResponse }) {
  return (
    <div className="rounded-xl bg-sunken px-3.5 py-2.5">
      <div className="flex flex-wrap items-baseline gap-x-2">
        <span className="font-medium">{entry.author ?? texts.somebody}</span>
        <time
          dateTime={entry.createdAt}
          title={formatTime(entry.createdAt)}
          className="text-[0.8rem] text-ink-soft"
        >
          {formatAgo(entry.createdAt)}
        </time>
        {entry.internal && <Badge tone="warn">{texts.internal}</Badge>}
        {entry.customerFacing && <Badge tone="info">{texts.customerFacing}</Badge>}
      </div>
      <p className="pt-0.5 whitespace-pre-wrap">
        <UnbrokenText>{entry.body}</UnbrokenText>
      </p>
    </div>
  )
}
