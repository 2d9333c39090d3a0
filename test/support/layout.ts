import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'

/** Fails where something of the page as it stands is outside of it, or over something else. */
export async function assertLaidOut(page: Page, width: number): Promise<void> {
  const faults = await page.evaluate(`(${faultsOf})(${width})`)
  assert.deepEqual(faults, [], `at ${width} px`)
}

/** Opens whatever opens a menu and was not opened before, and fails where it does not fit on the screen. */
export async function assertMenusFit(page: Page, seen: Set<string>): Promise<void> {
  const openers = page.locator('button[aria-haspopup=menu]:visible, button[aria-haspopup=dialog]:visible')
  // Asked for together: most were opened on a page before.
  for (const [index, { name, opens, isEnabled }] of (await openers.evaluateAll(describe)).entries()) {
    // A list has the same menu on each of its rows.
    const kind = `${name.replaceAll(/[A-Z][\w.'-]*|\d+/g, '…')} ${opens}`
    if (seen.has(kind) || !isEnabled) continue
    seen.add(kind)
    await openers.nth(index).click()
    const opened = page.locator('[data-radix-popper-content-wrapper] > *').last()
    await opened.waitFor()
    const faults = await opened.evaluate(outside)
    assert.deepEqual(faults, [], `the menu "${name}"`)
    await page.keyboard.press('Escape')
    await opened.waitFor({ state: 'detached' })
  }
}

/** Runs in the page. */
// biome-ignore lint/suspicious/noExplicitAny: they are of the page
function describe(buttons: any[]): { name: string; opens: string; isEnabled: boolean }[] {
  return buttons.map((button) => ({
    name: button.getAttribute('aria-label') ?? button.textContent ?? '',
    opens: button.getAttribute('aria-haspopup'),
    isEnabled: !button.disabled,
  }))
}

/** Runs in the page. */
// biome-ignore lint/suspicious/noExplicitAny: it is of the page
function outside(element: any): string[] {
  const { innerWidth, innerHeight } = globalThis as unknown as { innerWidth: number; innerHeight: number }
  const { left, top, right, bottom } = element.getBoundingClientRect()
  const within = left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight
  return within ? [] : [`${left},${top} to ${right},${bottom} of ${innerWidth},${innerHeight}`]
}

