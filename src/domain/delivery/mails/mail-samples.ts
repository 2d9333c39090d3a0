import { alertMail, messageMail, stageAlert } from '../../deals/projects/stage-mails.ts'
import type { Context } from '../../kernel/context.ts'
import { authorize } from '../../kernel/policy.ts'
import { passwordMail } from '../../tenants/people/person-mails.ts'
import { invitationMail } from '../../tenants/people/write-invitation.ts'
import { disabledMail } from '../webhooks/disable-webhook.ts'

export type MailKind = 'invitation' | 'password' | 'stageAlert' | 'customerMessage' | 'webhookDisabled'

export interface MailSample {
  kind: MailKind
  /** The stage that a message to the customer belongs to. */
  stage: string | null
  subject: string
  body: string
}

const customer = { firstName: 'Ada', lastName: 'Moreno' }
const anyStage = 'Site Survey'

/** Every kind of mail as it is written, with made-up names; messages to customers as the ladders have them. */
export async function mailSamples(ctx: Context, baseUrl: string): Promise<MailSample[]> {
  const { db, directories, actor } = ctx
  authorize(actor, 'mails.read')
  const { companies, stages } = await directories.current(db, actor.installerId)
  const company = companies.get(actor.companyId)!.name
  const sample = (kind: MailKind, mail: { subject: string; body: string }, stage: string | null = null) => ({
    kind,
    stage,
    ...mail,
  })
  const invited = { name: 'Maria', company, from: actor.name, role: 'rep' as const }
  const alert = stageAlert(`${customer.firstName} ${customer.lastName}`, anyStage)
  const messages = [...stages.values()]
    .filter(({ retired }) => !retired)
    .sort((a, b) => a.productLine.localeCompare(b.productLine) || a.position - b.position)
    .flatMap(({ name, messages }) =>
      messages.map((message) =>
        sample('customerMessage', messageMail(message, { ...customer, stage: name, company }), name),
      ),
    )
  return [
    sample('invitation', invitationMail({ ...invited, link: `${baseUrl}/invitation?token=…` })),
    sample('password', passwordMail({ name: 'Maria', link: `${baseUrl}/reset-password?token=…` })),
    sample('stageAlert', alertMail('Maria', alert), anyStage),
    ...messages,
    sample(
      'webhookDisabled',
      disabledMail({
        id: 'wh_01h2x3example',
        url: 'https://crm.example.com/sunstead',
        reason: 'every delivery to it has failed for 5 days',
      }),
    ),
  ]
}
