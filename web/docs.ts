// What a page of /docs does beyond being read: all of it can be read, searched and printed without.
import { applyTheme, chooseTheme, chosenTheme, followTheme, type Theme } from './shell/theme.ts'

// Before anything is drawn: the script stands in the head.
followTheme()

const next: Record<Theme, Theme> = { system: 'light', light: 'dark', dark: 'system' }
const names: Record<Theme, string> = { system: 'As the device', light: 'Light', dark: 'Dark' }

function offerThemes(): void {
  const button = document.querySelector<HTMLButtonElement>('[data-theme-button]')
  if (!button) return
  const name = () => {
    button.textContent = `Theme: ${names[chosenTheme()]}`
  }
  button.hidden = false
  name()
  button.addEventListener('click', () => {
    chooseTheme(next[chosenTheme()])
    name()
  })
}

/** Paper is light. */
function printLight(): void {
  addEventListener('beforeprint', () => {
    document.documentElement.dataset['theme'] = 'light'
    for (const one of document.querySelectorAll('details')) one.open = true
  })
  addEventListener('afterprint', applyTheme)
}

function offerCopies(): void {
  // There only over https and on this machine itself.
  if (!navigator.clipboard) return
  for (const block of document.querySelectorAll('figure.code')) {
    const button = document.createElement('button')
    button.type = 'button'
    button.className = 'copy'
    button.textContent = 'Copy'
    button.setAttribute('aria-live', 'polite')
    button.addEventListener('click', async () => {
      const text = block.querySelector('code')?.textContent ?? ''
      const done = await navigator.clipboard.writeText(text).then(
        () => 'Copied',
        () => 'Not allowed',
      )
      button.textContent = done
      setTimeout(() => {
        button.textContent = 'Copy'
      }, 2_000)
    })
    block.append(button)
  }
}

/** Shows what is found while one types, in place of what was found before. */
function searchAtOnce(): void {
  const field = document.querySelector<HTMLInputElement>('form.wide input')
  const found = document.querySelector('#found')
  if (!field || !found) return
  let asked = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  const look = async () => {
    const number = ++asked
    const query = new URLSearchParams({ q: field.value })
    const answer = await fetch(`/docs/search?${query}&part`).catch(() => null)
    // What was asked later may be answered sooner.
    if (!answer?.ok || number !== asked) return
    found.innerHTML = await answer.text()
    history.replaceState(null, '', `/docs/search?${query}`)
  }
  field.addEventListener('input', () => {
    clearTimeout(timer)
    timer = setTimeout(() => void look(), 150)
  })
  field.focus()
}

/** A slash goes to the search, as on many sites. */
function searchByKey(): void {
  document.addEventListener('keydown', (event) => {
    const typing = (event.target as Element).closest('input, textarea, select')
    if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || typing) return
    const fields = document.querySelectorAll<HTMLInputElement>('form.wide input, form.search input')
    const shown = [...fields].find((field) => field.offsetParent !== null)
    event.preventDefault()
    if (shown) shown.focus()
    else location.href = '/docs/search'
  })
}

/** The place in a long menu where one is. */
function showPlace(): void {
  const menu = document.querySelector('.places')
  const here = document.querySelector<HTMLElement>('.places [aria-current]')
  if (menu && here && here.offsetTop > menu.clientHeight)
    menu.scrollTop = here.offsetTop - menu.clientHeight / 2
}

document.addEventListener('DOMContentLoaded', () => {
  offerThemes()
  printLight()
  offerCopies()
  searchAtOnce()
  searchByKey()
  showPlace()
})
