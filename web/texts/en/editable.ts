export const editable = {
  edit: (label: string, value: string) => `Edit ${label}: ${value}`,
  add: (label: string) => `Add ${label}`,
  keys: 'Ctrl + Enter saves, Escape leaves it as it was.',
  saving: 'Saving',
}
