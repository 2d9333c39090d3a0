import { useInfiniteQuery } from '@tanstack/react-query'
import { Inbox, Info } from 'lucide-react'
import { useState } from 'react'
import { mail as texts } from '../../../texts/en/mail.ts'
import { Choice, ClearFilters, SearchField, withFilter } from '../../../ui/filters.tsx'
import { ShowMore } from '../../../ui/show-more.tsx'
import { EmptyState, Loaded } from '../../../ui/states.tsx'
import { Card } from '../../../ui/surface.tsx'
import { MailDialog } from './mail-dialog.tsx'
import { MailList } from './mail-list.tsx'
import { type MailFilters, type MailRow, mailsQuery } from './use-mails.ts'

interface OutboxProps {
  filters: MailFilters
  onChange: (filters: MailFilters) => void
}

/** What was written, and what became of it. */
export function Outbox({ filters, onChange }: OutboxProps) {
  const query = useInfiniteQuery(mailsQuery(filters))
  const [opened, setOpened] = useState<MailRow | null>(null)
  const narrowed = Object.keys(filters).length > 0
  const icon = <Inbox aria-hidden />
  return (
    <>
      {query.data?.pages[0]?.sendsMail === false && (
        <p className="mb-4 flex items-start gap-2 rounded-lg bg-warn-soft px-4 py-3 text-warn">
          <Info className="mt-0.5 size-5 shrink-0" aria-hidden />
          {texts.notSent}
        </p>
      )}
      <Filters filters={filters} onChange={onChange} />
      <Card busy={query.isPlaceholderData}>
        <Loaded query={query}>
          {({ pages }) => {
            const mails = pages.flatMap((page) => page.mails)
            if (mails.length > 0) return <MailList mails={mails} onOpen={setOpened} />
            if (!narrowed)
              return (
                <EmptyState icon={icon} title={texts.empty}>
                  {texts.emptyNote}
                </EmptyState>
              )
            return (
              <EmptyState
                icon={icon}
                title={texts.nothingFits}
                action={<ClearFilters onClear={() => onChange({})} />}
              >
                {texts.nothingFitsNote}
              </EmptyState>
            )
          }}
        </Loaded>
        <ShowMore query={query} />
      </Card>
      {opened && <MailDialog id={opened.id} title={opened.subject} onClose={() => setOpened(null)} />}
    </>
  )
}

function Filters({ filters, onChange }: OutboxProps) {
  const set = (name: 'to' | 'state', value: string) => onChange(withFilter(filters, name, value))
  return (
    <div className="flex flex-wrap gap-2 pb-4">
      <SearchField
        label={texts.to}
        hint={texts.toHint}
        value={filters.to ?? ''}
        maxLength={320}
        onChange={(to) => set('to', to)}
        className="min-w-52 flex-2"
      />
      <Choice
        label={texts.state}
        every={texts.everyState}
        options={Object.entries(texts.states)}
        value={filters.state}
        onChange={(state) => set('state', state)}
        className="min-w-40 flex-1"
      />
    </div>
  )
}
