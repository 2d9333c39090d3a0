import { useInfiniteQuery } from '@tanstack/react-query'
import { Inbox, Info } from 'lucide-react'
import { useEffect, useState } from 'react'
import { common } from '../../../texts/en/common.ts'
import { mail as texts } from '../../../texts/en/mail.ts'
import { Button } from '../../../ui/button.tsx'
import { Field, Select, TextInput } from '../../../ui/field.tsx'
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
      <Card className={query.isPlaceholderData ? 'opacity-60 transition-opacity' : ''}>
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
                action={<Button onClick={() => onChange({})}>{texts.clear}</Button>}
              >
                {texts.nothingFitsNote}
              </EmptyState>
            )
          }}
        </Loaded>
        {query.hasNextPage && (
          <div className="flex justify-center p-4">
            <Button busy={query.isFetchingNextPage} onClick={() => query.fetchNextPage()}>
              {common.showMore}
            </Button>
          </div>
        )}
      </Card>
      {opened && <MailDialog id={opened.id} title={opened.subject} onClose={() => setOpened(null)} />}
    </>
  )
}

const typingMs = 300

function Filters({ filters, onChange }: OutboxProps) {
  const { state, to } = filters
  const [typed, setTyped] = useState(to ?? '')
  useEffect(() => setTyped(to ?? ''), [to])
  useEffect(() => {
    const address = typed.trim()
    if (address === (to ?? '')) return
    const timer = setTimeout(
      () => onChange({ ...(state ? { state } : {}), ...(address ? { to: address } : {}) }),
      typingMs,
    )
    return () => clearTimeout(timer)
  }, [typed, to, state, onChange])
  return (
    <div className="flex flex-wrap gap-2 pb-4">
      <Field label={texts.to} labelHidden className="min-w-52 flex-2">
        <TextInput
          type="search"
          maxLength={320}
          value={typed}
          placeholder={texts.toHint}
          onChange={(event) => setTyped(event.target.value)}
        />
      </Field>
      <Field label={texts.state} labelHidden className="min-w-36 flex-1">
        <Select
          value={state ?? ''}
          onChange={({ target: { value } }) =>
            onChange({ ...(value ? { state: value } : {}), ...(to ? { to } : {}) })
          }
        >
          <option value="">{texts.everyState}</option>
          {Object.entries(texts.states).map(([value, name]) => (
            <option key={value} value={value}>
              {name}
            </option>
          ))}
        </Select>
      </Field>
    </div>
  )
}
