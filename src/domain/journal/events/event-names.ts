/** What the feed holds, and endpoints may be told. */
export const eventNames = [
  'lead.created',
  'lead.updated',
  'project.created',
  'project.updated',
  'project.stage_changed',
  'project.deleted',
  'note.created',
  'message.queued',
  'proposal.opened',
  'team.alerted',
  'checklist.updated',
  'activity.deleted',
  'file.added',
  'file.deleted',
  'panel.created',
  'panel.updated',
  'panel.deleted',
  'installation.created',
  'installation.updated',
  'installation.deleted',
  'alert.triggered',
  'alert.updated',
  'alert.acknowledged',
  'alert.resolved',
  'invoice.created',
  'invoice.updated',
  'invoice.deleted',
  'invoice.finalized',
  'invoice.payment_recorded',
  'invoice.paid',
  'invoice.voided',
  'credit.created',
] as const
export type EventName = (typeof eventNames)[number]

const names = new Set<string>(eventNames)

/** Others are for the audit log and for open pages only. */
export function isPublished(type: string): type is EventName {
  return names.has(type)
}
