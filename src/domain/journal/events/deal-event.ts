/** The events of leads, projects and what comes with them; webhooks, live updates and the audit log read them. */
export type EventType =
  | 'lead.created'
  | 'lead.updated'
  | 'project.created'
  | 'project.updated'
  | 'project.stage_changed'
  | 'project.deleted'
  /** Of ours alone: no reading of the project shows its checklist, so nobody outside is told. */
  | 'project.checklist_changed'
  | 'file.added'
  | 'installation.created'
  | 'installation.updated'
  | 'installation.deleted'
  | 'panel.created'
  | 'panel.deleted'

export interface NewEvent {
  type: EventType
  /** The record the event is about. */
  subjectId: string
  /** What changed, each field from what to what. */
  changes?: Record<string, [from: unknown, to: unknown]>
  /** The record as the API reads it, where it is no lead and no project. */
  data?: object
  /** As it read before, where it was there. */
  before?: object
}
