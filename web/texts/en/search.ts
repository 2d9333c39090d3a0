import { common } from './common.ts'

export const search = {
  title: 'Search',
  label: 'Search leads and projects',
  hint: 'Name, phone, email, address, id …',
  shortcuts: (keys: string) => `Press / or ${keys} on any page`,
  leads: 'Leads',
  projects: 'Projects',
  begin: 'Find a customer',
  beginNote: 'Type part of a name, phone number, email, address, ID or reference.',
  nothing: (q: string) => `Nothing found for “${q}”`,
  nothingNote: 'Check the spelling, or try a shorter search.',
  found: (count: number) => common.count(count, 'result', 'results'),
  unnamed: 'Unnamed customer',
  keys: 'Arrow keys to choose, Enter to open, Escape to close',
}