/** Runs in the page: what is wrong with it, in words. */
const faultsOf = `async function (width) {
  const faults = []
  const at = (box) => Math.round(box.left) + ',' + Math.round(box.top) + ' ' + Math.round(box.width) + '×' + Math.round(box.height)
  // Drawn for this width, with its letters.
  await document.fonts.ready
  for (let i = 0; i < 2; i++) await new Promise((done) => requestAnimationFrame(done))
  const root = document.documentElement
  if (innerWidth !== width) faults.push('the page is drawn ' + innerWidth + ' px wide')
  if (root.scrollWidth > width) faults.push('the page scrolls sideways: ' + root.scrollWidth + ' px')

  const styles = new Map()
  const styleOf = (element) => {
    if (!styles.has(element)) styles.set(element, getComputedStyle(element))
    return styles.get(element)
  }
  /** What of an element's box is seen: nothing where it is hidden, read out only, or scrolled away. */
  const seenOf = (element, box) => {
    let { left, top, right, bottom } = box
    let layer = null
    let scrolls = false
    for (let one = element; one && one !== root; one = one.parentElement) {
      const style = styleOf(one)
      if (style.visibility === 'hidden' || style.opacity === '0' || style.display === 'none') return null
      if (one.closest('[aria-hidden=true], [inert]') === one && one.tagName !== 'SPAN') return null
      if (style.clipPath !== 'none' || (style.clip !== 'auto' && style.position === 'absolute')) return null
      if (style.overflowX !== 'visible' || style.overflowY !== 'visible') {
        const clip = one.getBoundingClientRect()
        if (style.overflowX === 'auto' || style.overflowX === 'scroll') scrolls = true
        left = Math.max(left, clip.left); right = Math.min(right, clip.right)
        top = Math.max(top, clip.top); bottom = Math.min(bottom, clip.bottom)
      }
      layer ??= ['fixed', 'sticky'].includes(style.position) || one.hasAttribute('data-radix-popper-content-wrapper') ? one : null
      if (style.position === 'fixed') break
    }
    if (right - left < 1 || bottom - top < 1) return null
    return { left, top, right, bottom, width: right - left, height: bottom - top, layer, scrolls }
  }

  const shown = []
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  const range = document.createRange()
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const words = node.data.trim()
    const element = node.parentElement
    if (!words || element.closest('script, style, noscript, option, svg')) continue
    // What is folded away has a place, and is not drawn there.
    const folded = element.closest('details:not([open])')
    if (folded && !folded.querySelector(':scope > summary')?.contains(element)) continue
    range.selectNodeContents(node)
    const lines = [...range.getClientRects()]
    const tops = new Set(lines.map(({ top }) => Math.round(top)))
    // Code has lines of its own.
    const isBroken = tops.size > 3 && words.length / tops.size < 4 && !element.closest('pre')
    if (isBroken && seenOf(element, range.getBoundingClientRect()))
      faults.push('one letter a line: "' + words.slice(0, 40) + '" in ' + tops.size + ' lines')
    for (const line of lines) {
      const seen = seenOf(element, line)
      if (seen) shown.push({ ...seen, words: words.slice(0, 40), element })
    }
  }
  for (const element of document.querySelectorAll('button, input:not([type=hidden]), select, textarea, a[href] > svg, img')) {
    if (element.closest('details:not([open])')) continue
    const seen = seenOf(element, element.getBoundingClientRect())
    if (seen) shown.push({ ...seen, words: element.tagName + ' ' + (element.getAttribute('aria-label') ?? element.name ?? ''), element, control: true })
  }

  for (const one of shown)
    if (!one.scrolls && (one.right > width + 1 || one.left < -1)) faults.push('outside the page: "' + one.words + '" ' + at(one))

  shown.sort((a, b) => a.top - b.top)
  for (let i = 0; i < shown.length; i++) {
    const a = shown[i]
    for (let j = i + 1; j < shown.length && shown[j].top < a.bottom; j++) {
      const b = shown[j]
      if (a.layer !== b.layer || a.element.contains(b.element) || b.element.contains(a.element)) continue
      // A label is over its own control where that is hidden behind it; controls in each other are meant to be.
      if (a.control && b.control) continue
      const across = Math.min(a.right, b.right) - Math.max(a.left, b.left)
      const down = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top)
      // Letters have room around them: lines that stand close touch each other's.
      if (across > 2 && down > 0.35 * Math.min(a.height, b.height))
        faults.push('"' + a.words + '" ' + at(a) + ' and "' + b.words + '" ' + at(b) + ' are over each other')
    }
  }

  // A phone has room for cards only; where there is a table, none of its columns is out of sight.
  if (width >= 820)
    for (const table of document.querySelectorAll('main table')) {
      const frame = table.parentElement
      if (frame.dataset.anyColumns !== undefined) continue
      if (frame.scrollWidth > frame.clientWidth + 1)
        faults.push('the table ' + frame.getAttribute('aria-label') + ' is ' + frame.scrollWidth + ' px wide in ' + frame.clientWidth)
    }

  // Empty boxes with a frame, such as the days of a calendar, are something too.
  const framed = [...document.querySelectorAll('main *')].filter((one) => parseFloat(styleOf(one).borderBottomWidth) > 0)
  const boxes = framed.map((element) => ({ element, layer: null, ...seenOf(element, element.getBoundingClientRect()) }))
  const flowing = [...shown, ...boxes].filter(({ element, layer }) => styleOf(layer ?? element).position !== 'fixed')
  const lowest = Math.max(0, ...flowing.map(({ bottom }) => bottom ?? 0))
  const emptyPx = 160
  const below = root.scrollHeight - scrollY - Math.max(innerHeight, lowest)
  if (below > emptyPx) faults.push('the page scrolls ' + Math.round(below) + ' px into nothing')

  const nav = document.querySelector('nav[aria-label=Main]')
  if (nav) {
    const box = nav.getBoundingClientRect()
    if (box.left < -1 || box.top < -1 || box.right > width + 1 || box.bottom > innerHeight + 1) faults.push('the navigation is off the screen: ' + at(box))
    const hit = document.elementFromPoint(box.left + box.width / 2, box.bottom - 20)
    if (!nav.contains(hit)) faults.push('the navigation is under ' + hit?.outerHTML.slice(0, 100))
  }
  return faults.slice(0, 8)
}`
