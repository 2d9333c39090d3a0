import { useMutation } from '@tanstack/react-query'
import { api } from '../../../api/client.ts'
import { useSession } from '../../../session/session.tsx'
import { secondFactor as texts } from '../../../texts/en/second-factor.ts'
import { Button } from '../../../ui/button.tsx'
import { Badge, Card, CardHeader } from '../../../ui/surface.tsx'
import { useToasts } from '../../../ui/toast.tsx'
import { type CompanyShown, useCompanyChanged } from './use-company.ts'

/** Whether the company's owners and admins need more than a password. */
export function SecondFactorCard({ company: { secondFactorRequired } }: { company: CompanyShown }) {
  const { role } = useSession()
  const { say } = useToasts()
  const changed = useCompanyChanged()
  const change = useMutation({
    mutationFn: (required: boolean) => api.put('/company/second-factor', { required }),
    onSuccess: async (_, required) => {
      say(required ? texts.ruleSaved : texts.ruleDropped)
      await changed()
      // Who has decided so without a second factor of their own comes to the page that sets one up.
      if (required) location.reload()
    },
  })
  return (
    <Card className="pb-5">
      <CardHeader
        title={texts.rule}
        actions={
          <Badge tone={secondFactorRequired ? 'good' : 'plain'}>
            {secondFactorRequired ? texts.required : texts.notRequired}
          </Badge>
        }
      >
        {texts.ruleNote}
      </CardHeader>
      <div className="px-5">
        {role === 'owner' ? (
          <Button busy={change.isPending} onClick={() => change.mutate(!secondFactorRequired)}>
            {secondFactorRequired ? texts.dropRule : texts.require}
          </Button>
        ) : (
          <p className="text-ink-soft">{texts.ownersOnly}</p>
        )}
        {change.error && (
          <p role="alert" className="pt-2 text-bad">
            {change.error.message}
          </p>
        )}
      </div>
    </Card>
  )
}
