import { dayIn } from '../../kernel/days.ts'
import { type Directory, installerOf } from '../../kernel/tenant/directory.ts'
import type { Member } from '../../kernel/tenant/member.ts'
import type { AlertTarget, Stage } from '../../kernel/tenant/stage.ts'
import type { Effects } from '../changes/change.ts'
import type { SoldDeal } from '../changes/deal.ts'
import { finishProject } from './finished-project.ts'
import type { Project } from './project.ts'
import { alertMail, messageMail, stageAlert } from './stage-mails.ts'

/** Who is notified when a project enters a stage, of those whom the stage names. */
export interface NotifyChoice {
  customer: boolean
  /** Those who are alerted: by a notification and a mail. */
  team: boolean
}

export const notifyEverybody: NotifyChoice = { customer: true, team: true }

/** Those of a deal whom a stage may name. */
type Involved = Pick<SoldDeal, 'lead'> & {
  project: Pick<Project, 'companyId' | 'projectManagerId' | 'siteSurveyorId' | 'subcontractorId'>
}

type StageNotices = Required<Pick<Effects, 'activities' | 'notifications' | 'mails'>>

/** What people are sent when a project enters a stage. */
function noticesOf(deal: Involved, stage: Stage, directory: Directory, notify: NotifyChoice): StageNotices {
  const { lead, project } = deal
  const customer = [lead.customer.firstName, lead.customer.lastName].filter(Boolean).join(' ') || 'Customer'
  const notices: StageNotices = { activities: [], notifications: [], mails: [] }
  const people = notify.team ? stage.alerts.flatMap((target) => alerted(deal, target, directory)) : []
  const alert = stageAlert(customer, stage.name)
  for (const member of new Map(people.map((m) => [m.id, m])).values()) {
    notices.notifications.push({ memberId: member.id, text: alert })
    notices.mails.push({ to: member.email, ...alertMail(member.name, alert) })
  }
  if (notices.notifications.length > 0) {
    const names = [...new Set(people.map((m) => m.name))].join(', ')
    notices.activities.push({ type: 'alert', body: `Alerted ${names}` })
  }
  if (notify.customer && lead.customer.email) {
    const words = {
      firstName: lead.customer.firstName ?? '',
      lastName: lead.customer.lastName ?? '',
      stage: stage.name,
      company: directory.companies.get(project.companyId)?.name ?? '',
    }
    for (const message of stage.messages) {
      const mail = { to: lead.customer.email, ...messageMail(message, words) }
      notices.mails.push(mail)
      notices.activities.push({
        type: 'message',
        body: `${mail.subject}\n\n${mail.body}`,
        customerFacing: true,
      })
    }
  }
  return notices
}

/** Who is notified when a project enters a stage, as shown before it does. */
export interface StageRecipients {
  /** Who of the customer's side is written to, and under which subjects; null where nobody is. */
  customer: { name: string; email: string; subjects: string[] } | null
  /** Who of the team is alerted. */
  people: string[]
}

export function stageRecipients(deal: Involved, stage: Stage, directory: Directory): StageRecipients {
  const { notifications, mails } = noticesOf(deal, stage, directory, notifyEverybody)
  const { firstName, lastName, email } = deal.lead.customer
  const subjects = mails.slice(notifications.length).map(({ subject }) => subject)
  const name = [firstName, lastName].filter(Boolean).join(' ')
  return {
    customer: subjects.length > 0 ? { name, email: email!, subjects } : null,
    people: notifications.map(({ memberId }) => directory.members.get(memberId)!.name),
  }
}

/**
 * What entering a stage does to a project and beside it: the milestone is stamped, the checklist put
 * on the project, people alerted and messages to the customer queued, as far as they are to be notified, and what is built
 * gets its installation.
 */
export function enterStage(
  deal: SoldDeal,
  stage: Stage,
  directory: Directory,
  now: Date,
  notify = notifyEverybody,
): { project: Project; effects: Effects } {
  const { project } = deal
  const milestones = { ...project.milestones }
  if (stage.milestone) milestones[stage.milestone] ??= dayIn(installerOf(directory).timezone, now)
  const effects: Effects = {
    ...noticesOf(deal, stage, directory, notify),
    events: [],
    checklist: { stageId: stage.id, labels: stage.checklist },
  }
  const finished = stage.milestone === 'installCompleted' ? finishProject(deal, directory, now) : null
  if (finished) {
    effects.installation = finished
    effects.events.push(...finished.events)
  }
  const installationId = finished?.installation.id ?? project.installationId
  return {
    project: { ...project, stageId: stage.id, stageEnteredAt: now, milestones, installationId },
    effects,
  }
}

function alerted({ lead, project }: Involved, target: AlertTarget, directory: Directory): Member[] {
  const slots: Partial<Record<AlertTarget, string | null>> = {
    salesRep: lead.salesRepId,
    setter: lead.setterId,
    projectManager: project.projectManagerId,
    siteSurveyor: project.siteSurveyorId,
    subcontractor: project.subcontractorId,
  }
  const id = slots[target]
  const found =
    target in slots
      ? [id ? directory.members.get(id) : undefined]
      : [...directory.members.values()].filter(
          (m) => m.role === target && m.companyId === directory.installerId,
        )
  return found.filter((member) => member !== undefined).filter((member) => member.active)
}
