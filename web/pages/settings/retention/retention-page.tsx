import { useQuery } from '@tanstack/react-query'
import { retentionQuery } from '../../../privacy/use-privacy.ts'
import { retention as texts } from '../../../texts/en/privacy.ts'
import { formatTime } from '../../../ui/format.ts'
import { Loaded } from '../../../ui/states.tsx'
import { SettingsHeader } from '../settings-header.tsx'
import { RetentionForm } from './retention-form.tsx'

/** How long the company keeps what. */
export function RetentionPage() {
  const query = useQuery(retentionQuery)
  return (
    <>
      <SettingsHeader title={texts.title} note={texts.note} />
      <Loaded query={query}>
        {(rule) => (
          <>
            <RetentionForm key={rule.version} rule={rule} />
            {rule.version > 0 && (
              <p className="pt-3 text-ink-soft">
                {rule.lastRunAt
                  ? texts.lastRun(formatTime(rule.lastRunAt), rule.leadsErased, rule.mailsCleared)
                  : texts.notRun}
              </p>
            )}
          </>
        )}
      </Loaded>
    </>
  )
}
