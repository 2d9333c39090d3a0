export const editable = {
  edit: (label: string, value: string) => `Edit ${label}: ${value}`,
  add: (label: string) => `Add ${label}`,
  keys: 'Ctrl + Enter to save, Escape to cancel.',
  saving: 'Saving',
}
