import { useState } from 'react'
import { api } from '../../../api/client.ts'
import { useSubmit } from '../../../api/use-submit.ts'
import { useSession } from '../../../session/session.tsx'
import { secondFactor as texts } from '../../../texts/en/second-factor.ts'
import { Button } from '../../../ui/button.tsx'
import { FormDialog } from '../../../ui/form-dialog.tsx'
import { Badge, Card, CardHeader } from '../../../ui/surface.tsx'
import { useToasts } from '../../../ui/toast.tsx'
import { type CompanyResponse, useCompanyChanged } from './use-company.ts'

/** Whether the company's owners and admins need more than a password. */
export function SecondFactorCard({ company: { secondFactorRequired } }: { company: CompanyResponse }) {
  const { role, company } = useSession()
  const [asking, setAsking] = useState(false)
  const { say } = useToasts()
  const changed = useCompanyChanged()
  const change = useSubmit({
    mutationFn: (required: boolean, submission) =>
      api.put('/company/second-factor', { required }, submission),
    onSuccess: async (_, required) => {
      setAsking(false)
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
          <Button onClick={() => setAsking(true)}>
            {secondFactorRequired ? texts.dropRule : texts.require}
          </Button>
        ) : (
          <p className="text-ink-soft">{texts.ownersOnly}</p>
        )}
      </div>
      {asking && (
        <FormDialog
          title={secondFactorRequired ? texts.dropTitle : texts.requireTitle}
          description={secondFactorRequired ? texts.dropNote : texts.requireNote(company.name)}
          sending={change}
          onSubmit={() => change.mutate(!secondFactorRequired)}
          confirm={secondFactorRequired ? texts.dropRule : texts.require}
          kind={secondFactorRequired ? 'danger' : 'primary'}
          onClose={() => setAsking(false)}
        />
      )}
    </Card>
  )
}
