import { getRouteApi } from '@tanstack/react-router'
import { useCallback } from 'react'
import { mail as texts } from '../../../texts/en/mail.ts'
import { Segments } from '../../../ui/tabs.tsx'
import { SettingsHeader } from '../settings-header.tsx'
import { Outbox } from './outbox.tsx'
import { Samples } from './samples.tsx'
import type { MailFilters } from './use-mails.ts'

const route = getRouteApi('/inside/settings/mail')

const views = [
  { value: 'outbox', label: texts.outbox },
  { value: 'samples', label: texts.samples },
] as const

/** The outbox, and how each kind of mail reads. */
export function MailPage() {
  const { view, ...filters } = route.useSearch()
  const navigate = route.useNavigate()
  const change = useCallback(
    (next: MailFilters) => void navigate({ search: next, replace: true }),
    [navigate],
  )
  const current = view === 'samples' ? 'samples' : 'outbox'
  return (
    <>
      <SettingsHeader
        title={texts.title}
        note={texts.note}
        actions={
          <Segments
            label={texts.views}
            options={views}
            value={current}
            onChange={(value) => navigate({ search: value === 'samples' ? { view: value } : {} })}
          />
        }
      />
      {current === 'samples' ? <Samples /> : <Outbox filters={filters} onChange={change} />}
    </>
  )
}
