export const editing = {
  changedMeanwhile: 'Someone else changed this in the meantime. What you typed is kept.',
  now: (name: string, value: string) => (value ? `${name} is now: ${value}` : `${name} is empty now.`),
  inPlace: (name: string, value: string) =>
    value
      ? `Someone else changed this in the meantime. ${name} is now: ${value}`
      : `Someone else changed this in the meantime. ${name} is empty now.`,
  keepMine: 'Keep mine',
  takeTheirs: 'Use theirs',
}
