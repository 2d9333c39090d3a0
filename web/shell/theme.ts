export type Theme = 'light' | 'dark' | 'system'

const key = 'sunstead-theme'
const dark = matchMedia('(prefers-color-scheme: dark)')

export function chosenTheme(): Theme {
  const kept = localStorage.getItem(key)
  return kept === 'light' || kept === 'dark' ? kept : 'system'
}

export function chooseTheme(theme: Theme): void {
  if (theme === 'system') localStorage.removeItem(key)
  else localStorage.setItem(key, theme)
  applyTheme()
}

export function applyTheme(): void {
  const theme = chosenTheme()
  document.documentElement.dataset['theme'] = theme === 'system' ? (dark.matches ? 'dark' : 'light') : theme
}

/** From now on the page follows the device, where the person has not chosen. */
export function followTheme(): void {
  applyTheme()
  dark.addEventListener('change', applyTheme)
}
