import { useParams } from '@tanstack/react-router'
import type { ImportResponse } from '../../../../src/api/console/import-responses.ts'
import { useRecordName } from '../../../shell/page-title.ts'
import { imports as texts } from '../../../texts/en/imports.ts'
import { BackLink } from '../../../ui/back-link.tsx'
import { formatTime } from '../../../ui/format.ts'
import { Loaded } from '../../../ui/states.tsx'
import { Card } from '../../../ui/surface.tsx'
import { SettingsHeader } from '../settings-header.tsx'
import { MappingCard } from './mapping-card.tsx'
import { ProblemsCard } from './problems-card.tsx'
import { Report } from './report-card.tsx'
import { ResultCard } from './result-card.tsx'
import { SameNotice } from './same-notice.tsx'
import { StateBadge } from './state-badge.tsx'
import { useImport } from './use-import.ts'
import { WorkingCard } from './working-card.tsx'

/** One file on its way in: its columns, what it would do, how far it is, what it did. */
export function ImportDetailPage() {
  const { id } = useParams({ strict: false }) as { id: string }
  const query = useImport(id)
  useRecordName(query.data?.name)
  return (
    <>
      <BackLink to="/settings/import">{texts.back}</BackLink>
      <Loaded query={query}>
        {(shown) => (
          <>
            <SettingsHeader
              title={shown.name}
              note={`${formatTime(String(shown.createdAt))} ${texts.by(shown.by)}`}
              actions={<StateBadge state={shown.state} />}
            />
            <div className="flex flex-col gap-5">
              <Step shown={shown} />
            </div>
          </>
        )}
      </Loaded>
    </>
  )
}

function Step({ shown }: { shown: ImportResponse }) {
  const { state } = shown
  if (state === 'mapping')
    return (
      <>
        <SameNotice shown={shown} />
        <MappingCard shown={shown} />
      </>
    )
  if (state === 'checked') return <Report shown={shown} />
  if (state === 'checking' || state === 'running' || state === 'undoing')
    return <WorkingCard shown={{ ...shown, state }} />
  return (
    <>
      {shown.failure && (
        <Card className="px-5 py-4">
          <p role="alert" className="text-bad">
            {shown.failure}
          </p>
        </Card>
      )}
      {state !== 'failed' && <ResultCard shown={shown} />}
      <ProblemsCard shown={shown} />
    </>
  )
}
