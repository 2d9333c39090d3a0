export const editing = {
  changedMeanwhile: 'Somebody else has changed this meanwhile. What you typed is kept.',
  now: (name: string, value: string) => (value ? `${name} is now: ${value}` : `${name} is empty now.`),
  keepMine: 'Keep mine and go on',
  takeTheirs: 'Take theirs',
}
