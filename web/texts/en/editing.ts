export const editing = {
  changedMeanwhile: 'Somebody else has changed this meanwhile. What you typed is kept.',
  keepMine: 'Keep mine and go on',
  takeTheirs: 'Take theirs',
}
