export const jobs = {
  stop: 'Stop',
  goesOn: 'You can leave this page. It keeps going, even if the server restarts.',
  stopNote: 'If you stop it, what is done so far stays.',
  states: { running: 'Under way', done: 'Done', failed: 'Failed', cancelled: 'Stopped' } as const,
}
