import { mail as texts } from '../../../texts/en/mail.ts'
import { formatAgo, formatTime } from '../../../ui/format.ts'
import { Badge } from '../../../ui/surface.tsx'
import { type MailRow, stateTones } from './use-mails.ts'

interface MailListProps {
  mails: MailRow[]
  onOpen: (mail: MailRow) => void
}

export function MailList({ mails, onOpen }: MailListProps) {
  return (
    <ul aria-label={texts.list} className="divide-y divide-line/70">
      {mails.map((mail) => (
        <li key={mail.id}>
          <button
            type="button"
            onClick={() => onOpen(mail)}
            className="flex w-full flex-wrap items-center gap-x-4 gap-y-1 px-4 py-3 text-left hover:bg-sunken/60 sm:px-5"
          >
            <span className="min-w-0 flex-1 basis-56 max-sm:basis-full">
              <span className="block font-medium sm:truncate">{mail.subject}</span>
              <span className="block truncate text-[0.87rem] text-ink-soft">{mail.to}</span>
            </span>
            <Badge tone={stateTones[mail.state]}>{texts.states[mail.state]}</Badge>
            <time
              dateTime={mail.createdAt}
              title={formatTime(mail.createdAt)}
              className="text-[0.87rem] text-ink-soft sm:w-32 sm:text-right"
            >
              {formatAgo(mail.createdAt)}
            </time>
          </button>
        </li>
      ))}
    </ul>
  )
}
