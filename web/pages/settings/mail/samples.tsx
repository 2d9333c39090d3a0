import { useQuery } from '@tanstack/react-query'
import { mail as texts } from '../../../texts/en/mail.ts'
import { Loaded } from '../../../ui/states.tsx'
import { Badge, Card } from '../../../ui/surface.tsx'
import { MailText } from './mail-dialog.tsx'
import { samplesQuery } from './use-mails.ts'

/** How each kind of mail reads. */
export function Samples() {
  const query = useQuery(samplesQuery)
  return (
    <>
      <p className="pb-4 text-ink-soft">{texts.samplesNote}</p>
      <Loaded query={query}>
        {({ samples }) => (
          <ul aria-label={texts.samples} className="flex flex-col gap-4">
            {samples.map(({ kind, stage, subject, body }) => (
              <li key={`${kind} ${stage} ${subject}`}>
                <Card className="px-5 py-4">
                  <h3 className="flex flex-wrap items-center gap-2 font-semibold">
                    {texts.kinds[kind]}
                    {kind === 'customerMessage' && stage && <Badge>{stage}</Badge>}
                  </h3>
                  <p className="pt-1">
                    <span className="text-ink-soft">{texts.subject}: </span>
                    {subject}
                  </p>
                  <MailText text={body} />
                </Card>
              </li>
            ))}
          </ul>
        )}
      </Loaded>
    </>
  )
}
