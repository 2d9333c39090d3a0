import { common } from './common.ts'

export const moving = {
  title: (customer: string, stage: string) => `Move ${customer} to ${stage}?`,
  note: 'Emails go out 30 seconds after the move. Until then you can undo it.',
  customer: (name: string, email: string) => `Email ${name} (${email})`,
  team: (people: readonly string[]) => `Alert ${new Intl.ListFormat('en-US').format(people)}`,
  teamHow: 'By notification and email.',
  installation: (panels: number) =>
    panels === 0
      ? 'An installation is created.'
      : `An installation with ${common.count(panels, 'panel', 'panels')} is created.`,
  confirm: 'Move',
  undo: 'Undo',
  undone: (stage: string) => `Undone: back in ${stage}.`,
}
