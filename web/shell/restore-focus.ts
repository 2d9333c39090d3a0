import type { AnyRouter, ParsedLocation } from '@tanstack/react-router'

const maxRemembered = 100
const placeOf = ({ state }: ParsedLocation) => state.__TSR_key ?? ''

/**
 * Who goes back to a list stands on the link by which they left it, as they would with pages of the browser's own. Where
 * the list stood is seen to by the router, unless they are back before it has seen to the page they went to: the link
 * is brought into sight.
 */
export function restoreFocusOnBack(router: AnyRouter): void {
  const left = new Map<string, { href: string; nth: number }>()
  document.addEventListener(
    'click',
    ({ target }) => {
      const link = target instanceof Element && target.closest<HTMLElement>('main a[href]')
      if (!link) return
      const href = link.getAttribute('href')!
      left.set(placeOf(router.latestLocation), { href, nth: linksTo(href).indexOf(link) })
      if (left.size > maxRemembered) left.delete(left.keys().next().value!)
    },
    true,
  )
  router.subscribe('onRendered', ({ toLocation }) => {
    const link = left.get(placeOf(toLocation))
    if (link) linksTo(link.href)[link.nth]?.focus()
  })
}

/** Several rows may lead to the same. */
function linksTo(href: string): HTMLElement[] {
  return [...document.querySelectorAll<HTMLElement>(`main a[href="${CSS.escape(href)}"]`)]
}
