import type { StageMessage } from '../domain/kernel/tenant/stage.ts'

/** What the first installer tells its solar customers, by stage. */
export const customerMessages: Readonly<Record<string, StageMessage>> = {
  'Install Scheduled': {
    subject: 'Your installation is scheduled',
    body:
      'Hello {firstName},\n\nYour solar installation is on our calendar. ' +
      'Our crew will call you the day before.\n\n{company}',
  },
  PTO: {
    subject: 'You may switch your system on',
    body:
      'Hello {firstName},\n\nYour utility has granted permission to operate. ' +
      'You may switch your system on today.\n\n{company}',
  },
}
